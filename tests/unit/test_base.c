#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bitset.h"
#include "base/budget.h"
#include "base/file.h"
#include "base/log.h"
#include "base/map.h"
#include "base/printable.h"
#include "base/sorted.h"
#include "base/text.h"
#include "base/vector.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// --- memory ---

static void account_counts(void **state) {
  (void)state;
  Account account = {.room = "test"};
  char *block = memory_allocate(&account, 100);
  assert_int_equal(account.bytes, 100);
  block = memory_resize(&account, block, 100, 250);
  assert_int_equal(account.bytes, 250);
  block = memory_resize(&account, block, 250, 50);
  assert_int_equal(account.bytes, 50);
  assert_int_equal(account.peak, 250);
  char *zeroed = memory_allocate_zeroed(&account, 64);
  for (unsigned i = 0; i < 64; i++) assert_int_equal(zeroed[i], 0);
  memory_free(&account, zeroed, 64);
  memory_free(&account, block, 50);
  assert_int_equal(account.bytes, 0);
  assert_null(memory_allocate(&account, 0));
  memory_free(NULL, memory_allocate(NULL, 10), 10);
}

// Runs `body` in a child whose standard error goes nowhere, and gives its exit status.
static int status_of_child(void (*body)(Account *account), Account *account) {
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    body(account);
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void take_two_kilobytes(Account *account) {
  void *first = memory_allocate(account, 1024);
  memory_free(account, memory_allocate_zeroed(account, 1024), 1024);
  memory_free(account, first, 1024);
}

static void limit_ends_the_process(void **state) {
  (void)state;
  Account enough = {.room = "test", .limit = 2048}, too_little = {.room = "test", .limit = 2047};
  assert_int_equal(status_of_child(take_two_kilobytes, &enough), 0);
  assert_int_equal(status_of_child(take_two_kilobytes, &too_little), EXIT_OUT_OF_MEMORY);
}

// --- arena ---

static void arena_blocks(void **state) {
  (void)state;
  Account account = {.room = "test"};
  Arena arena;
  arena_init(&arena, &account);
  arena_rollback(&arena, arena_mark(&arena));
  char *first = arena_string(&arena, "first");
  ArenaMark mark = arena_mark(&arena);
  size_t before = account.bytes;
  for (unsigned i = 1; i < 300; i++) {
    unsigned char *block = arena_allocate(&arena, i * 37);
    assert_int_equal((uintptr_t)block % _Alignof(max_align_t), 0);
    memset(block, (int)i, i * 37);
  }
  assert_true(account.bytes > before);
  uint64_t *zeroed = arena_allocate_zeroed(&arena, 80);
  for (unsigned i = 0; i < 10; i++) assert_int_equal(zeroed[i], 0);
  assert_string_equal(arena_format(&arena, "%s-%d", "x", 42), "x-42");
  char *wide = arena_format(&arena, "%300d|", 7);
  assert_int_equal(strlen(wide), 301);
  assert_int_equal(wide[299], '7');
  int numbers[3] = {1, 2, 3};
  int *copy = arena_copy(&arena, numbers, sizeof numbers);
  assert_memory_equal(copy, numbers, sizeof numbers);
  arena_rollback(&arena, mark);
  assert_int_equal(account.bytes, before);
  assert_string_equal(first, "first");
  char *again = arena_allocate(&arena, 1), *next = arena_allocate(&arena, 1);
  assert_ptr_not_equal(again, first);
  assert_ptr_not_equal(again, next);
  arena_free(&arena);
  assert_int_equal(account.bytes, 0);
}

// --- vector ---

static void vector_grows(void **state) {
  (void)state;
  Account account = {.room = "test"};
  U32Vector v;
  U32Vector_init(&v, &account);
  assert_true(U32Vector_empty(&v));
  for (uint32_t i = 0; i < 1000; i++) assert_int_equal(*U32Vector_push(&v, i * 3), i * 3);
  for (uint32_t i = 0; i < 1000; i++) assert_int_equal(*U32Vector_at(&v, i), i * 3);
  assert_int_equal(*U32Vector_last(&v), 2997);
  assert_int_equal(U32Vector_pop(&v), 2997);
  assert_int_equal(v.count, 999);
  U32Vector_resize(&v, 10);
  U32Vector_resize(&v, 12);
  assert_int_equal(v.data[9], 27);
  assert_int_equal(v.data[10], 0);
  assert_int_equal(v.data[11], 0);
  U32Vector_clear(&v);
  assert_int_equal(v.count, 0);
  assert_true(account.bytes > 0);
  U32Vector_free(&v);
  assert_int_equal(account.bytes, 0);
}

// --- map and interner ---

static void map_holds_everything(void **state) {
  (void)state;
  Account account = {.room = "test"};
  Map map;
  map_init(&map, &account);
  uint64_t value = 77;
  assert_false(map_get(&map, 0, &value));
  assert_int_equal(value, 77);
  for (uint64_t i = 0; i < 5000; i++) map_put(&map, i * i, i);
  map_put(&map, UINT64_MAX, 9); // no key is reserved
  assert_int_equal(map.count, 5001);
  for (uint64_t i = 0; i < 5000; i++) {
    assert_true(map_get(&map, i * i, &value));
    assert_int_equal(value, i);
  }
  assert_int_equal(map_get_or(&map, UINT64_MAX, 1), 9);
  assert_int_equal(map_get_or(&map, 3, 1), 1);
  assert_false(map_contains(&map, 2));
  map_put(&map, 4, 1000);
  assert_int_equal(map_get_or(&map, 4, 0), 1000);
  assert_int_equal(map.count, 5001);
  map_clear(&map);
  assert_int_equal(map.count, 0);
  assert_false(map_contains(&map, 4));
  map_free(&map);
  assert_int_equal(account.bytes, 0);
}

static void hashes_spread(void **state) {
  (void)state;
  // Each input bit flips about half of the output bits.
  for (unsigned bit = 0; bit < 64; bit++) {
    unsigned flipped = 0;
    for (uint64_t i = 0; i < 64; i++)
      flipped += (unsigned)__builtin_popcountll(hash_mix(i * 12345) ^ hash_mix(i * 12345 ^ UINT64_C(1) << bit));
    assert_in_range(flipped, 64 * 24, 64 * 40);
  }
  assert_int_equal(hash_bytes("heddle", 6), hash_bytes("heddle", 6));
  assert_int_not_equal(hash_bytes("heddle", 6), hash_bytes("heddlf", 6));
  assert_int_not_equal(hash_bytes("\0", 1), hash_bytes("\0\0", 2));
  assert_int_not_equal(hash_bytes("0123456789abcdef", 16), hash_bytes("89abcdef01234567", 16));
}

static void interner_shares(void **state) {
  (void)state;
  Account account = {.room = "test"};
  Interner interner;
  interner_init(&interner, &account);
  const char *hello = intern(&interner, "hello");
  char copy[] = "hello";
  for (unsigned i = 0; i < 1000; i++) intern_format(&interner, "name%u", i);
  assert_ptr_equal(intern(&interner, copy), hello);
  assert_ptr_equal(intern_format(&interner, "hel%s", "lo"), hello);
  assert_ptr_equal(intern_format(&interner, "name%d", 500), intern(&interner, "name500"));
  assert_int_equal(interner.count, 1001);
  const char *wide = intern_format(&interner, "%400d", 1);
  assert_int_equal(strlen(wide), 400);
  assert_ptr_equal(intern_format(&interner, "%400d", 1), wide);
  assert_ptr_not_equal(intern(&interner, ""), hello);
  interner_free(&interner);
  assert_int_equal(account.bytes, 0);
}

// --- sorted arrays ---

typedef struct Priced {
  int64_t price;
  char mark;
} Priced;
SORTED_FIND(find_priced, Priced, .price, int64_t);

static void sorted_arrays(void **state) {
  (void)state;
  static const uint32_t items[] = {2, 3, 3, 7, UINT32_MAX};
  enum { COUNT = sizeof items / sizeof *items };
  for (uint32_t key = 0; key < 10; key++)
    for (size_t count = 0; count <= COUNT; count++) { // by the definition
      size_t at = 0;
      while (at < count && items[at] < key) at++;
      assert_int_equal(sorted_find_u32(items, count, key), at);
      assert_int_equal(sorted_has_u32(items, count, key), at < count && items[at] == key);
    }
  assert_true(sorted_has_u32(items, COUNT, UINT32_MAX));
  assert_int_equal(sorted_find_u64(NULL, 0, 5), 0);
  static const Priced priced[] = {{-4, 'a'}, {0, 'b'}, {0, 'c'}, {9, 'd'}};
  assert_int_equal(find_priced(priced, 4, -5), 0);
  assert_int_equal(find_priced(priced, 4, 0), 1);
  assert_int_equal(find_priced(priced, 4, 1), 3);
  assert_int_equal(find_priced(priced, 4, 10), 4);
}

// --- bit sets ---

static size_t members(const Bitset *set) {
  size_t count = 0;
  for (size_t i = bitset_next(set, 0); i < set->bits; i = bitset_next(set, i + 1)) count++;
  return count;
}

static void bitset_operations(void **state) {
  (void)state;
  Account account = {.room = "test"};
  Bitset a, b;
  bitset_init(&a, 130, &account);
  bitset_init(&b, 130, &account);
  assert_true(bitset_empty(&a));
  assert_int_equal(bitset_next(&a, 0), 130);
  bitset_set(&a, 0), bitset_set(&a, 64), bitset_set(&a, 129);
  bitset_set(&b, 64);
  assert_int_equal(members(&a), 3);
  assert_int_equal(bitset_next(&a, 1), 64);
  assert_int_equal(bitset_next(&a, 65), 129);
  assert_int_equal(bitset_next(&a, 130), 130);
  assert_true(bitset_subset(&b, &a));
  assert_false(bitset_subset(&a, &b));
  assert_true(bitset_intersects(&a, &b));
  assert_false(bitset_union(&a, &b));
  bitset_set(&b, 70);
  assert_true(bitset_union(&a, &b));
  assert_true(bitset_get(&a, 70));
  assert_int_equal(members(&a), 4);
  bitset_reset(&a, 64), bitset_reset(&a, 70);
  assert_int_equal(members(&a), 2);
  assert_false(bitset_intersects(&a, &b));
  bitset_copy(&b, &a);
  assert_true(bitset_subset(&a, &b) && bitset_subset(&b, &a));
  bitset_reset(&b, 129);
  assert_false(bitset_subset(&a, &b));
  bitset_intersect(&a, &b);
  assert_int_equal(members(&a), 1);
  bitset_clear_all(&a);
  assert_true(bitset_empty(&a));
  bitset_free(&a), bitset_free(&b);
  assert_int_equal(account.bytes, 0);
}

// --- text ---

static void text_grows(void **state) {
  (void)state;
  Account account = {.room = "test"};
  Text text;
  text_init(&text, &account);
  assert_string_equal(text.data, "");
  text_add(&text, "ab");
  text_add_char(&text, 'c');
  text_add_bytes(&text, "defg", 2);
  text_format(&text, "-%d-", 12);
  assert_string_equal(text.data, "abcde-12-");
  text_pad(&text, 12);
  text_add(&text, "|\n");
  text_pad(&text, 3);
  text_add(&text, "|");
  text_pad(&text, 2);
  assert_string_equal(text.data, "abcde-12-   |\n   |");
  text_clear(&text);
  assert_string_equal(text.data, "");
  text_add_flat(&text, "a\n\tb c\n");
  assert_string_equal(text.data, "a  b c ");
  text_clear(&text);
  for (unsigned i = 0; i < 500; i++) text_format(&text, "%u,", i);
  assert_int_equal(text.length, 10 * 2 + 90 * 3 + 400 * 4);
  assert_int_equal(strlen(text.data), text.length);
  assert_string_equal(text.data + text.length - 8, "498,499,");
  text_free(&text);
  assert_int_equal(account.bytes, 0);
}

static void check_printable(const char *bytes, size_t count, unsigned keep, const char *expected) {
  Text text;
  text_init(&text, NULL);
  text_add_printable(&text, bytes, count, keep);
  assert_string_equal(text.data, expected);
  assert_true(utf8_is_valid(text.data));
  Text again;
  text_init(&again, NULL);
  text_add_printable(&again, text.data, text.length, keep);
  assert_string_equal(again.data, expected); // twice is as good as once
  text_free(&again);
  text_free(&text);
}

static void text_printable(void **state) {
  (void)state;
  static const struct {
    const char *bytes, *expected;
  } lines[] = {
      {"plain, \ttab \\", "plain, \ttab \\"},
      {"\033[2J\a\x7f", "\\x1b[2J\\x07\\x7f"},
      {"a\nresult: SAFE\r\n", "a\\nresult: SAFE\\x0d\\n"},
      {"gr\xc3\xb6\xc3\x9f"
       "e \xe2\x80\xa6 \xf0\x9f\x98\x80",
       "gr\xc3\xb6\xc3\x9f"
       "e \xe2\x80\xa6 \xf0\x9f\x98\x80"},
      {"\xff\xc3(\xe2\x80", "\\xff\\xc3(\\xe2\\x80"},                          // no UTF-8
      {"\xc0\xaf\xe0\x80\x8a", "\\xc0\\xaf\\xe0\\x80\\x8a"},                   // too long
      {"\xed\xa0\x80\xf4\x90\x80\x80", "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80"}, // surrogate, too large
      {"\xc2\x9b"
       "1m\xe2\x80\xae"
       "cod\xe2\x81\xa6",
       "\\u009b"
       "1m\\u202e"
       "cod\\u2066"}, // C1, override, isolate
      {"\xef\xbb\xbf\xe2\x80\xa8\xf3\xa0\x80\xa0", "\\ufeff\\u2028\\U000e0020"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    check_printable(lines[i].bytes, strlen(lines[i].bytes), PRINTABLE_LINE, lines[i].expected);
  check_printable("\0x", 2, PRINTABLE_LINE, "\\x00x");
  check_printable("a\r\nb\rc\n", 7, PRINTABLE_KEEP_LINES, "a\nb\\x0dc\n");
  check_printable(TONE_RED "x" TONE_NONE "\033[5m", 16, PRINTABLE_KEEP_TONES, TONE_RED "x" TONE_NONE "\\x1b[5m");
  check_printable(TONE_RED, 7, PRINTABLE_KEEP_LINES, "\\x1b[1;31m");
  check_printable(TONE_RED, 4, PRINTABLE_KEEP_TONES, "\\x1b[1;"); // cut off
}

static void text_lines(void **state) {
  (void)state;
  Text text;
  text_init(&text, NULL);
  text_line(&text, "%s: %d", "a\nb", 3);
  text_line(&text, "end \n");
  assert_string_equal(text.data, "a\\nb: 3\nend\n");
  text_free(&text);
}

static void text_files(void **state) {
  (void)state;
  char folder[] = "/tmp/heddle-test-XXXXXX";
  assert_non_null(mkdtemp(folder));
  Text text, back, path;
  text_init(&text, NULL), text_init(&back, NULL), text_init(&path, NULL);
  text_format(&path, "%s/file", folder);
  for (unsigned i = 0; i < 30000; i++) text_format(&text, "line %u\n", i);
  assert_int_equal(text_write_file(&text, path.data), 0);
  text_add(&back, "head ");
  assert_true(file_read(&back, path.data, FILE_MOST_DATA, NULL));
  assert_int_equal(back.length, text.length + 5);
  assert_string_equal(back.data + 5, text.data);
  // Overwritten as a whole, and nothing is left beside it.
  text_clear(&text), text_clear(&back);
  text_add(&text, "short");
  assert_int_equal(text_write_file(&text, path.data), 0);
  assert_true(file_read(&back, path.data, FILE_MOST_DATA, NULL));
  assert_string_equal(back.data, "short");
  assert_int_equal(unlink(path.data), 0);
  assert_false(file_read(&back, path.data, FILE_MOST_DATA, NULL));
  assert_false(file_read(&back, folder, FILE_MOST_DATA, NULL));
  assert_string_equal(back.data, "short");
  assert_int_equal(text_write_file(&text, folder), -1);
  assert_int_equal(text_write_file(&text, "/dev/null"), 0);
  struct stat status;
  assert_int_equal(stat("/dev/null", &status), 0);
  assert_true(S_ISCHR(status.st_mode));
  text_clear(&path);
  text_format(&path, "%s/absent/file", folder);
  assert_int_equal(text_write_file(&text, path.data), -1);
  assert_int_equal(errno, ENOENT);
  assert_int_equal(rmdir(folder), 0); // only an empty folder can be removed
  text_free(&text), text_free(&back), text_free(&path);
}

static void want_fault(const char *path, size_t most, const char *wanted) {
  Text text, error;
  text_init(&text, NULL), text_init(&error, NULL);
  text_add(&text, "before");
  assert_false(file_read(&text, path, most, &error));
  assert_string_equal(error.data, wanted);
  assert_string_equal(text.data, "before");
  text_free(&text), text_free(&error);
}

// Nothing is waited for, and nothing without an end is read.
static void file_kinds(void **state) {
  (void)state;
  char folder[] = "/tmp/heddle-test-XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/x", folder);
  want_fault(folder, 10, "Is a directory");
  want_fault(path, 10, "No such file or directory");
  want_fault("/dev/zero", 10, "a device, but only regular files are read");
  assert_int_equal(mkfifo(path, 0600), 0);
  want_fault(path, 10, "a pipe, but only regular files are read");
  assert_int_equal(unlink(path), 0);
  Text text;
  text_init(&text, NULL);
  assert_true(file_read(&text, "/dev/null", 10, NULL));
  assert_int_equal(text.length, 0);
  text_add(&text, "0123456789");
  assert_int_equal(text_write_file(&text, path), 0);
  want_fault(path, 9, "more than 9 bytes");
  assert_true(file_read(&text, path, 10, NULL));
  assert_string_equal(text.data, "01234567890123456789");
  want_fault("/proc/self/status", 9, "more than 9 bytes"); // its size is said to be 0
  text_free(&text);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(folder), 0);
}

static void want_target(const char *path, const char *wanted) {
  char *target = file_target(path);
  assert_non_null(target);
  assert_string_equal(target, wanted);
  free(target);
}

static void file_names(void **state) {
  (void)state;
  char folder[] = "/tmp/heddle-test-XXXXXX", link[64], next[64], end[64];
  assert_non_null(mkdtemp(folder));
  snprintf(link, sizeof link, "%s/link", folder);
  snprintf(next, sizeof next, "%s/next", folder);
  snprintf(end, sizeof end, "%s/end", folder);
  want_target(end, end);
  assert_int_equal(symlink("next", link), 0);
  want_target(link, next);
  assert_int_equal(symlink(end, next), 0);
  want_target(link, end);
  assert_int_equal(symlink("link", end), 0);
  assert_null(file_target(link)); // in a circle
  assert_int_equal(errno, ELOOP);
  assert_int_equal(unlink(link) | unlink(next) | unlink(end) | rmdir(folder), 0);
  static const char *const folders[][2] = {{"a", "."}, {"/a", "/"}, {"a/b", "a"}, {"/a/b", "/a"}, {"a/", "a"}};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    char *found = file_folder(folders[i][0]);
    assert_string_equal(found, folders[i][1]);
    free(found);
  }
  assert_string_equal(file_base("a/b"), "b");
  assert_string_equal(file_base("a/"), "");
}

