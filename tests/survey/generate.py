"""Random threaded C programs for `heddle survey`: about half of them correctly synchronised.

A program is made of parts. Each part is one way to share memory (a lock, phases, ownership, a hand-over by a semaphore,
...), with globals, functions, what each of two workers does, and what main does before it creates them, beside them and
after it has joined them. A part has mutants: the lock is removed, moved or exchanged, the publication is moved up, the
join is dropped. A program takes one to three parts; in every second program one of them is a mutant.

Programs are small, so that exhaustive search decides them within a second. Each statement has a line of its own.

usage: generate.py SEED [PART[:MUTANT]]...    prints the program of the seed, or one of exactly these parts
"""
import random
import sys

PARTS = {}  # name -> function(code, mutant), in the order of their definition
MUTANTS = {}  # name -> names of its mutants


def part(*mutants):
    def add(function):
        PARTS[function.__name__] = function
        MUTANTS[function.__name__] = mutants
        return function
    return add


class Code:
    """Where the text of a part goes. `n` makes its names its own."""

    def __init__(self, n, dice):
        self.n, self.dice = n, dice
        self.globals, self.functions, self.before, self.during, self.after = [], [], [], [], []
        self.workers = ([], [])
        self.keep_join = True  # false: main does not wait for the workers

    def put(self, where, text):
        where.extend(line.strip().replace("$", str(self.n)) for line in text.strip().split("\n"))

    def both(self, text):
        for worker in self.workers:
            self.put(worker, text)


def maybe(condition, text):
    return text if condition else ";"


# --- locks ---

@part("removed", "exchanged", "moved", "one_side")
def mutex(c, mutant):
    c.put(c.globals, "pthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\npthread_mutex_t other$ = PTHREAD_MUTEX_INITIALIZER;\nint count$;")
    lock = "other$" if mutant == "exchanged" else "m$"
    if mutant == "moved":
        c.put(c.workers[0], "pthread_mutex_lock(&m$);\npthread_mutex_unlock(&m$);\ncount$++;")
    else:
        held = mutant != "removed"
        c.put(c.workers[0], maybe(held, f"pthread_mutex_lock(&{lock});") + "\ncount$++;\n" + maybe(held, f"pthread_mutex_unlock(&{lock});"))
    c.put(c.workers[1], "pthread_mutex_lock(&m$);\ncount$ += 2;\npthread_mutex_unlock(&m$);")
    if c.dice.random() < 0.5 or mutant == "one_side":
        c.put(c.during, "count$ = 3;" if mutant == "one_side" else "pthread_mutex_lock(&m$);\ncount$ = 3;\npthread_mutex_unlock(&m$);")
    c.put(c.after, "count$--;")


@part("ignored", "inverted")
def trylock(c, mutant):
    c.put(c.globals, "pthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\nint tried$;")
    test = {"ignored": "pthread_mutex_trylock(&m$) >= 0", "inverted": "pthread_mutex_trylock(&m$) != 0"}
    c.put(c.workers[0], f"if ({test.get(mutant, 'pthread_mutex_trylock(&m$) == 0')}) {{\ntried$++;\npthread_mutex_unlock(&m$);\n}}")
    c.put(c.workers[1], "pthread_mutex_lock(&m$);\ntried$++;\npthread_mutex_unlock(&m$);")


@part("write_as_reader", "no_lock")
def rwlock(c, mutant):
    c.put(c.globals, "pthread_rwlock_t rw$ = PTHREAD_RWLOCK_INITIALIZER;\nint table$[2];\nint seen$;")
    side = "rd" if mutant == "write_as_reader" else "wr"
    c.put(c.workers[0], f"pthread_rwlock_{side}lock(&rw$);\ntable$[1] = 4;\npthread_rwlock_unlock(&rw$);")
    if mutant == "no_lock":
        c.put(c.workers[1], "seen$ = table$[1];")
    else:
        c.put(c.workers[1], "pthread_rwlock_rdlock(&rw$);\nseen$ = table$[1];\npthread_rwlock_unlock(&rw$);")


@part("no_lock")
def lock_functions(c, mutant):
    c.put(c.globals, "pthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\nint wrapped$;")
    c.put(c.functions, "static void enter$(void) {\npthread_mutex_lock(&m$);\n}\nstatic void leave$(void) {\npthread_mutex_unlock(&m$);\n}\n"
          "static void bump$(void) {\nwrapped$++;\n}")
    c.put(c.workers[0], "enter$();\nbump$();\nleave$();")
    c.put(c.workers[1], "bump$();" if mutant else "enter$();\nbump$();\nleave$();")


@part("gap")
def helper_unlocks(c, mutant):
    c.put(c.globals, "pthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\nint kept$;")
    c.put(c.functions, "static void pause$(void) {\npthread_mutex_unlock(&m$);\n" + maybe(mutant, "kept$ = 1;") + "\npthread_mutex_lock(&m$);\n}")
    c.put(c.workers[0], "pthread_mutex_lock(&m$);\npause$();\nkept$++;\npthread_mutex_unlock(&m$);")
    c.put(c.workers[1], "pthread_mutex_lock(&m$);\nkept$++;\npthread_mutex_unlock(&m$);")


@part("other_condition")
def conditional_lock(c, mutant):
    c.put(c.globals, "pthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\nint on$;\nint guarded$;")
    c.put(c.before, "on$ = 1;" if not mutant else "on$ = 0;")
    c.both("if (on$)\npthread_mutex_lock(&m$);\nguarded$++;\nif (on$)\npthread_mutex_unlock(&m$);")


