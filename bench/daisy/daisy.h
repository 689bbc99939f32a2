// A small file system in the manner of Daisy, the case study of "Symbolic Model Checking of Concurrent Programs using
// Partial Orders and On-the-fly Transactions" (Kahlon, Gupta, Sinha; CAV 2006), written from the description in its section 5.
//
// A file has an inode, which says in which block its data is. Access to each file, inode and block is guarded by a lock of
// its own; taking and giving back any of these locks is guarded in turn by the token. So a thread holds several locks at
// once, and functions return with locks that others give back.
//
// The disk reads and writes whole bytes. To reach a byte the head is moved there first (seek), then the byte is transferred.
// The allocation area has one bit for each block.
//
// Both races of the paper are here, and each can be switched off:
//   DISK_IS_GUARDED    a mutex makes seek and transfer one operation; without, the head may be moved in between
//   BYTES_ARE_GUARDED  a mutex makes reading and writing a byte of the allocation area one operation; without, two threads
//                      that allocate different blocks of the same byte may forget one of them: the locks are per block
//
// Each is a property of its own: HEAD_IS_CHECKED asserts in each transfer that the head is where it was put.
//
// As in the paper, everything is as small as it can be.
#ifndef DAISY_H
#define DAISY_H

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum {
  FILES = 2,
  INODES = 2,
  BLOCKS = 3,
  BITS_PER_BYTE = 8,
};

typedef unsigned char Byte;
typedef Byte Number; // of a file, inode, block, lock, or address on disk

// ---- the disk: allocation area, inodes, blocks

// On disk an inode is two bytes, and a block has one byte of data.
enum { INODE_SIZE, INODE_BLOCK, BYTES_PER_INODE };

enum {
  ALLOCATION_AREA = 0,
  INODE_AREA = ALLOCATION_AREA + (BLOCKS + BITS_PER_BYTE - 1) / BITS_PER_BYTE,
  BLOCK_AREA = INODE_AREA + INODES * BYTES_PER_INODE,
  DISK_BYTES = BLOCK_AREA + BLOCKS,
};

static Byte disk[DISK_BYTES];
static Number disk_head; // where it stands
static pthread_mutex_t disk_mutex = PTHREAD_MUTEX_INITIALIZER;

static void disk_begin(void) {
#ifdef DISK_IS_GUARDED
  pthread_mutex_lock(&disk_mutex);
#endif
}

static void disk_end(void) {
#ifdef DISK_IS_GUARDED
  pthread_mutex_unlock(&disk_mutex);
#endif
}

static void disk_seek(Number address) { disk_head = address; }

// No other thread moved it.
static void check_head(Number address) {
#ifdef HEAD_IS_CHECKED
  assert(disk_head == address);
#else
  (void)address;
#endif
}

static Byte disk_read(Number address) {
  disk_begin();
  disk_seek(address);
  check_head(address);
  Byte value = disk[disk_head];
  disk_end();
  return value;
}

static void disk_write(Number address, Byte value) {
  disk_begin();
  disk_seek(address);
  check_head(address);
  disk[disk_head] = value;
  disk_end();
}

// ---- locks of files, inodes and blocks

enum { FILE_LOCKS = 0, INODE_LOCKS = FILE_LOCKS + FILES, BLOCK_LOCKS = INODE_LOCKS + INODES, LOCKS = BLOCK_LOCKS + BLOCKS };

static pthread_mutex_t token = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t lock_released = PTHREAD_COND_INITIALIZER;
static bool lock_taken[LOCKS];

// A thread that waits for a lock gives the token back meanwhile, so no thread waits for ever for the token.
static void lock_acquire(Number lock) {
  pthread_mutex_lock(&token);
  while (lock_taken[lock]) pthread_cond_wait(&lock_released, &token);
  lock_taken[lock] = true;
  pthread_mutex_unlock(&token);
}

static void lock_release(Number lock) {
  pthread_mutex_lock(&token);
  lock_taken[lock] = false;
  pthread_cond_broadcast(&lock_released);
  pthread_mutex_unlock(&token);
}

// ---- the allocation area

static pthread_mutex_t allocation_mutex = PTHREAD_MUTEX_INITIALIZER;

static void allocation_begin(void) {
#ifdef BYTES_ARE_GUARDED
  pthread_mutex_lock(&allocation_mutex);
#endif
}

static void allocation_end(void) {
#ifdef BYTES_ARE_GUARDED
  pthread_mutex_unlock(&allocation_mutex);
#endif
}

static Number allocation_byte(Number block) { return ALLOCATION_AREA + block / BITS_PER_BYTE; }
static Byte allocation_bit(Number block) { return (Byte)(1 << block % BITS_PER_BYTE); }

static void set_allocated(Number block) {
  allocation_begin();
  Byte bits = disk_read(allocation_byte(block));
  disk_write(allocation_byte(block), bits | allocation_bit(block));
  allocation_end();
}

// Returns with the block's lock.
static void allocate_block(Number block) {
  lock_acquire(BLOCK_LOCKS + block);
  set_allocated(block);
}

// ---- inodes

static Number inode_address(Number inode, Number field) { return INODE_AREA + inode * BYTES_PER_INODE + field; }

// Gives the file an inode, of which there is one for each file, and returns with its lock.
static Number allocate_inode(Number file, Number block) {
  Number inode = file;
  lock_acquire(INODE_LOCKS + inode);
  disk_write(inode_address(inode, INODE_BLOCK), block);
  return inode;
}

// ---- files

// A new file with its data in the given block, which is free.
static void file_create(Number file, Number block) {
  lock_acquire(FILE_LOCKS + file);
  allocate_block(block);
  Number inode = allocate_inode(file, block);
  lock_release(INODE_LOCKS + inode);
  lock_release(BLOCK_LOCKS + block);
  lock_release(FILE_LOCKS + file);
}

static void file_write(Number file, Byte data) {
  Number inode = file;
  lock_acquire(FILE_LOCKS + file);
  lock_acquire(INODE_LOCKS + inode);
  Number block = disk_read(inode_address(inode, INODE_BLOCK));
  lock_acquire(BLOCK_LOCKS + block);
  disk_write(BLOCK_AREA + block, data);
  lock_release(BLOCK_LOCKS + block);
  disk_write(inode_address(inode, INODE_SIZE), 1);
  lock_release(INODE_LOCKS + inode);
  lock_release(FILE_LOCKS + file);
}

static Byte file_read(Number file) {
  Number inode = file;
  lock_acquire(FILE_LOCKS + file);
  lock_acquire(INODE_LOCKS + inode);
  Number block = disk_read(inode_address(inode, INODE_BLOCK));
  lock_acquire(BLOCK_LOCKS + block);
  Byte data = disk_read(BLOCK_AREA + block);
  lock_release(BLOCK_LOCKS + block);
  lock_release(INODE_LOCKS + inode);
  lock_release(FILE_LOCKS + file);
  return data;
}

#endif