// --- budget ---

static void budget_stops(void **state) {
  (void)state;
  Budget budget;
  budget_init(&budget, 0, NULL);
  for (unsigned i = 0; i < 1000; i++) assert_false(budget_exhausted(&budget, "loop"));
  assert_true(budget_left(&budget) > 1e9);
  budget.force_at = "there";
  assert_false(budget_exhausted(&budget, "here"));
  assert_true(budget_exhausted(&budget, "there"));
  assert_true(budget_exhausted(&budget, "here"));
  assert_int_equal(budget.reason, STOP_FORCED);

  volatile sig_atomic_t flag = 0;
  budget_init(&budget, 100, &flag);
  assert_true(budget_left(&budget) > 90 && budget_left(&budget) <= 100);
  assert_false(budget_exhausted(&budget, "loop"));
  flag = 1;
  assert_true(budget_exhausted(&budget, "loop"));
  flag = 0;
  assert_true(budget_exhausted(&budget, "loop"));
  assert_string_equal(stop_reason_text(budget.reason), "interrupted");

  budget_init(&budget, 0.02, NULL);
  double start = clock_now();
  while (!budget_exhausted(&budget, "loop")) assert_true(clock_now() - start < 5);
  assert_true(clock_now() - start >= 0.02);
  assert_string_equal(stop_reason_text(budget.reason), "out of time");
  assert_true(budget_left(&budget) == 0);
}

