// Schedules: what a program was lowered with, and its steps.
#include "fuzz/parsers/target.h"

#include "cli/run/lowering.h"
#include "verdict/schedule.h"

// main with an edge, and its thread with another.
static Program *two_threads(void) {
  Program *program = program_new(64, NULL);
  Position nowhere = {0};
  ThreadId main_thread = program_add_thread(program, "main", NO_ID, 0, nowhere);
  ThreadId worker = program_add_thread(program, "worker", main_thread, 0, nowhere);
  Step step = step_plain(program, (Position){.line = 7});
  for (ThreadId thread = main_thread; thread <= worker; thread++) {
    LocationId from = program_add_location(program, thread, nowhere);
    program_add_edge(program, from, program_add_location(program, thread, nowhere), &step);
  }
  program->fingerprint = UINT64_C(0x0123456789abcdef);
  return program;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text text, error;
  target_text(data, size, &text);
  text_init(&error, NULL);
  LoweringSettings lowering;
  Launch launch;
  launch_init(&launch);
  bool good = lowering_read_json(text.data, &lowering, &launch, &error);
  target_judge(good, &error);
  if (good) lowering_free(&lowering);
  launch_free(&launch);
  text_clear(&error);
  Program *program = two_threads();
  Schedule *schedule = schedule_read_json(text.data, program, &error, NULL);
  target_judge(schedule, &error);
  if (schedule) schedule_label_threads(schedule, program);
  schedule_free(schedule);
  program_free(program);
  text_free(&error);
  text_free(&text);
  return 0;
}