@part("wrong_object", "swapped")
def lock_per_object(c, mutant):
    c.put(c.globals, "struct account$ {\npthread_mutex_t lock;\nint money;\n};\nstruct account$ accounts$[2] = {{PTHREAD_MUTEX_INITIALIZER, 1}, {PTHREAD_MUTEX_INITIALIZER, 2}};")
    c.put(c.functions, "static void pay$(struct account$ *to, struct account$ *guard) {\npthread_mutex_lock(&guard->lock);\nto->money++;\npthread_mutex_unlock(&guard->lock);\n}")
    c.put(c.workers[0], f"pay$(&accounts$[0], &accounts$[{1 if mutant else 0}]);")
    c.put(c.workers[1], "pay$(&accounts$[0], &accounts$[0]);" if mutant != "swapped" else "pay$(&accounts$[0], &accounts$[0]);\npay$(&accounts$[1], &accounts$[0]);")


@part("no_lock", "global_lock_once")
def lock_in_heap(c, mutant):
    c.put(c.globals, "struct box$ {\npthread_mutex_t lock;\nint value;\n};\nstruct box$ *box$;")
    c.put(c.before, "box$ = malloc(sizeof *box$);\npthread_mutex_init(&box$->lock, 0);\nbox$->value = 0;")
    c.put(c.workers[0], "pthread_mutex_lock(&box$->lock);\nbox$->value++;\npthread_mutex_unlock(&box$->lock);")
    c.put(c.workers[1], "box$->value++;" if mutant == "no_lock" else
          "struct box$ *b$ = box$;\npthread_mutex_lock(&b$->lock);\npthread_mutex_unlock(&b$->lock);\nb$->value++;" if mutant else
          "struct box$ *b$ = box$;\npthread_mutex_lock(&b$->lock);\nb$->value++;\npthread_mutex_unlock(&b$->lock);")
    c.put(c.after, "free(box$);")


@part("changed")
def lock_by_pointer(c, mutant):
    c.put(c.globals, "pthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\npthread_mutex_t spare$ = PTHREAD_MUTEX_INITIALIZER;\npthread_mutex_t *which$ = &m$;\nint by_pointer$;")
    c.put(c.before, maybe(mutant, "which$ = &spare$;"))
    c.put(c.workers[0], "pthread_mutex_lock(which$);\nby_pointer$++;\npthread_mutex_unlock(which$);")
    c.put(c.workers[1], "pthread_mutex_lock(&m$);\nby_pointer$++;\npthread_mutex_unlock(&m$);")


@part("same_lock_missing", "index")
def locks_in_array(c, mutant):
    c.put(c.globals, "pthread_mutex_t locks$[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\nint slots$[2];")
    wrong = {"same_lock_missing": ";", "index": "pthread_mutex_lock(&locks$[1]);"}.get(mutant, "pthread_mutex_lock(&locks$[0]);")
    done = {"same_lock_missing": ";", "index": "pthread_mutex_unlock(&locks$[1]);"}.get(mutant, "pthread_mutex_unlock(&locks$[0]);")
    c.put(c.workers[0], f"{wrong}\nslots$[0]++;\n{done}")
    c.put(c.workers[1], "pthread_mutex_lock(&locks$[0]);\nslots$[0]++;\npthread_mutex_unlock(&locks$[0]);")


@part("two", "posted", "twice", "early", "other", "ignored")
def semaphore_as_lock(c, mutant):
    """A semaphore that begins with 1, taken by waiting or by an attempt; mutants let two threads in."""
    c.put(c.globals, "sem_t sem$;\nsem_t free$;\nint counted$;")
    c.put(c.before, f"sem_init(&free$, 0, 1);\nsem_init(&sem$, 0, {2 if mutant == 'two' else 1});")
    tries = mutant == "ignored" or c.dice.random() < 0.3
    body = "counted$++;\nsem_post(&sem$);" + ("\nsem_post(&sem$);" if mutant == "twice" else "")
    if mutant == "early":
        body = "sem_post(&sem$);\ncounted$++;"
    if mutant == "ignored":
        c.put(c.workers[0], "sem_trywait(&sem$);\n" + body)
    elif tries:
        c.put(c.workers[0], "if (sem_trywait(&sem$) == 0) {\n" + body + "\n}")
    else:
        c.put(c.workers[0], "sem_wait(&sem$);\n" + body)
    wrong = "free$" if mutant == "other" else "sem$"
    c.put(c.workers[1], f"sem_wait(&{wrong});\ncounted$ += 2;\nsem_post(&{wrong});")
    if mutant == "posted":
        c.put(c.during, "sem_post(&sem$);")


@part("wait_first", "outside")
def condition(c, mutant):
    c.put(c.globals, "pthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\npthread_cond_t cv$ = PTHREAD_COND_INITIALIZER;\nint ready$;\nint item$;")
    if mutant == "wait_first":
        c.put(c.workers[0], "if (!ready$)\nitem$ = 2;\npthread_mutex_lock(&m$);\nitem$ = 3;\npthread_mutex_unlock(&m$);")
    else:
        c.put(c.workers[0], "pthread_mutex_lock(&m$);\nwhile (!ready$)\npthread_cond_wait(&cv$, &m$);\nitem$++;\npthread_mutex_unlock(&m$);")
    store = "item$ = 1;"
    c.put(c.workers[1], (store if mutant == "outside" else ";") + "\npthread_mutex_lock(&m$);\n" + maybe(mutant != "outside", store) +
          "\nready$ = 1;\npthread_cond_signal(&cv$);\npthread_mutex_unlock(&m$);" + ("\nitem$ = 7;" if mutant == "outside" else ""))


# --- phases ---

