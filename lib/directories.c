// Directories. A stream is a heap block with the entry that readdir returned last, so that threads which read different
// directories access different memory. Entries have any name and any number; a directory may have any number of them.
//
// Not modelled: scandir, ftw, nftw, glob (they call back, or allocate any number of blocks).
#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE
#include "descriptors.h"
#include "results.h"
#include "text.h"

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>

struct stream {
  int descriptor;
  struct dirent64 entry;
};

static DIR *opened(int descriptor) {
  if (descriptor < 0) return NULL;
  struct stream *stream = __heddle_allocate_own(sizeof *stream);
  stream->descriptor = descriptor;
  return (DIR *)stream;
}

DIR *opendir(const char *path) {
  __heddle_read_string(path, SIZE_MAX);
  return opened(__heddle_descriptor_open());
}

DIR *fdopendir(int descriptor) { return __heddle_fresh_bool() ? opened(descriptor) : or_null(NULL); }

int closedir(DIR *directory) {
  struct stream *stream = (struct stream *)directory;
  int descriptor = stream->descriptor;
  __heddle_free_own(stream);
  return __heddle_descriptor_close(descriptor);
}

int dirfd(DIR *directory) { return ((struct stream *)directory)->descriptor; }
void rewinddir(DIR *directory) {}
long telldir(DIR *directory) { return at_least(0); }
void seekdir(DIR *directory, long position) {}

// The entry is the user's to read: filling it is an ordinary access.
static void fill_entry(void *entry, size_t before, char *name, size_t room) {
  __heddle_any_bytes(entry, before);
  any_text(name, room);
}

struct dirent *readdir(DIR *directory) {
  struct dirent *entry = (struct dirent *)&((struct stream *)directory)->entry;
  if (__heddle_fresh_bool()) return or_null(NULL);
  fill_entry(entry, offsetof(struct dirent, d_name), entry->d_name, sizeof entry->d_name);
  return entry;
}

struct dirent64 *readdir64(DIR *directory) {
  struct dirent64 *entry = &((struct stream *)directory)->entry;
  if (__heddle_fresh_bool()) return or_null(NULL);
  fill_entry(entry, offsetof(struct dirent64, d_name), entry->d_name, sizeof entry->d_name);
  return entry;
}

static void HEDDLE_PLAIN(store_entry)(struct dirent **to, struct dirent *entry) { *to = entry; }

int readdir_r(DIR *directory, struct dirent *entry, struct dirent **result) {
  if (__heddle_fresh_bool()) {
    HEDDLE_PLAIN(store_entry)(result, NULL);
    return any_in(0, LARGEST_ERROR);
  }
  fill_entry(entry, offsetof(struct dirent, d_name), entry->d_name, sizeof entry->d_name);
  HEDDLE_PLAIN(store_entry)(result, entry);
  return 0;
}

static int HEDDLE_PLAIN(compare)(const unsigned char *one, const unsigned char *other) {
  while (*one != 0 && *one == *other) one++, other++;
  return *one - *other;
}

int alphasort(const struct dirent **one, const struct dirent **other) {
  return HEDDLE_PLAIN(compare)((const unsigned char *)(*one)->d_name, (const unsigned char *)(*other)->d_name);
}

int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) {
  __heddle_unmodelled("scandir");
}
int ftw(const char *path, int (*visit)(const char *, const void *, int), int most) { __heddle_unmodelled("ftw"); }
int nftw(const char *path, int (*visit)(const char *, const void *, int, void *), int most, int flags) {
  __heddle_unmodelled("nftw");
}
int glob(const char *pattern, int flags, int (*failed)(const char *, int), void *result) {
  __heddle_unmodelled("glob");
}
