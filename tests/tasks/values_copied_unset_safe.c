// A struct is copied, and a block moved by realloc, with parts that were not set yet. Copying them is no reason to ask
// what they hold: all that is looked at was set before.
#include <pthread.h>
#include <stdlib.h>

struct item {
  int kind, weight;
  struct item *next;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct item *items;
int count, room;

static void add(int kind) {
  struct item fresh;
  fresh.kind = kind;
  pthread_mutex_lock(&lock);
  if (count == room) {
    room = room + 2;
    items = realloc(items, room * sizeof *items);
  }
  items[count] = fresh; // weight and next are not set
  items[count].next = 0;
  count++;
  pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
  add(1);
  add(2);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  add(3);
  pthread_join(thread, 0);
  for (int i = 0; i < count; i++)
    if (items[i].kind == 9 || items[i].next) count = 0;
  return 0;
}