@part("late", "no_join")
def phases(c, mutant):
    c.put(c.globals, "int config$;\nint result$[2];")
    c.put(c.before if mutant != "late" else c.during, "config$ = 5;")
    for i, worker in enumerate(c.workers):
        c.put(worker, f"result$[{i}] = config$;")
    c.put(c.after, "config$ = result$[0] + result$[1];")
    c.keep_join = mutant != "no_join"


@part("not_joined", "early")
def grandchild(c, mutant):
    c.put(c.globals, "int inner$;")
    c.put(c.functions, "static void *grand$(void *a) {\ninner$++;\nreturn a;\n}")
    early = mutant == "early"
    c.put(c.workers[0], "pthread_t g$;\npthread_create(&g$, 0, grand$, 0);\n" + maybe(early, "inner$ = 4;") + "\n" +
          maybe(mutant != "not_joined", "pthread_join(g$, 0);") + "\ninner$++;")
    c.put(c.after, "inner$ = 2;" if mutant != "not_joined" else ";")


@part("not_joined", "early", "not_all")
def nested_pool(c, mutant):
    """Threads of a loop that each join a thread of their own: both have ended when main has joined the loop's."""
    c.put(c.globals, "int shared$ = 1;\nint seen$[2];")
    c.put(c.functions, "static void *leaf$(void *a) {\nseen$[a != 0] = shared$;\nreturn a;\n}")
    c.put(c.functions, "static void *middle$(void *a) {\npthread_t l$;\npthread_create(&l$, 0, leaf$, a);\n" +
          maybe(mutant != "not_joined", "pthread_join(l$, 0);") + "\nreturn a;\n}")
    end = 1 if mutant == "not_all" else 2
    c.put(c.before, "pthread_t p$[2];\nfor (int i = 0; i < 2; i++)\npthread_create(&p$[i], 0, middle$, i ? &shared$ : 0);\n" +
          maybe(mutant == "early", "shared$ = 4;") + f"\nfor (int i = 0; i < {end}; i++)\npthread_join(p$[i], 0);\nshared$ = 2;")


@part("leaves", "breaks", "static_array", "recursive", "fewer")
def pool_again(c, mutant):
    """A function that creates threads in a loop and joins them in another one, called twice."""
    c.put(c.globals, "int shared$ = 1;\nint seen$[2];")
    c.put(c.functions, "static void *job$(void *a) {\nseen$[a != 0] = shared$;\nreturn a;\n}")
    array = "static pthread_t p$[2];" if mutant == "static_array" else "pthread_t p$[2];"
    c.put(c.functions, f"static void pool$(int n) {{\n{array}\nfor (int i = 0; i < 2; i++)\n"
          "pthread_create(&p$[i], 0, job$, i ? &shared$ : 0);\n" +
          {"leaves": "if (n > 1)\nreturn;", "recursive": "if (n > 1)\npool$(0);\nif (n > 1)\nshared$ = 5;"}.get(mutant, ";") +
          f"\nfor (int i = 0; i < {1 if mutant == 'fewer' else 2}; i++) {{\n" + maybe(mutant == "breaks", "if (n > 1 && i > 0)\nbreak;") +
          "\npthread_join(p$[i], 0);\n}\n}")
    c.put(c.before, "pool$(2);\n" + maybe(mutant == "leaves" and c.dice.random() < 0.5, "shared$ = 3;") + "\npool$(1);\nshared$ = 2;")


@part("twice")
def one_thread(c, mutant):
    c.put(c.functions, "static int mine$(void) {\nstatic int calls$;\ncalls$++;\nreturn calls$;\n}")
    c.put(c.workers[0], "mine$();\nmine$();")
    c.put(c.workers[1], maybe(mutant, "mine$();"))


@part("by_hand")
def once(c, mutant):
    c.put(c.globals, "pthread_once_t once$ = PTHREAD_ONCE_INIT;\nint made$;\nint used$[2];")
    c.put(c.functions, "static void make$(void) {\nmade$ = 3;\n}")
    c.put(c.workers[0], "pthread_once(&once$, make$);\nused$[0] = made$;")
    c.put(c.workers[1], ("make$();" if mutant else "pthread_once(&once$, make$);") + "\nused$[1] = made$;")


@part("kept_running", "joined")
def detached(c, mutant):
    c.put(c.globals, "int alone$;")
    c.put(c.functions, "static void *apart$(void *a) {\n" + "alone$++;\nreturn a;\n}")
    c.put(c.before, "alone$ = 1;\npthread_t d$;\npthread_create(&d$, 0, apart$, 0);\npthread_detach(d$);")
    if mutant == "joined":
        c.put(c.during, "pthread_join(d$, 0);")
    c.put(c.during, maybe(mutant, "alone$ = 2;"))


# --- ownership ---

@part("too_early", "after")
def publication(c, mutant):
    c.put(c.globals, "struct node$ {\nint value;\nstruct node$ *next;\n};\nstruct node$ *head$;\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\nint got$;")
    publish = "pthread_mutex_lock(&m$);\nhead$ = n$;\npthread_mutex_unlock(&m$);"
    fill = "n$->value = 1;\nn$->next = 0;"
    body = {"too_early": f"{publish}\n{fill}", "after": f"{fill}\n{publish}\nn$->value = 2;"}.get(mutant, f"{fill}\n{publish}")
    c.put(c.workers[0], f"struct node$ *n$ = malloc(sizeof *n$);\n{body}")
    c.put(c.workers[1], "pthread_mutex_lock(&m$);\nstruct node$ *h$ = head$;\nif (h$)\ngot$ = h$->value;\npthread_mutex_unlock(&m$);")


