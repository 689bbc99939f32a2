// Surveys of programs that use libraries: what functions without a body hand over, keep and touch.
#include "test_survey_support.h"

static const Case cases[] = {
    {"data of events",
     HEAD
     "#include <sys/epoll.h>\nstruct conn { int count; }; int queue;\n"
     "void *worker(void *a) { struct epoll_event e[4]; int n = epoll_wait(queue, e, 4, -1);"
     " for (int i = 0; i < n; i++) { struct conn *c = e[i].data.ptr; " LOCK " c->count++; " UNLOCK " } return a; }\n"
     "int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); struct epoll_event e = {.events = EPOLLIN};"
     " struct conn *c = malloc(sizeof *c); c->count = 0; e.data.ptr = c; epoll_ctl(queue, EPOLL_CTL_ADD, 0, &e); " LOCK
     " c->count++; " UNLOCK " return 0; }",
     "malloc in main",
     {LOCK " c->count++; " UNLOCK " return", "c->count++; return"}},
    {"kept callbacks",
     HEAD
     "int curl_easy_setopt(void *h, int option, ...); int curl_easy_perform(void *h); void *curl_easy_init(void);\n"
     "int seen; int progress(void *a) { " LOCK " seen++; " UNLOCK " return 0; }\n"
     "void *worker(void *a) { void *h = curl_easy_init(); curl_easy_setopt(h, 1, progress); pthread_mutex_lock(&n);"
     " curl_easy_perform(h); x++; pthread_mutex_unlock(&n); return a; }" TWO,
     "x",
     {"seen++; " UNLOCK, "seen++; " UNLOCK " pthread_mutex_unlock(&n);", "seen++; " UNLOCK, "seen++; " UNLOCK " x--;"}},
    {"kept callbacks may run at any time",
     HEAD
     "int curl_easy_setopt(void *h, int option, ...); int curl_easy_perform(void *h); void *curl_easy_init(void);\n"
     "int seen; int progress(void *a) { " LOCK " seen++; " UNLOCK " return 0; }\n"
     "void *worker(void *a) { void *h = curl_easy_init(); curl_easy_setopt(h, 1, progress);"
     " curl_easy_perform(h); return a; }" TWO,
     "seen",
     {LOCK " seen++;", "seen++;"}},
    {"functions in the library's structs",
     HEAD "void *initscr(void); int endwin(void); struct hooks { void (*call)(void); };\n"
          "int seen; void hook(void) { " LOCK " seen++; " UNLOCK " }\n"
          "void *worker(void *a) { struct hooks *h = initscr(); h->call = hook; endwin(); return a; }" TWO,
     "seen",
     {LOCK " seen++;", "seen++;"}},
#define ZLIB                                                                                                           \
  "struct z { char *in; unsigned n; char *out; unsigned m; void *(*allocate)(void *, unsigned, unsigned);"             \
  " void (*release)(void *, void *); void *opaque; };\n"                                                               \
  "int deflateInit_(struct z *z, int l, const char *v, int n); int deflate(struct z *z, int f);\n"
    {"allocators behind pointers",
     HEAD ZLIB "int seen; void *take(void *o, unsigned k, unsigned l) { " LOCK " seen++; " UNLOCK
               " return malloc(k * l); }\n"
               "void *worker(void *a) { struct z z; memset(&z, 0, sizeof z); z.allocate = take;"
               " deflateInit_(&z, 1, \"1\", sizeof z); return a; }" TWO,
     "seen",
     {LOCK " seen++;", "seen++;"}},
    {"buffers behind pointers",
     HEAD ZLIB "char out[64]; void *worker(void *a) { struct z z; memset(&z, 0, sizeof z); z.out = out; z.m = 64;"
               " deflateInit_(&z, 1, \"1\", sizeof z); " LOCK " deflate(&z, 0); " UNLOCK " return a; }" TWO,
     "out",
     {LOCK " deflate", "deflate"}},
    {"pointers that a library moves",
     HEAD ZLIB "char out[64]; void *worker(void *a) { struct z z; memset(&z, 0, sizeof z); z.out = out; z.m = 64;"
               " deflateInit_(&z, 1, \"1\", sizeof z); " LOCK " deflate(&z, 0); *z.out = 0; " UNLOCK " return a; }" TWO,
     "out",
     {"*z.out = 0; " UNLOCK, UNLOCK " *z.out = 0;"}},
    {"buffers that a library fills",
     HEAD "#include <pwd.h>\nchar names[64]; void *worker(void *a) { struct passwd p, *r; " LOCK
          " getpwnam_r(\"root\", &p, names, sizeof names, &r); if (r) r->pw_name[0] = 'R'; " UNLOCK " return a; }" TWO,
     "names",
     {"if (r) r->pw_name[0] = 'R'; " UNLOCK, UNLOCK " if (r) r->pw_name[0] = 'R';", LOCK " getpwnam_r",
      "getpwnam_r(\"root\", &p, names, sizeof names, &r); " LOCK " getpwnam_r"}},
    {"results in an argument",
     HEAD "#include <libgen.h>\nchar path[64]; void *worker(void *a) { " LOCK
          " char *d = dirname(path); d[0] = '/'; " UNLOCK " return a; }" TWO,
     "path",
     {"d[0] = '/'; " UNLOCK, UNLOCK " d[0] = '/';"}},
    {"options",
     HEAD "#include <getopt.h>\nchar text[8] = \"-a1\"; char *words[] = {text, text, 0};\n"
          "void *worker(void *a) { " LOCK " text[0]++; " UNLOCK " return a; }\n"
          "int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); " LOCK " getopt(2, words, \"a:\");"
          " char *word = optarg; word[0] = 1; " UNLOCK " return 0; }",
     "text",
     {"word[0] = 1; " UNLOCK, UNLOCK " word[0] = 1;", LOCK " getopt(2, words, \"a:\");",
      "getopt(2, words, \"a:\"); " LOCK}},
    {"variables of the library",
     HEAD "#include <getopt.h>\nvoid *worker(void *a) { y = optind; return a; }\n"
          "int main(int n, char **v) { pthread_t t; getopt(n, v, \"a\"); pthread_create(&t, 0, worker, 0); return 0; }",
     "optind",
     {"pthread_create(&t, 0, worker, 0);", "pthread_create(&t, 0, worker, 0); getopt(n, v, \"a\");"}},
    {"the mask of the mouse",
     HEAD "unsigned long mask, mousemask(unsigned long new, unsigned long *old);\n"
          "void *worker(void *a) { " LOCK " mousemask(1, &mask); " UNLOCK " return a; }" TWO,
     "mask",
     {LOCK " mousemask", "mousemask", "&mask); " UNLOCK, "0); " UNLOCK " mousemask(1, &mask);"}},
    {"names of Darwin",
     HEAD "long read_some(int d, void *b, unsigned long n) __asm(\"_read$UNIX2003\");\n"
          "char text[8]; void *worker(void *a) { " LOCK " read_some(0, text, 8); " UNLOCK " return a; }" TWO,
     "text",
     {LOCK " read_some", "read_some", "UNIX2003", "OTHER"}},
    {"handlers in the only thread",
     HEAD "#include <signal.h>\nvoid handler(int s) { x++; } void *worker(void *a) { return a; }\n"
          "void call(void (*f)(int)); int main(void) { signal(SIGINT, handler); x++; return 0; }",
     "x",
     {"x++; return 0;", "x++; pthread_t t; pthread_create(&t, 0, worker, 0); return 0;", "x++; return 0;",
      "x++; call(handler); return 0;"}},
    {"routines at exit",
     HEAD "#include <unistd.h>\nvoid save(void) { x++; } void *worker(void *a) { _exit(1); return a; }\n"
          "int main(void) { pthread_t t; atexit(save); pthread_create(&t, 0, worker, 0); x++; return 0; }",
     "x",
     {"_exit(1)", "exit(1)", "x++; return 0;", "x++; pthread_exit(0);", "_exit(1);", "x++;", "x++; return 0;",
      "x++; pthread_cancel(t); return 0;"}},
    {"routines at exit and in signals",
     HEAD "#include <signal.h>\nvoid save(void) { x++; } void note(int s) { } void *worker(void *a) { return a; }\n"
          "int main(void) { pthread_t t; atexit(save); signal(SIGINT, note); pthread_create(&t, 0, worker, 0); x++;"
          " return 0; }",
     "x",
     {"SIGINT, note", "SIGINT, (void (*)(int))save", "note(int s) { }", "note(int s) { exit(1); }", "note(int s) { }",
      "note(int s) { pthread_exit(0); }"}},
    {"threads that a handler interrupts",
     HEAD "#include <signal.h>\nvoid note(int s) { } void *below(void *a) { x++; return a; }\n"
          "void *worker(void *a) { pthread_t t; pthread_create(&t, 0, below, 0); pthread_join(t, 0); return a; }\n"
          "int main(void) { pthread_t t; signal(SIGUSR1, note); pthread_create(&t, 0, worker, 0); pthread_join(t, 0);"
          " x++; return 0; }",
     "x",
     {"note(int s) { }", "note(int s) { pthread_exit(0); }", "note(int s) { }",
      "note(int s) { note(s + pthread_cancel(0)); }"}},
    {"vectors that the library fills",
     HEAD "#include <sys/uio.h>\nstruct iovec v; void *worker(void *a) { " LOCK " writev(1, &v, 1); " UNLOCK
          " return a; }\n"
          "void *other(void *a) { " LOCK " readv(0, &v, 1); " UNLOCK " return a; }\n"
          "int main(void) { pthread_t t, u; posix_memalign(&v.iov_base, 16, 64); v.iov_len = 64;"
          " pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, other, 0); return 0; }",
     "posix_memalign in main",
     {LOCK " writev(1, &v, 1); " UNLOCK, "writev(1, &v, 1);", LOCK " readv(0, &v, 1); " UNLOCK, "readv(0, &v, 1);"}},
};

