/* Five dining philosophers that eat ROUNDS times each: philosophers.c, step by step.
 * A step is one shared access (a lock operation is one) and the local operations that follow it. Threads wait for
 * their status to become RUNNING, as created threads do, and set it to FINISHED for the join. */
#ifndef ROUNDS
#define ROUNDS 4
#endif
#define SEATS 5
#define RUNNING 1
#define FINISHED 2
#define FIRST (_pid < SEATS - 1 -> _pid : 0)
#define SECOND (_pid < SEATS - 1 -> _pid + 1 : _pid)

byte status[SEATS];
byte forks[SEATS]; /* 0, or the owner's number plus one */
byte user[SEATS];

active [SEATS] proctype philosopher() {
  byte round;
  (status[_pid] == RUNNING);
again:
  atomic { forks[FIRST] == 0 -> forks[FIRST] = _pid + 1 };
  atomic { forks[SECOND] == 0 -> forks[SECOND] = _pid + 1 };
  user[FIRST] = _pid;
  assert(user[FIRST] == _pid);
  forks[SECOND] = 0;
  atomic {
    forks[FIRST] = 0;
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
  byte i;
create:
  atomic {
    status[i] = RUNNING;
    i++;
    if
    :: i < SEATS -> goto create
    :: else -> i = 0
    fi
  };
join:
  atomic {
    (status[i] == FINISHED);
    i++;
    if
    :: i < SEATS -> goto join
    :: else
    fi
  };
end:
  false
}
