/* Lamport's bakery for three threads, each of which enters ROUNDS times: bakery.c, step by step.
 * A step is one shared access and the local operations that follow it. Threads wait for their status to become
 * RUNNING, as created threads do, and set it to FINISHED for the join. Locals are reset where they die. */
#ifndef ROUNDS
#define ROUNDS 4
#endif
#define THREADS 3
#define RUNNING 1
#define FINISHED 2

byte status[THREADS];
byte choosing[THREADS], number[THREADS], inside;

active [THREADS] proctype worker() {
  byte round, mine, theirs, i;
  (status[_pid] == RUNNING);
again:
  choosing[_pid] = 1;
choose:
  atomic {
    theirs = number[i];
    if
    :: theirs > mine -> mine = theirs
    :: else
    fi;
    theirs = 0;
    i++;
    if
    :: i < THREADS -> goto choose
    :: else -> i = 0; mine++
    fi
  };
  number[_pid] = mine;
  atomic {
    choosing[_pid] = 0;
    if
    :: i == _pid -> i++
    :: else
    fi
  };
wait:
  if
  :: choosing[i] == 0
  :: else -> goto wait
  fi;
compare:
  atomic {
    theirs = number[i];
    if
    :: theirs != 0 && (theirs < mine || (theirs == mine && i < _pid)) -> theirs = 0; goto compare
    :: else -> theirs = 0
    fi;
    i++;
    if
    :: i == _pid -> i++
    :: else
    fi;
    if
    :: i < THREADS -> goto wait
    :: else -> i = 0; mine = 0
    fi
  };
  inside = _pid;
  assert(inside == _pid);
  atomic {
    number[_pid] = 0;
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
    :: i < THREADS -> goto create
    :: else -> i = 0
    fi
  };
join:
  atomic {
    (status[i] == FINISHED);
    i++;
    if
    :: i < THREADS -> goto join
    :: else
    fi
  };
end:
  false
}