@part("after_create", "two_threads")
def argument(c, mutant):
    c.put(c.globals, "struct job$ {\nint in;\nint out;\n};")
    c.put(c.functions, "static void *work$(void *a) {\nstruct job$ *j = a;\nj->out = j->in + 1;\nreturn j;\n}")
    c.put(c.before, "struct job$ *job$ = malloc(sizeof *job$);\njob$->in = 1;\npthread_t w$;\npthread_create(&w$, 0, work$, job$);")
    if mutant == "two_threads":
        c.put(c.functions, "static void *again$(void *a) {\nstruct job$ *j = a;\nj->out = 0;\nreturn j;\n}")
        c.put(c.before, "pthread_t v$;\npthread_create(&v$, 0, again$, job$);")
        c.put(c.during, "pthread_join(v$, 0);")
    c.put(c.during, maybe(mutant == "after_create", "job$->in = 2;"))
    c.put(c.during, "void *back$;\npthread_join(w$, &back$);\n((struct job$ *)back$)->out++;\nfree(job$);")


@part("touched")
def stack_of_main(c, mutant):
    c.put(c.functions, "static void *fill$(void *a) {\nint *p = a;\n*p = 3;\nreturn 0;\n}")
    c.put(c.before, "int local$ = 0;\npthread_t f$;\npthread_create(&f$, 0, fill$, &local$);")
    c.put(c.during, maybe(mutant, "local$++;"))
    c.put(c.during, "pthread_join(f$, 0);\nlocal$++;")


@part("early")
def freed(c, mutant):
    c.put(c.globals, "int *block$;\nint read$[2];")
    c.put(c.before, "block$ = malloc(sizeof *block$);\n*block$ = 1;")
    c.put(c.workers[0], "read$[0] = *block$;")
    c.put(c.workers[1], "read$[1] = *block$;")
    c.put(c.during if mutant else c.after, "free(block$);")


