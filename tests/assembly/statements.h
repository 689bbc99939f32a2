// Statements of inline assembly, each as a function of two numbers and two words of memory, with up to four results.
// native.c runs them and prints a program that asserts what came out; Heddle then proves that program.
//
// Only what the processor's manual defines is a result: no flag that an instruction leaves undefined.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;

#define STATEMENT(name) static void name(u64 a, u64 b, u64 *m, u64 *r)
#define IN(type) (*(type *)m)
#define NAMED2(name, suffix) name##_##suffix
#define NAMED(name, suffix) NAMED2(name, suffix)

// For each size: the suffix of instructions, the type.
#ifdef __x86_64__
#define SIZES(X) X(b, u8) X(w, u16) X(l, u32) X(q, u64)
#define WIDE_SIZES(X) X(w, u16) X(l, u32) X(q, u64)
#define WORD u64
#else
#define SIZES(X) X(b, u8) X(w, u16) X(l, u32)
#define WIDE_SIZES(X) X(w, u16) X(l, u32)
#define WORD u32
#endif

// --- exchanges ---

#define X(s, T)                                                                                                        \
  STATEMENT(NAMED(exchange, s)) {                                                                                      \
    T v = (T)a;                                                                                                        \
    __asm__ volatile("xchg" #s " %0, %1" : "+q"(v), "+m"(IN(T)) : : "memory");                                         \
    r[0] = v;                                                                                                          \
  }                                                                                                                    \
  STATEMENT(NAMED(exchange_tied, s)) {                                                                                 \
    T v;                                                                                                               \
    __asm__ volatile("xchg" #s " %1, %0" : "=q"(v) : "m"(IN(T)), "0"((T)a) : "memory");                                \
    r[0] = v;                                                                                                          \
  }                                                                                                                    \
  STATEMENT(NAMED(exchange_add, s)) {                                                                                  \
    T v = (T)a;                                                                                                        \
    u8 zero, sign, carry, overflow;                                                                                    \
    __asm__ volatile("lock; xadd" #s " %0, %1; setz %2; sets %3; setc %4; seto %5"                                     \
                     : "+q"(v), "+m"(IN(T)), "=&q"(zero), "=m"(sign), "=m"(carry), "=m"(overflow)                      \
                     :                                                                                                 \
                     : "memory", "cc");                                                                                \
    r[0] = v;                                                                                                          \
    r[1] = zero | sign << 1 | carry << 2 | overflow << 3;                                                              \
  }                                                                                                                    \
  STATEMENT(NAMED(compare_exchange, s)) {                                                                              \
    T v = (T)a;                                                                                                        \
    u8 done;                                                                                                           \
    __asm__ volatile("lock ; cmpxchg" #s " %3, %1\n\tsete %2"                                                          \
                     : "+a"(v), "+m"(IN(T)), "=m"(done)                                                                \
                     : "q"((T)b)                                                                                       \
                     : "memory", "cc");                                                                                \
    r[0] = v;                                                                                                          \
    r[1] = done;                                                                                                       \
  }                                                                                                                    \
  STATEMENT(NAMED(compare_exchange_flag, s)) {                                                                         \
    T v = (T)a;                                                                                                        \
    int equal, below, less;                                                                                            \
    __asm__ volatile("lock cmpxchg" #s " %[to], %[at]"                                                                 \
                     : [at] "+m"(IN(T)), "=@ccz"(equal), "=@ccb"(below), "=@ccl"(less), "+a"(v)                        \
                     : [to] "q"((T)b)                                                                                  \
                     : "memory", "cc");                                                                                \
    r[0] = v;                                                                                                          \
    r[1] = (u64)equal | (u64)below << 1 | (u64)less << 2;                                                              \
  }                                                                                                                    \
  STATEMENT(NAMED(compare_exchange_result_in_accumulator, s)) {                                                        \
    u8 done;                                                                                                           \
    __asm__ volatile("lock; cmpxchg" #s " %3, %1; sete %0;"                                                            \
                     : "=a"(done), "=m"(IN(T))                                                                         \
                     : "a"((T)a), "q"((T)b), "m"(IN(T))                                                                \
                     : "memory");                                                                                      \
    r[0] = done;                                                                                                       \
  }
SIZES(X)
#undef X

#ifdef __x86_64__
STATEMENT(compare_exchange_16) {
  u64 low = a, high = b;
  u8 done;
  __asm__ volatile("lock cmpxchg16b %0; setz %1"
                   : "+m"(*(unsigned __int128 *)m), "=q"(done), "+a"(low), "+d"(high)
                   : "b"(a + 1), "c"(b + 1)
                   : "memory", "cc");
  r[0] = done;
  r[1] = low;
  r[2] = high;
}
STATEMENT(compare_exchange_16_of_memory) { // the comparison is right, and the new value is read through a pointer
  u64 next[2] = {a, b};
  u64 low = m[0], high = m[1];
  u8 done;
  __asm__ volatile("movq 0(%4), %%rbx; movq 8(%4), %%rcx;"
                   "lock; cmpxchg16b %0; setz %1"
                   : "+m"(*m), "=m"(done), "+a"(low), "+d"(high)
                   : "r"(next)
                   : "memory", "cc", "rbx", "rcx");
  r[0] = done;
  r[1] = low;
  r[2] = high;
}
STATEMENT(load_16) {
  __asm__ volatile("movq %%rdx, %%rcx; movq %%rax, %%rbx; lock cmpxchg16b %2"
                   : "=a"(r[0]), "=d"(r[1])
                   : "m"(*m)
                   : "rbx", "rcx", "memory", "cc");
}
#endif
STATEMENT(compare_exchange_8) {
  u32 low = (u32)a, high = (u32)(a >> 32);
  u8 done;
  __asm__ volatile("lock; cmpxchg8b %0; setz %1"
                   : "+m"(*m), "=m"(done), "+a"(low), "+d"(high)
                   : "b"((u32)b), "c"((u32)(b >> 32))
                   : "memory", "cc");
  r[0] = done;
  r[1] = (u64)high << 32 | low;
}

// --- arithmetic ---

#define TWO(op, s, T)                                                                                                  \
  STATEMENT(NAMED(op, s)) {                                                                                            \
    u8 zero, sign, carry, overflow;                                                                                    \
    __asm__ volatile("lock; " #op #s " %4, %0; sete %1; sets %2; setb %3"                                              \
                     : "+m"(IN(T)), "=m"(zero), "=m"(sign), "=m"(carry)                                                \
                     : "q"((T)a)                                                                                       \
                     : "memory", "cc");                                                                                \
    T v = (T)b;                                                                                                        \
    __asm__ volatile(#op #s " %2, %0; seto %1" : "+q"(v), "=m"(overflow) : "q"((T)a) : "cc");                          \
    r[0] = zero | sign << 1 | carry << 2 | overflow << 3;                                                              \
    r[1] = v;                                                                                                          \
  }
#define ONE(op, s, T)                                                                                                  \
  STATEMENT(NAMED(op, s)) {                                                                                            \
    int zero, sign, overflow, parity;                                                                                  \
    __asm__ volatile("lock; " #op #s " %0"                                                                             \
                     : "+m"(IN(T)), "=@cce"(zero), "=@ccs"(sign), "=@cco"(overflow), "=@ccp"(parity)                   \
                     :                                                                                                 \
                     : "memory");                                                                                      \
    r[0] = (u64)zero | (u64)sign << 1 | (u64)overflow << 2 | (u64)parity << 3;                                         \
    T v = (T)a;                                                                                                        \
    __asm__(#op #s " %0" : "+q"(v) : : "cc");                                                                          \
    r[1] = v;                                                                                                          \
  }
#define X(s, T)                                                                                                        \
  TWO(add, s, T)                                                                                                       \
  TWO(sub, s, T)                                                                                                       \
  TWO(and, s, T)                                                                                                       \
  TWO(or, s, T)                                                                                                        \
  TWO(xor, s, T)                                                                                                       \
  ONE(inc, s, T)                                                                                                       \
  ONE(dec, s, T)                                                                                                       \
  ONE(neg, s, T)                                                                                                       \
  STATEMENT(NAMED(not, s)) {                                                                                           \
    __asm__ volatile("lock; not" #s " %0" : "+m"(IN(T)) : : "memory");                                                 \
    r[0] = 0;                                                                                                          \
  }                                                                                                                    \
  STATEMENT(NAMED(compare, s)) {                                                                                       \
    int e, l, le, g, be, ab;                                                                                           \
    __asm__("cmp" #s " %6, %7"                                                                                         \
            : "=@cce"(e), "=@ccl"(l), "=@ccle"(le), "=@ccg"(g), "=@ccbe"(be), "=@cca"(ab)                              \
            : "q"((T)b), "q"((T)a));                                                                                   \
    r[0] = (u64)e | (u64)l << 1 | (u64)le << 2 | (u64)g << 3 | (u64)be << 4 | (u64)ab << 5;                            \
    __asm__("test" #s " %3, %4" : "=@ccne"(e), "=@ccns"(l), "=@ccnp"(le) : "q"((T)b), "q"((T)a));                      \
    r[1] = (u64)e | (u64)l << 1 | (u64)le << 2;                                                                        \
  }                                                                                                                    \
  STATEMENT(NAMED(with_carry, s)) {                                                                                    \
    T low = (T)a, high = (T)m[0];                                                                                      \
    __asm__("add" #s " %2, %0; adc" #s " %3, %1" : "+&q"(low), "+&q"(high) : "m"(m[1]), "m"(m[0]) : "cc");             \
    r[0] = low;                                                                                                        \
    r[1] = high;                                                                                                       \
    low = (T)a;                                                                                                        \
    __asm__("sub" #s " %2, %0; sbb" #s " %2, %1" : "+&q"(low), "+&q"(high) : "m"(m[1]) : "cc");                        \
    r[2] = low;                                                                                                        \
    r[3] = high;                                                                                                       \
  }                                                                                                                    \
  STATEMENT(NAMED(shift, s)) {                                                                                         \
    T v = (T)a, w = (T)a, x = (T)a, y = (T)a, z = (T)a;                                                                \
    u8 c = (u8)b;                                                                                                      \
    __asm__("shl" #s " %%cl, %0" : "+q"(v) : "c"(c) : "cc");                                                           \
    __asm__("shr" #s " $3, %0" : "+q"(w) : : "cc");                                                                    \
    __asm__("sar" #s " %%cl, %0" : "+q"(x) : "c"(c) : "cc");                                                           \
    __asm__("rol" #s " %%cl, %0" : "+q"(y) : "c"(c) : "cc");                                                           \
    __asm__("ror" #s " $5, %0" : "+q"(z) : : "cc");                                                                    \
    r[0] = (u64)v ^ (u64)w << 1;                                                                                       \
    r[1] = x;                                                                                                          \
    r[2] = y;                                                                                                          \
    r[3] = z;                                                                                                          \
  }                                                                                                                    \
  STATEMENT(NAMED(shift_carry, s)) {                                                                                   \
    T v = (T)a, w = (T)a, x = (T)b, y = (T)b;                                                                          \
    u8 c[4];                                                                                                           \
    __asm__("shl" #s " %0; setc %1" : "+q"(v), "=m"(c[0]) : : "cc");                                                   \
    __asm__("shr" #s " $2, %0; setc %1" : "+q"(w), "=m"(c[1]) : : "cc");                                               \
    __asm__("rol" #s " $3, %0; setc %1" : "+q"(x), "=m"(c[2]) : : "cc");                                               \
    __asm__("sar" #s " $4, %0; setz %1" : "+q"(y), "=m"(c[3]) : : "cc");                                               \
    r[0] = v;                                                                                                          \
    r[1] = w;                                                                                                          \
    r[2] = (u64)x << 4 | c[0] | c[1] << 1 | c[2] << 2 | c[3] << 3;                                                     \
    r[3] = y;                                                                                                          \
  }
SIZES(X)
#undef X

// --- bits ---

#define BIT(op, s, T)                                                                                                  \
  STATEMENT(NAMED(op, s)) {                                                                                            \
    u8 was;                                                                                                            \
    T at = (T)(b % 128), v = (T)a;                                                                                     \
    __asm__ volatile("lock; " #op #s " %2, %0; setc %1" : "+m"(IN(T)), "=m"(was) : "r"(at) : "memory", "cc");          \
    r[0] = was;                                                                                                        \
    __asm__ volatile(#op #s " %1, %0" : "+r"(v) : "r"((T)b) : "cc");                                                   \
    r[1] = v;                                                                                                          \
    __asm__ volatile(#op #s " %1, %0" : "+m"(m[1]) : "Ir"((T)9) : "cc");                                               \
  }
#define X(s, T)                                                                                                        \
  BIT(bts, s, T)                                                                                                       \
  BIT(btr, s, T)                                                                                                       \
  BIT(btc, s, T)                                                                                                       \
  STATEMENT(NAMED(bt, s)) {                                                                                            \
    u8 was;                                                                                                            \
    T all = 0;                                                                                                         \
    __asm__("bt" #s " %1,%2 ; setcb %b0" : "=q"(was) : "r"((T)(b % 128)), "m"(*m) : "cc");                             \
    r[0] = was;                                                                                                        \
    __asm__("bt" #s " %2, %1; sbb" #s " %0, %0" : "=&r"(all) : "r"((T)a), "r"((T)b) : "cc");                           \
    r[1] = all;                                                                                                        \
  }                                                                                                                    \
  STATEMENT(NAMED(scan, s)) {                                                                                          \
    T low = 77, high = 88, ones;                                                                                       \
    u8 none;                                                                                                           \
    __asm__("bsf" #s " %1, %0" : "+r"(low) : "rm"((T)a) : "cc");                                                       \
    __asm__("bsr" #s " %2, %0; setz %1" : "+r"(high), "=m"(none) : "r"((T)a) : "cc");                                  \
    __asm__("popcnt" #s " %1, %0" : "=r"(ones) : "r"((T)a) : "cc");                                                    \
    r[0] = low;                                                                                                        \
    r[1] = high;                                                                                                       \
    r[2] = none;                                                                                                       \
    r[3] = ones;                                                                                                       \
  }
WIDE_SIZES(X)
#undef X
STATEMENT(bit_before_the_word) {
  u8 was;
  __asm__ volatile("btsl %2, %0; setc %1"
                   : "+m"(*(u32 *)(m + 1)), "=m"(was)
                   : "r"(-(int)(b % 64) - 1)
                   : "memory", "cc");
  r[0] = was;
}

// --- moves ---

STATEMENT(swap_bytes) {
  u32 v = (u32)a;
  u16 w = (u16)b;
  WORD x = (WORD)a;
  __asm__("bswap %0" : "=r"(v) : "0"(v));
  __asm__("rorw $8, %w0" : "=r"(w) : "0"(w) : "cc");
  __asm__("bswap %0" : "+r"(x));
  r[0] = v;
  r[1] = w;
  r[2] = x;
}
STATEMENT(swap_halves) {
  u32 v = (u32)a;
  __asm__("xchgb %b0, %h0\n\trorl $16, %0\n\txchgb %b0, %h0" : "=Q"(v) : "0"(v) : "cc");
  r[0] = v;
}
STATEMENT(bytes_of_a_register) {
  u32 v = (u32)a;
  u8 high;
  __asm__("movb %h1, %0" : "=Q"(high) : "Q"(v));
  r[0] = high;
  __asm__("movb %b1, %h0; movw %w2, %w0" : "+&Q"(v) : "Q"((u32)b), "r"((u32)m[0]));
  r[1] = v;
}
STATEMENT(extend) {
  u32 v, w, x;
  __asm__("movzbl %1, %0" : "=r"(v) : "q"((u8)a));
  __asm__("movsbl %1, %0" : "=r"(w) : "m"(IN(u8)));
  __asm__("movswl %w1, %0" : "=r"(x) : "r"((u32)a));
  r[0] = v;
  r[1] = w;
  r[2] = x;
}
STATEMENT(move_memory) {
  u32 v;
  __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(IN(u32)) : "memory");
  r[0] = v;
  __asm__ volatile("movl %1, %0" : "=m"(*((u32 *)m + 1)) : "r"((u32)a) : "memory");
  __asm__ volatile("movl $0x1234, 4(%0)" : : "r"((u32 *)m + 1) : "memory");
  __asm__ volatile("movb $-7, (%0, %1, 2)" : : "r"(m), "r"((WORD)3) : "memory");
  __asm__ volatile("movw %w1, 4+%0" : "+m"(m[1]) : "r"((u32)b) : "memory");
  __asm__ volatile("leal 5(%1, %2, 4), %0" : "=r"(v) : "r"((WORD)a), "r"((WORD)b));
  r[1] = v;
}
STATEMENT(conditional_move) {
  u32 v = (u32)a, w = (u32)b;
  __asm__("cmpl %1, %0; cmovbl %1, %0" : "+&r"(v) : "r"((u32)b) : "cc");
  __asm__("testl %0, %0; cmovsl %1, %0" : "+&r"(w) : "r"((u32)a) : "cc");
  r[0] = v;
  r[1] = w;
}
STATEMENT(multiply) {
  WORD low = (WORD)a, high;
  u8 large;
#ifdef __x86_64__
  __asm__("mulq %3; setc %2" : "+a"(low), "=&d"(high), "=m"(large) : "r"((WORD)b) : "cc");
#else
  __asm__("mull %3; setc %2" : "+a"(low), "=&d"(high), "=m"(large) : "r"((WORD)b) : "cc");
#endif
  r[0] = low;
  r[1] = high;
  r[2] = large;
}
STATEMENT(stack) {
  WORD v = (WORD)a, w = (WORD)b;
  __asm__ volatile("push %0; push %1; pop %0; pop %1" : "+&r"(v), "+&r"(w));
  r[0] = v;
  r[1] = w;
}
STATEMENT(kept_register) { // changed and restored, so not declared
  WORD v = (WORD)a;
#ifdef __x86_64__
  __asm__ volatile("xchgq %%rbx, %0; addq $5, %%rbx; xchgq %%rbx, %0" : "+&a"(v) : : "cc");
#else
  __asm__ volatile("xchgl %%ebx, %0; addl $5, %%ebx; xchgl %%ebx, %0" : "+&a"(v) : : "cc");
#endif
  r[0] = v;
}
STATEMENT(fences) {
  __asm__ volatile("mfence" ::: "memory");
  __asm__ volatile("lfence; sfence" ::: "memory");
#ifdef __x86_64__
  __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
  __asm__ volatile("lock orq $0, -8(%%rsp)" ::: "memory", "cc");
#else
  __asm__ volatile("lock; addl $0,0(%%esp)" ::: "memory", "cc");
#endif
  __asm__ volatile("pause");
  __asm__ volatile("rep; nop" ::: "memory");
  __asm__ volatile("rep\n\tnop # wait\n\tnop" ::: "memory");
  __asm__ volatile("prefetcht0 %0" : : "m"(*m));
  __asm__ volatile("" : "+m"(*m));
  __asm__ volatile("" : "+r"(a));
  r[0] = a;
}

// --- strings ---

STATEMENT(fill) {
  WORD count, to;
  u32 words[5] = {1, 2, 3, 4, 5};
  __asm__ volatile("cld; rep; stosl" : "=c"(count), "=D"(to) : "a"(0), "0"(3), "1"(&words[1]) : "memory");
  r[0] = count;
  r[1] = to - (WORD)words;
  r[2] = (u64)words[0] + words[1] + words[2] + words[3] + words[4];
}
STATEMENT(copy) {
  WORD count, to, from;
  u32 words[4] = {0};
  __asm__ volatile("rep; movsl" : "=&c"(count), "=&D"(to), "=&S"(from) : "0"(3), "1"(words), "2"(m) : "memory");
  r[0] = count;
  r[1] = (to - (WORD)words) << 8 | (from - (WORD)m);
  r[2] = (u64)words[0] << 32 | words[1];
  r[3] = (u64)words[2] << 32 | words[3];
}

// --- jumps ---

STATEMENT(loop_of_additions) {
  u32 sum = 0, left = (u32)b % 5;
  __asm__ volatile("1: testl %1, %1\n\tje 2f\n\taddl %2, %0\n\tdecl %1\n\tjmp 1b\n2:"
                   : "+&r"(sum), "+&r"(left)
                   : "r"((u32)a)
                   : "cc");
  r[0] = sum;
  r[1] = left;
}
STATEMENT(larger) {
  u32 v;
  __asm__("movl %1, %0\n\tcmpl %2, %1\n\tjae 1f\n\tmovl %2, %0\n1:\n" : "=&r"(v) : "r"((u32)a), "r"((u32)b) : "cc");
  r[0] = v;
}
STATEMENT(ticket_lock) { // free: the ticket drawn is the one that is served
  u32 ticket = 0x100;
  IN(u16) = (u16)(a % 256 << 8 | a % 256);
  __asm__ volatile("lock; xaddw %w0, %1\n1:\n\tcmpb %h0, %b0\n\tje 2f\n\trep ; nop\n\tmovb %1, %b0\n\tjmp 1b\n2:"
                   : "+Q"(ticket), "+m"(IN(u16))
                   :
                   : "memory", "cc");
  r[0] = (u16)ticket;
}
STATEMENT(decrement_unless_zero) {
  u32 old, new;
  u8 done;
  __asm__ volatile("movl %1, %0\n"
                   "1:\ttestl %0, %0\n"
                   "\tje 2f\n"
                   "\tleal -1(%0), %2\n"
                   "\tlock; cmpxchgl %2, %1\n"
                   "\tjne 1b\n"
                   "2:\ttestl %0, %0\n"
                   "\tsetne %3"
                   : "=&a"(old), "+m"(IN(u32)), "=&r"(new), "=m"(done)
                   :
                   : "memory", "cc");
  r[0] = done;
  r[1] = old;
}
STATEMENT(lock_prefix_table) { // as kernels note the places of their lock prefixes
  __asm__ volatile(".section .smp_locks,\"a\"\n"
                   ".balign 4\n"
                   ".long 661f - .\n" /* the address */
                   ".previous\n"
                   "661:\n\tlock; incl %0"
                   : "+m"(IN(u32))
                   :
                   : "memory", "cc");
  r[0] = 0;
}