static void test_libraries(void **state) {
  (void)state;
  check_cases(cases, sizeof cases / sizeof *cases);
}

// A function of the library that only compares is no code of which nothing is known.
static void test_comparisons(void **state) {
  (void)state;
  Surveyed s;
  survey_source(HEAD "#include <dirent.h>\nvoid *worker(void *a) { struct dirent **list; char t[4] = \"dcb\";"
                     " int n = scandir(\".\", &list, 0, alphasort); return list && n > t[0] ? a : 0; }" TWO,
                &s);
  for (uint32_t i = 0; i < s.survey->object_count; i++) assert_int_not_equal(s.survey->objects[i].status, SURVEY_OPEN);
  end_survey(&s);
}

// Memory of its own that the library does not protect.
static void test_library_memory(void **state) {
  (void)state;
  static const char *const calls[] = {
      "getservent()",    "gethostbyname2(\"a\", 2)", "getprotoent()",     "getnetbyname(\"a\")",
      "getspnam(\"a\")", "getpass(\"a\")",           "ether_aton(\"a\")", "ether_ntoa(0)",
      "lgamma(3)"};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    Text source;
    text_init(&source, NULL);
    text_format(&source,
                HEAD "#include <netdb.h>\n#include <shadow.h>\n#include <unistd.h>\n#include <math.h>\n"
                     "#include <netinet/ether.h>\nvoid *worker(void *a) { (void)%s; return a; }" TWO,
                calls[i]);
    Surveyed s;
    survey_source(source.data, &s);
    if (s.survey->totals.open + s.survey->totals.warned == 0) fail_msg("%s: proved", calls[i]);
    end_survey(&s);
    text_free(&source);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_libraries), cmocka_unit_test(test_comparisons),
                                     cmocka_unit_test(test_library_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
