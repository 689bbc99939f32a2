// Statements of arm64, with what the architecture's manual says of them: exclusive loops, instructions of LSE,
// barriers, a spin lock and a ticket lock between two threads. Compiled with --target=aarch64-linux-gnu; no headers are
// needed.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(x) ((x) ? (void)0 : __assert_fail(#x, "arm64.c", __LINE__, __func__))

// --- one thread: values ---

static u64 exchange(u64 *at, u64 value) {
  u64 old;
  u32 status;
  __asm__ volatile("1:\n\tldxr %0, [%2]\n\tstxr %w1, %3, [%2]\n\tcbnz %w1, 1b"
                   : "=&r"(old), "=&r"(status)
                   : "r"(at), "r"(value)
                   : "memory");
  return old;
}

static u8 compare_exchange_byte(u8 *at, u8 expected, u8 desired) {
  u32 old, status;
  __asm__ volatile("1:	ldaxrb %w0, [%2]\n"
                   "	cmp %w0, %w4\n"
                   "	b.ne 2f\n"
                   "	stlxrb %w1, %w3, [%2]\n"
                   "	cbnz %w1, 1b\n"
                   "2:"
                   : "=&r"(old), "=&r"(status)
                   : "r"(at), "r"((u32)desired), "r"((u32)expected)
                   : "memory", "cc");
  return (u8)old;
}

static int add_return(int by, int *at) {
  u32 status;
  int result;
  __asm__ volatile("	prfm pstl1strm, %2\n"
                   "1:	ldxr %w0, %2\n"
                   "	add %w0, %w0, %w3\n"
                   "	stlxr %w1, %w0, %2\n"
                   "	cbnz %w1, 1b\n"
                   "	dmb ish"
                   : "=&r"(result), "=&r"(status), "+Q"(*at)
                   : "Ir"(by)
                   : "memory");
  return result;
}

static int compare_exchange_pair(u64 at[2], u64 a, u64 b, u64 c, u64 d) {
  u64 x, y;
  __asm__ volatile("1:	ldxp %0, %1, [%2]\n"
                   "	eor %0, %0, %3\n"
                   "	eor %1, %1, %4\n"
                   "	orr %1, %0, %1\n"
                   "	mov %w0, #0\n"
                   "	cbnz %1, 2f\n"
                   "	stxp %w0, %5, %6, [%2]\n"
                   "	cbnz %w0, 1b\n"
                   "	mov %w0, #1\n"
                   "2:"
                   : "=&r"(x), "=&r"(y)
                   : "r"(at), "r"(a), "r"(b), "r"(c), "r"(d)
                   : "cc", "memory");
  return (int)x;
}

static void check_exclusives(void) {
  u64 word = 5, pair[2] = {1, 2};
  u8 byte = 7;
  int number = 40;
  assert(exchange(&word, 9) == 5 && word == 9);
  assert(compare_exchange_byte(&byte, 7, 8) == 7 && byte == 8);
  assert(compare_exchange_byte(&byte, 7, 9) == 8 && byte == 8);
  assert(add_return(2, &number) == 42 && number == 42);
  assert(add_return(-50, &number) == -8 && number == -8);
  assert(compare_exchange_pair(pair, 1, 2, 3, 4) == 1 && pair[0] == 3 && pair[1] == 4);
  assert(compare_exchange_pair(pair, 3, 5, 6, 7) == 0 && pair[0] == 3 && pair[1] == 4);
}

static void check_lse(void) {
  u64 word = 6, old, one = 1;
  u32 half = 0xfffffffe, h;
  u16 small = 0xff;
  __asm__ volatile("ldaddal %2, %0, [%1]" : "=&r"(old) : "r"(&word), "r"(one) : "memory");
  assert(old == 6 && word == 7);
  __asm__ volatile(".arch_extension lse\n\tldadd %w2, %w0, %1" : "=&r"(h), "+Q"(half) : "r"(3) : "memory");
  assert(h == 0xfffffffe && half == 1);
  __asm__ volatile("ldclrh %w2, %w0, %1" : "=&r"(h), "+Q"(small) : "r"(0xf0f) : "memory");
  assert(h == 0xff && small == 0xf0);
  __asm__ volatile("ldset %2, %0, %1" : "=&r"(old), "+Q"(word) : "r"(8ul) : "memory");
  assert(old == 7 && word == 15);
  __asm__ volatile("ldeora %2, %0, %1" : "=&r"(old), "+Q"(word) : "r"(1ul) : "memory");
  assert(old == 15 && word == 14);
  __asm__ volatile("swpal %2, %0, %1" : "=&r"(old), "+Q"(word) : "r"(3ul) : "memory");
  assert(old == 14 && word == 3);
  __asm__ volatile("mov x0, 1\n\tstadd x0, [%0]" : : "r"(&word) : "x0", "memory");
  assert(word == 4);
  old = 4;
  __asm__ volatile("casal %0, %2, %1" : "+&r"(old), "+Q"(word) : "r"(10ul) : "memory");
  assert(old == 4 && word == 10);
  __asm__ volatile("cas %0, %2, %1" : "+&r"(old), "+Q"(word) : "r"(11ul) : "memory");
  assert(old == 10 && word == 10);
}

