/* Peterson's mutual exclusion of two threads, each of which enters ROUNDS times: peterson.c, step by step.
 * A step is one shared access and the local operations that follow it. Threads wait for their status to become
 * RUNNING, as created threads do, and set it to FINISHED for the join. */
#ifndef ROUNDS
#define ROUNDS 250
#endif
#define RUNNING 1
#define FINISHED 2

byte status[2];
byte wants[2], turn, inside;

active [2] proctype worker() {
  byte round;
  (status[_pid] == RUNNING);
again:
  wants[_pid] = 1;
  turn = 1 - _pid;
wait:
  if
  :: wants[1 - _pid] == 0 -> goto critical
  :: else
  fi;
  if
  :: turn == _pid -> goto critical
  :: else -> goto wait
  fi;
critical:
  inside = _pid;
  assert(inside == _pid);
  atomic {
    wants[_pid] = 0;
    round++;
    if
    :: round < ROUNDS -> goto again
    :: else -> round = 0
    fi
  };
  status[_pid] = FINISHED;
end:
  false
}

active proctype main_thread() {
  status[0] = RUNNING;
  status[1] = RUNNING;
  (status[0] == FINISHED);
  (status[1] == FINISHED);
end:
  false
}