@part("kept")
def taken_from_list(c, mutant):
    c.put(c.globals, "struct item$ {\nint value;\n};\nstruct item$ *queue$;\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.before, "queue$ = malloc(sizeof *queue$);\nqueue$->value = 0;")
    take = "pthread_mutex_lock(&m$);\nstruct item$ *i$ = queue$;\n" + maybe(not mutant, "queue$ = 0;") + "\npthread_mutex_unlock(&m$);\nif (i$)\ni$->value++;"
    c.both(take)


# --- other orders ---

@part("posted_before")
def handed_over(c, mutant):
    c.put(c.globals, "sem_t full$;\nint message$;")
    c.put(c.before, "sem_init(&full$, 0, 0);")
    c.put(c.workers[0], "sem_post(&full$);\nmessage$ = 1;" if mutant else "message$ = 1;\nsem_post(&full$);")
    c.put(c.workers[1], "sem_wait(&full$);\nmessage$++;")


@part("plain")
def atomic_counter(c, mutant):
    c.put(c.globals, ("int" if mutant else "atomic_int") + " hits$;\nint gnu$;")
    c.both("hits$++;\n__atomic_fetch_add(&gnu$, 1, __ATOMIC_SEQ_CST);")


@part("mixed")
def atomic_builtin(c, mutant):
    c.put(c.globals, "int flag$;\nint read$;")
    c.put(c.workers[0], "flag$ = 1;" if mutant else "__atomic_store_n(&flag$, 1, __ATOMIC_RELEASE);")
    c.put(c.workers[1], "read$ = __atomic_load_n(&flag$, __ATOMIC_ACQUIRE);")


@part("written_after")
def released(c, mutant):
    c.put(c.globals, "atomic_int done$;\nint payload$;")
    c.put(c.workers[0], "atomic_store(&done$, 1);\npayload$ = 1;" if mutant else "payload$ = 1;\natomic_store(&done$, 1);")
    c.put(c.workers[1], "if (atomic_load(&done$))\npayload$++;")


@part("address_given")
def thread_local(c, mutant):
    c.put(c.globals, "__thread int own$;\nint *leak$;\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    c.both("own$++;")
    if mutant:
        c.put(c.workers[0], "pthread_mutex_lock(&m$);\nleak$ = &own$;\npthread_mutex_unlock(&m$);\nown$ = 7;")
        c.put(c.workers[1], "pthread_mutex_lock(&m$);\nint *l$ = leak$;\npthread_mutex_unlock(&m$);\nif (l$)\n*l$ = 3;")


# --- ways to name memory ---

@part("same_field", "wrong_lock")
def fields(c, mutant):
    c.put(c.globals, "struct pair$ {\nint a;\nint b;\n} pair$;\npthread_mutex_t ma$ = PTHREAD_MUTEX_INITIALIZER;\npthread_mutex_t mb$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.workers[0], "pthread_mutex_lock(&ma$);\npair$.a++;\npthread_mutex_unlock(&ma$);")
    field = "a" if mutant == "same_field" else "b"
    c.put(c.workers[1], f"pthread_mutex_lock(&mb$);\npair$.{field}++;\npthread_mutex_unlock(&mb$);")
    if mutant == "wrong_lock":
        c.put(c.during, "pthread_mutex_lock(&ma$);\npair$.b = 1;\npthread_mutex_unlock(&ma$);")


@part("neighbours")
def bits(c, mutant):
    c.put(c.globals, "struct flags$ {\nunsigned low : 4;\nunsigned high : 4;\n} flags$;\npthread_mutex_t ma$ = PTHREAD_MUTEX_INITIALIZER;\npthread_mutex_t mb$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.workers[0], "pthread_mutex_lock(&ma$);\nflags$.low = 1;\npthread_mutex_unlock(&ma$);")
    lock = "mb$" if mutant else "ma$"
    c.put(c.workers[1], f"pthread_mutex_lock(&{lock});\nflags$.high = 1;\npthread_mutex_unlock(&{lock});")


@part("overlap")
def elements(c, mutant):
    c.put(c.globals, "int parts$[4];")
    c.put(c.workers[0], "for (int i = 0; i < 2; i++)\nparts$[i] = i;")
    c.put(c.workers[1], f"for (int i = {1 if mutant else 2}; i < 4; i++)\nparts$[i] = i;")


@part("last")
def back_from_end(c, mutant):
    c.put(c.globals, "struct row$ {\nint cells[4];\nint last;\n};\nstruct row$ row$;\nint count$ = 4;")
    c.put(c.workers[0], "int *end$ = &row$.cells[count$];\nend$[-1] = 1;")
    c.put(c.workers[1], "row$.cells[3] = 2;" if mutant else "row$.last = 2;")


@part("other_member")
def union_members(c, mutant):
    c.put(c.globals, "union any$ {\nint whole;\nshort half[2];\n} any$;\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.workers[0], "pthread_mutex_lock(&m$);\nany$.whole = 1;\npthread_mutex_unlock(&m$);")
    c.put(c.workers[1], "any$.half[1] = 2;" if mutant else "pthread_mutex_lock(&m$);\nany$.half[1] = 2;\npthread_mutex_unlock(&m$);")


@part("part_of_it")
def whole_structs(c, mutant):
    c.put(c.globals, "struct point$ {\nint x;\nint y;\n} here$, there$;\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.workers[0], "pthread_mutex_lock(&m$);\nhere$ = there$;\npthread_mutex_unlock(&m$);")
    c.put(c.workers[1], "there$.y = 1;" if mutant else "pthread_mutex_lock(&m$);\nhere$.y = 1;\npthread_mutex_unlock(&m$);")


@part("no_lock", "read_only_side")
def library_calls(c, mutant):
    c.put(c.globals, "char text$[4];\nunsigned long length$;\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    locked = "pthread_mutex_lock(&m$);\n{}\npthread_mutex_unlock(&m$);"
    write, read = 'memcpy(text$, "ab", 3);', "length$ = strlen(text$);"
    c.put(c.workers[0], write if mutant == "no_lock" else locked.format(write))
    c.put(c.workers[1], read if mutant == "read_only_side" else locked.format(read))


@part("filled")
def filled_block(c, mutant):
    c.put(c.globals, "char room$[4];\nchar copy$[4];\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.workers[0], "pthread_mutex_lock(&m$);\nmemset(room$, 1, sizeof room$);\npthread_mutex_unlock(&m$);")
    c.put(c.workers[1], "memcpy(copy$, room$, sizeof copy$);" if mutant else "pthread_mutex_lock(&m$);\nmemcpy(copy$, room$, sizeof copy$);\npthread_mutex_unlock(&m$);")


# --- calls ---

@part("unlocked", "direct")
def callbacks(c, mutant):
    c.put(c.globals, "int done$;\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.functions, "static void add$(int *to) {\n(*to)++;\n}\nstatic void (*table$[2])(int *) = {add$, add$};\n"
          "static void run$(void (*what)(int *), int *to) {\npthread_mutex_lock(&m$);\nwhat(to);\npthread_mutex_unlock(&m$);\n}")
    c.put(c.workers[0], "run$(table$[0], &done$);")
    c.put(c.workers[1], "table$[1](&done$);" if mutant == "unlocked" else "add$(&done$);" if mutant else "run$(table$[1], &done$);")


@part("unlocked")
def operations(c, mutant):
    c.put(c.globals, "struct device$ {\nvoid (*write)(struct device$ *);\nint state;\n};\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    inside = not mutant
    c.put(c.functions, "static void write$(struct device$ *d) {\n" + maybe(inside, "pthread_mutex_lock(&m$);") + "\nd->state++;\n" +
          maybe(inside, "pthread_mutex_unlock(&m$);") + "\n}\nstatic struct device$ device$ = {write$, 0};")
    c.both("device$.write(&device$);")


@part("index")
def pool(c, mutant):
    c.put(c.globals, "struct task$ {\nvoid (*run)(int *);\nint *data;\n};\nint next$;\nint sums$[2];\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.functions, "static void sum$(int *to) {\n*to = *to + 1;\n}\nstatic struct task$ tasks$[2] = {\n{sum$, &sums$[0]},\n" +
          f"{{sum$, &sums$[{0 if mutant else 1}]}}\n}};")
    c.both("pthread_mutex_lock(&m$);\nint t$ = next$++;\npthread_mutex_unlock(&m$);\nif (t$ < 2)\ntasks$[t$].run(tasks$[t$].data);")


@part("deeper")
def recursion(c, mutant):
    c.put(c.globals, "int depth$;\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.functions, "static void down$(int n) {\n" + maybe(not mutant, "if (n == 0)\npthread_mutex_lock(&m$);") + "\nif (n > 0)\ndown$(n - 1);\nelse\ndepth$++;\n" +
          maybe(not mutant, "if (n == 0)\npthread_mutex_unlock(&m$);") + "\n}")
    c.both("down$(1);")


# --- where an analysis may be led astray ---

@part("pointer_moves")
def lock_then_move(c, mutant):
    c.put(c.globals, "struct cell$ {\npthread_mutex_t lock;\nint value;\n};\nstruct cell$ cells$[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};")
    c.put(c.workers[0], "struct cell$ *p$ = &cells$[0];\npthread_mutex_t *l$ = &p$->lock;\npthread_mutex_lock(l$);\n" + maybe(mutant, "p$ = &cells$[1];") +
          "\np$->value++;\npthread_mutex_unlock(l$);")
    c.put(c.workers[1], "for (int i = 0; i < 2; i++) {\npthread_mutex_lock(&cells$[i].lock);\ncells$[i].value++;\npthread_mutex_unlock(&cells$[i].lock);\n}")


@part("other_instance")
def two_of_one_site(c, mutant):
    c.put(c.globals, "struct obj$ {\npthread_mutex_t lock;\nint value;\n};\nstruct obj$ *first$;\nstruct obj$ *second$;")
    c.put(c.functions, "static struct obj$ *make$(void) {\nstruct obj$ *o = malloc(sizeof *o);\npthread_mutex_init(&o->lock, 0);\no->value = 0;\nreturn o;\n}\n"
          "static void touch$(struct obj$ *guard, struct obj$ *o) {\npthread_mutex_lock(&guard->lock);\no->value++;\npthread_mutex_unlock(&guard->lock);\n}")
    c.put(c.before, "first$ = make$();\nsecond$ = make$();")
    c.put(c.workers[0], "touch$(first$, first$);")
    c.put(c.workers[1], "touch$(second$, first$);" if mutant else "touch$(first$, first$);")


@part("released_inside")
def unlock_by_pointer(c, mutant):
    c.put(c.globals, "pthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\npthread_mutex_t unused$ = PTHREAD_MUTEX_INITIALIZER;\nint inside$;")
    c.put(c.functions, "static void release$(pthread_mutex_t *l) {\npthread_mutex_unlock(l);\n}")
    c.put(c.workers[0], "pthread_mutex_lock(&m$);\n" + maybe(mutant, "release$(&m$);") + "\ninside$++;\n" + maybe(not mutant, "release$(&m$);"))
    c.put(c.workers[1], "pthread_mutex_lock(&m$);\ninside$++;\nrelease$(&m$);")


@part("callback_unlocks")
def callback_under_lock(c, mutant):
    c.put(c.globals, "pthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\nint under$;\nvoid (*hook$)(void);")
    c.put(c.functions, "static void quiet$(void) {\n}\nstatic void yields$(void) {\npthread_mutex_unlock(&m$);\n}")
    c.put(c.before, f"hook$ = {'yields$' if mutant else 'quiet$'};")
    c.both("pthread_mutex_lock(&m$);\nhook$();\nunder$++;\n" + maybe(not mutant, "pthread_mutex_unlock(&m$);"))


@part("other_mutex")
def wait_with_lock(c, mutant):
    c.put(c.globals, "pthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\npthread_cond_t cv$ = PTHREAD_COND_INITIALIZER;\nint go$;\nint half$;")
    c.put(c.functions, "static void await$(void) {\nwhile (!go$)\npthread_cond_wait(&cv$, &m$);\n}")
    c.put(c.workers[0], "pthread_mutex_lock(&m$);\nint *p$ = &half$;\nawait$();\n*p$ = 1;\npthread_mutex_unlock(&m$);")
    c.put(c.workers[1], ("half$ = 2;" if mutant else ";") + "\npthread_mutex_lock(&m$);\ngo$ = 1;\n" + maybe(not mutant, "half$ = 2;") +
          "\npthread_cond_broadcast(&cv$);\npthread_mutex_unlock(&m$);" + ("\nhalf$ = 3;" if mutant else ""))


@part("stored_badly")
def stored_result(c, mutant):
    c.put(c.globals, "pthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\nint stored$;")
    c.put(c.workers[0], "int r$ = pthread_mutex_trylock(&m$);\n" + ("int s$ = r$ != 0;" if mutant else "int s$ = r$ == 0;") +
          "\nif (s$)\nstored$++;\nif (r$ == 0)\npthread_mutex_unlock(&m$);")
    c.put(c.workers[1], "pthread_mutex_lock(&m$);\nstored$++;\npthread_mutex_unlock(&m$);")


@part("wrong_handle", "in_branch")
def joins_of_helpers(c, mutant):
    c.put(c.globals, "int left$;\nint skip$;")
    c.put(c.functions, "static void *helper$(void *a) {\nleft$++;\nreturn a;\n}\nstatic void *idle$(void *a) {\nreturn a;\n}")
    c.put(c.before, "pthread_t h$, i$;\npthread_create(&h$, 0, helper$, 0);\npthread_create(&i$, 0, idle$, 0);")
    join = {"wrong_handle": "pthread_join(i$, 0);", "in_branch": "if (skip$)\npthread_join(h$, 0);"}.get(mutant, "pthread_join(h$, 0);")
    c.put(c.during, f"{join}\nleft$ = 0;")


@part("overwritten")
def handle_in_loop(c, mutant):
    c.put(c.globals, "int looped$;")
    c.put(c.functions, "static void *step$(void *a) {\n" + "__atomic_fetch_add(&looped$, 1, __ATOMIC_SEQ_CST);\nreturn a;\n}")
    if mutant:
        c.put(c.during, "pthread_t l$;\nfor (int i = 0; i < 2; i++)\npthread_create(&l$, 0, step$, 0);\npthread_join(l$, 0);\nlooped$ = 0;")
    else:
        c.put(c.during, "pthread_t l$;\nfor (int i = 0; i < 2; i++) {\npthread_create(&l$, 0, step$, 0);\npthread_join(l$, 0);\n}\nlooped$ = 0;")


@part("between")
def written_between_creates(c, mutant):
    c.put(c.globals, "int between$;\nint kept$[2];")
    c.put(c.functions, "static void *reads$(void *a) {\nint *to = a;\n*to = between$;\nreturn 0;\n}")
    c.put(c.before, "between$ = 1;\npthread_t x$, y$;\npthread_create(&x$, 0, reads$, &kept$[0]);\n" + maybe(mutant, "between$ = 2;") +
          "\npthread_create(&y$, 0, reads$, &kept$[1]);\npthread_join(x$, 0);\npthread_join(y$, 0);\nbetween$ = 3;")


@part("same_block")
def block_per_thread(c, mutant):
    c.put(c.functions, "static void *uses$(void *a) {\nint *p = a;\n(*p)++;\nreturn a;\n}")
    if mutant:
        c.put(c.during, "pthread_t b$[2];\nint *one$ = malloc(sizeof *one$);\n*one$ = 0;\nfor (int i = 0; i < 2; i++)\npthread_create(&b$[i], 0, uses$, one$);")
    else:
        c.put(c.during, "pthread_t b$[2];\nfor (int i = 0; i < 2; i++) {\nint *one$ = malloc(sizeof *one$);\n*one$ = 0;\npthread_create(&b$[i], 0, uses$, one$);\n}")
    c.put(c.during, "for (int i = 0; i < 2; i++)\npthread_join(b$[i], 0);")


@part("kept_pointer")
def publication_by_copy(c, mutant):
    c.put(c.globals, "struct ref$ {\nint *to;\n};\nstruct ref$ shared$;\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.workers[0], "struct ref$ r$;\nr$.to = malloc(sizeof(int));\n*r$.to = 1;\npthread_mutex_lock(&m$);\nmemcpy(&shared$, &r$, sizeof r$);\npthread_mutex_unlock(&m$);" +
          ("\n*r$.to = 2;" if mutant else ""))
    c.put(c.workers[1], "pthread_mutex_lock(&m$);\nstruct ref$ o$ = shared$;\npthread_mutex_unlock(&m$);\nif (o$.to)\n(*o$.to)++;")


@part("through_member")
def container(c, mutant):
    c.put(c.globals, "struct outer$ {\nint number;\nint link;\n} outer$;\nint *link$ = &outer$.link;\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    reach = "((struct outer$ *)((char *)link$ - offsetof(struct outer$, link)))->number++;"
    c.put(c.workers[0], reach if mutant else f"pthread_mutex_lock(&m$);\n{reach}\npthread_mutex_unlock(&m$);")
    c.put(c.workers[1], "pthread_mutex_lock(&m$);\nouter$.number++;\npthread_mutex_unlock(&m$);")


@part("as_number")
def address_as_number(c, mutant):
    c.put(c.globals, "unsigned long number$;\nint target$;\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.before, "number$ = (unsigned long)&target$;")
    use = "*(int *)number$ = 1;"
    c.put(c.workers[0], use if mutant else f"pthread_mutex_lock(&m$);\n{use}\npthread_mutex_unlock(&m$);")
    c.put(c.workers[1], "pthread_mutex_lock(&m$);\ntarget$++;\npthread_mutex_unlock(&m$);")


@part("one_path")
def early_return(c, mutant):
    c.put(c.globals, "pthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\nint state$;\nint error$;")
    c.put(c.functions, "static int check$(void) {\npthread_mutex_lock(&m$);\nif (error$) {\n" + "pthread_mutex_unlock(&m$);\nreturn 1;\n}\n" +
          maybe(mutant, "pthread_mutex_unlock(&m$);") + "\nreturn 0;\n}")
    c.both("if (!check$()) {\nstate$++;\n" + maybe(not mutant, "pthread_mutex_unlock(&m$);") + "\n}")


@part("second_turn")
def lock_in_loop(c, mutant):
    c.put(c.globals, "pthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;\nint turns$;")
    c.put(c.workers[0], ("pthread_mutex_lock(&m$);\nfor (int i = 0; i < 2; i++) {\nturns$++;\nif (i == 0)\npthread_mutex_unlock(&m$);\n}" if mutant else
                         "for (int i = 0; i < 2; i++) {\npthread_mutex_lock(&m$);\nturns$++;\npthread_mutex_unlock(&m$);\n}"))
    c.put(c.workers[1], "pthread_mutex_lock(&m$);\nturns$++;\npthread_mutex_unlock(&m$);")


@part("not_exclusive")
def two_kinds_of_lock(c, mutant):
    c.put(c.globals, "pthread_rwlock_t rw$ = PTHREAD_RWLOCK_INITIALIZER;\npthread_spinlock_t spin$;\nint mixed$;")
    c.put(c.before, "pthread_spin_init(&spin$, 0);")
    spin = "pthread_spin_lock(&spin$);\n{}\npthread_spin_unlock(&spin$);"
    c.put(c.workers[0], "pthread_rwlock_rdlock(&rw$);\n" + ("mixed$++;" if mutant else spin.format("mixed$++;")) + "\npthread_rwlock_unlock(&rw$);")
    c.put(c.workers[1], "pthread_rwlock_rdlock(&rw$);\n" + spin.format("mixed$++;") + "\npthread_rwlock_unlock(&rw$);")


@part("sorted_by")
def sorted_by_callback(c, mutant):
    c.put(c.globals, "int compared$;\nint list$[2] = {2, 1};\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.functions, "static int compare$(const void *a, const void *b) {\ncompared$++;\nreturn *(const int *)a - *(const int *)b;\n}")
    sort = "qsort(list$, 2, sizeof *list$, compare$);"
    c.put(c.workers[0], sort if mutant else f"pthread_mutex_lock(&m$);\n{sort}\npthread_mutex_unlock(&m$);")
    c.put(c.workers[1], "pthread_mutex_lock(&m$);\ncompared$++;\npthread_mutex_unlock(&m$);")


@part("before_join")
def result_by_join(c, mutant):
    c.put(c.globals, "int *early$;")
    c.put(c.functions, "static void *gives$(void *a) {\nint *r = malloc(sizeof *r);\n" + maybe(mutant, "__atomic_store_n(&early$, r, __ATOMIC_SEQ_CST);") +
          "\n*r = 1;\nreturn r;\n}")
    c.put(c.before, "pthread_t r$;\nvoid *given$ = 0;\npthread_create(&r$, 0, gives$, 0);")
    c.put(c.during, maybe(mutant, "int *e$ = __atomic_load_n(&early$, __ATOMIC_SEQ_CST);\nif (e$)\n(*e$)++;"))
    c.put(c.during, "pthread_join(r$, &given$);\n(*(int *)given$)++;\nfree(given$);")


@part("in_handler")
def ends_by_exit(c, mutant):
    c.put(c.globals, "int closing$;\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.functions, "static void at_end$(void) {\n" + ("closing$++;" if mutant else "pthread_mutex_lock(&m$);\nclosing$++;\npthread_mutex_unlock(&m$);") + "\n}")
    c.put(c.before, "atexit(at_end$);")
    c.put(c.workers[0], "pthread_mutex_lock(&m$);\nclosing$++;\npthread_mutex_unlock(&m$);")
    c.keep_join = False


@part("worker_exits", "main_ends")
def routine_of_main(c, mutant):
    """Only main ends the process: what runs at exit is in its thread."""
    c.put(c.globals, "int saved$;\nint other$[2];")
    c.put(c.functions, "static void save$(void) {\nsaved$++;\n}")
    c.put(c.before, "atexit(save$);")
    c.put(c.workers[0], "other$[0]++;\n" + maybe(mutant == "worker_exits", "exit(1);"))
    c.put(c.workers[1], "other$[1]++;")
    c.put(c.during, "saved$ = 2;\n" + maybe(mutant == "main_ends", "pthread_exit(0);"))
    c.keep_join = False


@part("no_lock")
def key_destructor(c, mutant):
    c.put(c.globals, "pthread_key_t key$;\nint destroyed$;\npthread_mutex_t m$ = PTHREAD_MUTEX_INITIALIZER;")
    c.put(c.functions, "static void destroy$(void *a) {\n(void)a;\n" + ("destroyed$++;" if mutant else "pthread_mutex_lock(&m$);\ndestroyed$++;\npthread_mutex_unlock(&m$);") + "\n}")
    c.put(c.before, "pthread_key_create(&key$, destroy$);")
    c.both("pthread_setspecific(key$, &key$);")


# --- programs ---

HEAD = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stddef.h>\n#include <stdlib.h>\n#include <string.h>"
# Ways to create and join the two workers: declarations, creation, joins.
STARTS = [
    ("pthread_t t0, t1;", "pthread_create(&t0, 0, worker0, 0);\npthread_create(&t1, 0, worker1, 0);", "pthread_join(t0, 0);\npthread_join(t1, 0);"),
    ("pthread_t t[2];", "pthread_create(&t[0], 0, worker0, 0);\npthread_create(&t[1], 0, worker1, 0);", "for (int i = 0; i < 2; i++)\npthread_join(t[i], 0);"),
    ("pthread_t t[2];\nvoid *(*routines[2])(void *) = {worker0, worker1};", "for (int i = 0; i < 2; i++)\npthread_create(&t[i], 0, routines[i], 0);",
     "for (int i = 0; i < 2; i++)\npthread_join(t[i], 0);"),
    ("struct { pthread_t a, b; } h;", "start(&h.a, worker0);\nstart(&h.b, worker1);", "pthread_join(h.b, 0);\npthread_join(h.a, 0);"),
]
STARTER = "static void start(pthread_t *t, void *(*routine)(void *)) {\npthread_create(t, 0, routine, 0);\n}"


def choose(seed):
    """The parts of the program of a seed, as (name, mutant or None), and how it starts its threads."""
    dice = random.Random(seed)
    names = dice.sample(list(PARTS), dice.choice([1, 1, 2, 2, 3]))
    parts = [(name, None) for name in names]
    if dice.random() < 0.5:
        at = dice.randrange(len(parts))
        parts[at] = (names[at], dice.choice(MUTANTS[names[at]]))
    return parts, dice.randrange(len(STARTS))


def make(parts, start, seed):
    """The program of the parts, as text."""
    codes = []
    for n, (name, mutant) in enumerate(parts):
        code = Code(n, random.Random(f"{seed} {name}"))
        PARTS[name](code, mutant)
        codes.append(code)
    declare, create, join = STARTS[start]
    lines = HEAD.split("\n") + [line for c in codes for line in c.globals] + [line for c in codes for line in c.functions]
    for i in range(2):
        lines += [f"void *worker{i}(void *argument) {{"] + [line for c in codes for line in c.workers[i]] + ["return argument;", "}"]
    lines += STARTER.split("\n") if "start(" in create else []
    lines += ["int main(void) {"] + declare.split("\n") + [line for c in codes for line in c.before] + create.split("\n")
    lines += [line for c in codes for line in c.during]
    lines += join.split("\n") if all(c.keep_join for c in codes) else []
    lines += [line for c in codes for line in c.after] + ["return 0;", "}"]
    return "\n".join(line for line in lines if line != ";") + "\n"


def main(words):
    seed = int(words[0])
    parts, start = choose(seed)
    if words[1:]:
        parts = [tuple((word.split(":") + [None])[:2]) for word in words[1:]]
    sys.stdout.write(make(parts, start, seed))


if __name__ == "__main__":
    main(sys.argv[1:])
