#!/usr/bin/env python3
"""Programs that grow with a number n of threads or of stages:
  bench/growth-properties/programs.py FAMILY N
prints one. Only `philosophers_unordered` has a violation: a deadlock.
"""
import sys

ITEMS = 2  # that go through a pipeline
FAMILIES = {}
SIZES = {}
DEADLOCKS = {"philosophers_unordered"}


def family(*sizes):
    """Registers a function of n that returns a program's text; the sizes at which it is measured."""

    def register(function):
        FAMILIES[function.__name__] = function
        SIZES[function.__name__] = sizes
        return function

    return register


def created_and_joined(n, argument):
    """Statements of main that create n threads and wait for them."""
    return f"""  pthread_t threads[{n}];
  for (int i = 0; i < {n}; i++)
    pthread_create(&threads[i], NULL, work, {argument});
  for (int i = 0; i < {n}; i++)
    pthread_join(threads[i], NULL);"""


@family(2, 4, 8, 12, 16, 32, 63)
def one_lock(n):
    """n equal threads count under one lock."""
    return f"""pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *work(void *unused) {{
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return NULL;
}}

int main(void) {{
{created_and_joined(n, "NULL")}
  assert(count == {n});
  return 0;
}}
"""


@family(2, 4, 8, 12, 16, 32, 63)
def lock_per_object(n):
    """n threads, and n objects with a lock each: every thread changes the object that it is given."""
    return f"""struct object {{
  pthread_mutex_t lock;
  int value;
}} objects[{n}];

void *work(void *argument) {{
  struct object *object = argument;
  pthread_mutex_lock(&object->lock);
  object->value++;
  pthread_mutex_unlock(&object->lock);
  return NULL;
}}

int main(void) {{
  for (int i = 0; i < {n}; i++)
    pthread_mutex_init(&objects[i].lock, NULL);
{created_and_joined(n, "&objects[i]")}
  for (int i = 0; i < {n}; i++)
    assert(objects[i].value == 1);
  return 0;
}}
"""


def philosophers(n, first, second):
    return f"""pthread_mutex_t forks[{n}];
int meals[{n}];

void *work(void *argument) {{
  int i = (int)(long)argument;
  int left = i, right = (i + 1) % {n};
  pthread_mutex_lock(&forks[{first}]);
  pthread_mutex_lock(&forks[{second}]);
  meals[left]++;
  meals[right]++;
  pthread_mutex_unlock(&forks[{second}]);
  pthread_mutex_unlock(&forks[{first}]);
  return NULL;
}}

int main(void) {{
  for (int i = 0; i < {n}; i++)
    pthread_mutex_init(&forks[i], NULL);
{created_and_joined(n, "(void *)(long)i")}
  for (int i = 0; i < {n}; i++)
    assert(meals[i] == 2);
  return 0;
}}
"""


@family(3, 4, 5, 6, 8, 10, 12)
def philosophers_ordered(n):
    """n philosophers at a round table. Each takes the fork with the smaller number first."""
    return philosophers(n, "left < right ? left : right", "left < right ? right : left")


@family(3, 4, 5, 6, 8, 10, 12)
def philosophers_unordered(n):
    """The same, but each takes the left fork first: all may wait for their right forks."""
    return philosophers(n, "left", "right")


@family(2, 3, 4, 5, 6, 7, 8)
def pipeline(n):
    """Two items go through n stages. Each stage takes an item from a place for one, adds 1 and puts it into the next place; semaphores
    count the free places and the filled ones."""
    return f"""sem_t free_places[{n + 1}], filled_places[{n + 1}];
int places[{n + 1}];

void put(int place, int item) {{
  sem_wait(&free_places[place]);
  places[place] = item;
  sem_post(&filled_places[place]);
}}

int take(int place) {{
  sem_wait(&filled_places[place]);
  int item = places[place];
  sem_post(&free_places[place]);
  return item;
}}

void *work(void *argument) {{
  int stage = (int)(long)argument;
  for (int round = 0; round < {ITEMS}; round++)
    put(stage + 1, take(stage) + 1);
  return NULL;
}}

int main(void) {{
  for (int i = 0; i <= {n}; i++) {{
    sem_init(&free_places[i], 0, 1);
    sem_init(&filled_places[i], 0, 0);
  }}
  pthread_t threads[{n}];
  for (int i = 0; i < {n}; i++)
    pthread_create(&threads[i], NULL, work, (void *)(long)i);
  for (int round = 0; round < {ITEMS}; round++) {{
    put(0, 10 * round);
    int item = take({n});
    assert(item == 10 * round + {n});
  }}
  for (int i = 0; i < {n}; i++)
    pthread_join(threads[i], NULL);
  return 0;
}}
"""


@family(2, 3, 4, 5, 6, 7, 8)
def pipeline_conditions(n):
    """The same with a mutex and a condition variable for each place, and main puts both items before it takes the first."""
    return f"""struct place {{
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int items[{ITEMS}], put, taken;
}} places[{n + 1}];

void put(struct place *place, int item) {{
  pthread_mutex_lock(&place->lock);
  place->items[place->put++] = item;
  pthread_cond_signal(&place->changed);
  pthread_mutex_unlock(&place->lock);
}}

int take(struct place *place) {{
  pthread_mutex_lock(&place->lock);
  while (place->taken == place->put)
    pthread_cond_wait(&place->changed, &place->lock);
  int item = place->items[place->taken++];
  pthread_mutex_unlock(&place->lock);
  return item;
}}

void *work(void *argument) {{
  int stage = (int)(long)argument;
  for (int round = 0; round < {ITEMS}; round++)
    put(&places[stage + 1], take(&places[stage]) + 1);
  return NULL;
}}

int main(void) {{
  for (int i = 0; i <= {n}; i++) {{
    pthread_mutex_init(&places[i].lock, NULL);
    pthread_cond_init(&places[i].changed, NULL);
  }}
  pthread_t threads[{n}];
  for (int i = 0; i < {n}; i++)
    pthread_create(&threads[i], NULL, work, (void *)(long)i);
  for (int round = 0; round < {ITEMS}; round++)
    put(&places[0], 10 * round);
  for (int round = 0; round < {ITEMS}; round++) {{
    int item = take(&places[{n}]);
    assert(item == 10 * round + {n});
  }}
  for (int i = 0; i < {n}; i++)
    pthread_join(threads[i], NULL);
  return 0;
}}
"""


def program(name, n):
    """The C text of a family's program."""
    headers = ["assert.h", "pthread.h", "semaphore.h", "stddef.h"]
    return "".join(f"#include <{header}>\n" for header in headers) + "\n" + FAMILIES[name](n)


def expected(name, property_name):
    return "UNSAFE" if name in DEADLOCKS and property_name == "no-deadlock" else "SAFE"


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in FAMILIES or not sys.argv[2].isdigit() or int(sys.argv[2]) < 2:
        sys.exit(f"usage: {sys.argv[0]} FAMILY N, with N at least 2 and FAMILY one of {', '.join(FAMILIES)}")
    print(program(sys.argv[1], int(sys.argv[2])), end="")