// --- log ---

typedef struct Capture {
  int saved;
  char path[32];
} Capture;

static void capture_begin(Capture *capture) {
  strcpy(capture->path, "/tmp/heddle-log-XXXXXX");
  int file = mkstemp(capture->path);
  assert_true(file >= 0);
  fflush(stderr);
  capture->saved = dup(STDERR_FILENO);
  dup2(file, STDERR_FILENO);
  close(file);
}

static void capture_end(Capture *capture, Text *text) {
  fflush(stderr);
  dup2(capture->saved, STDERR_FILENO);
  close(capture->saved);
  text_clear(text);
  assert_true(file_read(text, capture->path, FILE_MOST_DATA, NULL));
  unlink(capture->path);
}

static void say_everything(LogLevel level, bool terminal, Text *text) {
  Capture capture;
  capture_begin(&capture);
  Log log;
  log_init(&log, level);
  log.terminal = terminal;
  log_progress(&log, "at %d", 1);
  log_progress(&log, "at %d", 2); // too soon
  log_note(&log, "note %d", 3);
  log_detail(&log, "detail");
  log_error(&log, "error");
  log_progress_end(&log);
  capture_end(&capture, text);
}

static void log_levels(void **state) {
  (void)state;
  Text text;
  text_init(&text, NULL);
  say_everything(LOG_QUIET, false, &text);
  assert_string_equal(text.data, "heddle: error\n");
  say_everything(LOG_NORMAL, false, &text);
  assert_string_equal(text.data, "note 3\nheddle: error\n");
  say_everything(LOG_VERBOSE, false, &text);
  assert_string_equal(text.data, "at 1\nnote 3\ndetail\nheddle: error\n");
  say_everything(LOG_NORMAL, true, &text);
  assert_string_equal(text.data, "\r\033[Kat 1\r\033[Knote 3\nheddle: error\n");
  text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(account_counts),       cmocka_unit_test(limit_ends_the_process),
      cmocka_unit_test(arena_blocks),         cmocka_unit_test(vector_grows),
      cmocka_unit_test(map_holds_everything), cmocka_unit_test(hashes_spread),
      cmocka_unit_test(interner_shares),      cmocka_unit_test(sorted_arrays),
      cmocka_unit_test(bitset_operations),    cmocka_unit_test(text_grows),
      cmocka_unit_test(text_printable),       cmocka_unit_test(text_lines),
      cmocka_unit_test(text_files),           cmocka_unit_test(file_kinds),
      cmocka_unit_test(file_names),           cmocka_unit_test(budget_stops),
      cmocka_unit_test(log_levels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
