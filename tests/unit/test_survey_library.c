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
};

static void test_libraries(void **state) {
  (void)state;
  check_cases(cases, sizeof cases / sizeof *cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_libraries)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
