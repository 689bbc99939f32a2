// Message passing: a thread that sees the flag sees the message.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int message, flag;

void *sender(void *arg) {
  message = 1;
  flag = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sender, 0);
  int seen_flag = flag, seen_message = message;
  if (seen_flag && !seen_message)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
