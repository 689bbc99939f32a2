// What the models keep in a pthread_attr_t.
#ifndef HEDDLE_LIB_THREAD_ATTRIBUTES_H
#define HEDDLE_LIB_THREAD_ATTRIBUTES_H

#include <pthread.h>
#include <stddef.h>

struct thread_attributes {
  int detach_state, scope, inherit, policy, priority;
  size_t stack_size, guard_size;
  void *stack;
};
_Static_assert(sizeof(struct thread_attributes) <= sizeof(pthread_attr_t), "fits into the opaque object");

#endif