static void check_values(void) {
  u64 v = 3, loaded;
  u32 w, borrow, less;
  u8 byte = 0x80;
  __asm__("mvn %0, %0" : "+r"(v));
  assert(v == ~3ul);
  __asm__("neg %w0, %w1" : "=r"(w) : "r"(5));
  assert(w == (u32)-5);
  __asm__("lsl %0, %1, #4\n\torr %0, %0, #1" : "=&r"(v) : "r"(2ul));
  assert(v == 33);
  __asm__("clz %w0, %w1" : "=r"(w) : "r"(1));
  assert(w == 31);
  __asm__("rbit %w0, %w1\n\tclz %w0, %w0" : "=&r"(w) : "r"(8));
  assert(w == 3);
  __asm__("rev %w0, %w1" : "=r"(w) : "r"(0x01020304));
  assert(w == 0x04030201);
  __asm__("cmp %w2, %w3\n\tcset %w0, lo\n\tcset %w1, lt" : "=&r"(borrow), "=&r"(less) : "r"(1), "r"(-1) : "cc");
  assert(borrow == 1 && less == 0);
  __asm__("subs wzr, %w2, %w3\n\tcset %w0, hs\n\tcsel %w1, %w2, %w3, gt"
          : "=&r"(borrow), "=&r"(less)
          : "r"(7), "r"(2)
          : "cc");
  assert(borrow == 1 && less == 7);
  __asm__ volatile("ldrb %w0, [%1]" : "=r"(v) : "r"(&byte) : "memory");
  assert(v == 0x80);
  __asm__ volatile("stlrb %w1, %0" : "=Q"(byte) : "rZ"(0) : "memory");
  assert(byte == 0);
  __asm__ volatile("str %2, [%1, #0]\n\tldar %0, [%1]" : "=&r"(v) : "r"(&loaded), "r"(77ul) : "memory");
  assert(v == 77 && loaded == 77);
}

// --- two threads ---

static u32 lock, tickets[2];
static int inside, spins, added;

static void spin_lock(u32 *at) {
  u32 tmp;
  __asm__ volatile("	sevl\n"
                   "1:	wfe\n"
                   "2:	ldaxr %w0, [%1]\n"
                   "	cbnz %w0, 1b\n"
                   "	stxr %w0, %w2, [%1]\n"
                   "	cbnz %w0, 2b"
                   : "=&r"(tmp)
                   : "r"(at), "r"(1)
                   : "memory");
}

static int spin_trylock(u32 *at) { // may fail without a reason
  u32 tmp;
  __asm__ volatile("ldaxr %w0, %1\n\tcbnz %w0, 1f\n\tstxr %w0, %w2, %1\n1:"
                   : "=&r"(tmp), "+Q"(*at)
                   : "r"(1)
                   : "memory");
  return tmp == 0;
}

static void spin_unlock(u32 *at) { __asm__ volatile("stlr wzr, [%0]" : : "r"(at) : "memory"); }

static void *worker(void *unused) {
  u64 old;
  spin_lock(&lock);
  inside++;
  spin_unlock(&lock);
  if (spin_trylock(&lock)) {
    spins++;
    spin_unlock(&lock);
  }
  __asm__ volatile("ldadd %w2, %w0, %1" : "=&r"(old), "+Q"(added) : "r"(1) : "memory");
  __asm__ volatile("dmb ishst\n\tdsb sy\n\tisb" : : "r"(0) : "memory");
  return 0;
}

int main(void) {
  pthread_t thread;
  check_exclusives();
  check_lse();
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
#ifdef NO_FAILURE
  assert(spins == 2); // each trylock may fail
#endif
  assert(inside == 2 && spins <= 2 && added == 2);
  check_values();
#ifdef ENDS
  assert(0);
#endif
  return 0;
}
