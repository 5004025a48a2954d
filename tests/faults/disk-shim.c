/*
 * A disk that can fail, for tests: preloaded into a process, it intercepts the file operations in one folder.
 *
 * A second folder, the shadow, contains only synced data: each fsync copies the bytes that were written since the
 * previous one. After a kill -9 the folder has all writes that the operating system received, and the shadow has the
 * data that remain after a power cut.
 *
 * The first word of a control file selects a failure:
 *   fsync   every fsync fails with EIO, and a later fsync does not sync the same data either, as on Linux
 *   full    every write fails with ENOSPC
 * A second word limits the failure to files whose name has this suffix. With any other word, or without the file, there
 * is no failure.
 *
 * Files with the suffix -shm are not intercepted: SQLite rebuilds them and never syncs them.
 *
 * Environment: TOLLGATE_TEST_DISK_FOLDER, TOLLGATE_TEST_DISK_SHADOW, TOLLGATE_TEST_DISK_CONTROL, absolute paths.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FDS_MAX = 4096, FILES_MAX = 64, RANGES_MAX = 1024 };

struct range {
  off_t start, end;
};

/* A file of the folder, by its path. The record remains after a close, because any descriptor may sync the file. */
struct file {
  char path[PATH_MAX];
  char shadow[PATH_MAX];
  struct range dirty[RANGES_MAX];
  int dirty_count;
  int is_resized;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file files[FILES_MAX];
static int file_count;
static struct file *file_of_fd[FDS_MAX];

/* Finds the next definition of `name`, which is that of the C library. */
#define REAL(result, name, ...)                                    \
  static result (*real)(__VA_ARGS__);                              \
  if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static void abort_with(const char *reason) {
  fprintf(stderr, "disk shim: %s: %s\n", reason, strerror(errno));
  abort();
}

static int ends_with(const char *text, const char *suffix) {
  size_t length = strlen(text), suffix_length = strlen(suffix);
  return length >= suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

static int must_fail(const char *failure, const char *path) {
  const char *control = getenv("TOLLGATE_TEST_DISK_CONTROL");
  FILE *file = control ? fopen(control, "re") : NULL;
  if (!file) return 0;
  char word[16] = "", suffix[64] = "";
  int count = fscanf(file, "%15s %63s", word, suffix);
  fclose(file);
  return count > 0 && strcmp(word, failure) == 0 && ends_with(path, suffix);
}

/* The record of the file at `path`, new or existing; NULL if the shim does not intercept the file. */
static struct file *file_at(const char *path) {
  const char *folder = getenv("TOLLGATE_TEST_DISK_FOLDER"), *shadow = getenv("TOLLGATE_TEST_DISK_SHADOW");
  if (!folder || !shadow) return NULL;
  size_t length = strlen(folder);
  if (strncmp(path, folder, length) != 0 || path[length] != '/' || ends_with(path, "-shm")) return NULL;
  for (int index = 0; index < file_count; index++) {
    if (strcmp(files[index].path, path) == 0) return &files[index];
  }
  if (file_count == FILES_MAX) abort_with("too many files");
  struct file *file = &files[file_count++];
  snprintf(file->path, sizeof file->path, "%s", path);
  if (snprintf(file->shadow, sizeof file->shadow, "%s%s", shadow, path + length) >= (int)sizeof file->shadow) {
    abort_with("a path is too long");
  }
  return file;
}

static struct file *file_of(int fd) { return fd >= 0 && fd < FDS_MAX ? file_of_fd[fd] : NULL; }

static void register_descriptor(int fd, const char *path) {
  if (fd < 0 || fd >= FDS_MAX) return;
  pthread_mutex_lock(&lock);
  file_of_fd[fd] = file_at(path);
  pthread_mutex_unlock(&lock);
}

static void mark_dirty(struct file *file, off_t start, off_t end) {
  struct range *last = file->dirty_count ? &file->dirty[file->dirty_count - 1] : NULL;
  if (last && start <= last->end && end >= last->start) {
    if (start < last->start) last->start = start;
    if (end > last->end) last->end = end;
    return;
  }
  /* All ranges are in use: they are merged into one from the lowest start to the highest end. */
  if (file->dirty_count == RANGES_MAX) {
    for (int index = 1; index < file->dirty_count; index++) {
      if (file->dirty[index].start < file->dirty[0].start) file->dirty[0].start = file->dirty[index].start;
      if (file->dirty[index].end > file->dirty[0].end) file->dirty[0].end = file->dirty[index].end;
    }
    file->dirty_count = 1;
    mark_dirty(file, start, end);
    return;
  }
  file->dirty[file->dirty_count++] = (struct range){start, end};
}

static void clear_dirty(struct file *file) {
  file->dirty_count = 0;
  file->is_resized = 0;
}

/* Copies the dirty ranges to the shadow after a successful fsync. */
static void copy_to_shadow(int fd, struct file *file) {
  static char buffer[1 << 16];
  /* Reads through the same descriptor: closing another one would release the process's locks on the file. */
  int to = openat(AT_FDCWD, file->shadow, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  struct stat now;
  if (to < 0 || fstat(fd, &now) != 0) abort_with(file->shadow);
  /* The previous file of this descriptor may have been closed by a system call, which the shim does not intercept. */
  if (to < FDS_MAX) file_of_fd[to] = NULL;
  if (file->is_resized && ftruncate(to, now.st_size) != 0) abort_with(file->shadow);
  for (int index = 0; index < file->dirty_count; index++) {
    off_t position = file->dirty[index].start;
    while (position < file->dirty[index].end) {
      size_t left = file->dirty[index].end - position;
      ssize_t count = pread(fd, buffer, left < sizeof buffer ? left : sizeof buffer, position);
      if (count < 0) abort_with(file->path);
      if (count == 0) break;
      if (pwrite(to, buffer, count, position) != count) abort_with(file->shadow);
      position += count;
    }
  }
  close(to);
  clear_dirty(file);
}

static int sync_file(int fd, int (*real)(int)) {
  struct file *file = file_of(fd);
  if (!file) return real(fd);
  pthread_mutex_lock(&lock);
  int result = -1;
  if (must_fail("fsync", file->path)) {
    clear_dirty(file);
    errno = EIO;
  } else if ((result = real(fd)) == 0) {
    copy_to_shadow(fd, file);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int fsync(int fd) {
  REAL(int, fsync, int);
  return sync_file(fd, real);
}

int fdatasync(int fd) {
  REAL(int, fdatasync, int);
  return sync_file(fd, real);
}

static ssize_t write_file(int fd, const void *bytes, size_t count, off_t position,
                          ssize_t (*real)(int, const void *, size_t, off_t)) {
  struct file *file = file_of(fd);
  if (!file) return real(fd, bytes, count, position);
  if (must_fail("full", file->path)) {
    errno = ENOSPC;
    return -1;
  }
  pthread_mutex_lock(&lock);
  ssize_t written = real(fd, bytes, count, position);
  if (written > 0) mark_dirty(file, position, position + written);
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t position) {
  REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
  return write_file(fd, bytes, count, position, real);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t position) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off_t);
  return write_file(fd, bytes, count, position, real);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(ssize_t, write, int, const void *, size_t);
  if (!file_of(fd)) return real(fd, bytes, count);
  /* A write at the current position or at the end is a pwrite at that position, because descriptors are not shared. */
  int from = fcntl(fd, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR;
  ssize_t written = pwrite(fd, bytes, count, lseek(fd, 0, from));
  if (written > 0) lseek(fd, written, SEEK_CUR);
  return written;
}

static int resize_file(int fd, off_t size, int (*real)(int, off_t)) {
  struct file *file = file_of(fd);
  if (!file) return real(fd, size);
  pthread_mutex_lock(&lock);
  int result = real(fd, size);
  if (result == 0) file->is_resized = 1;
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate(int fd, off_t size) {
  REAL(int, ftruncate, int, off_t);
  return resize_file(fd, size, real);
}

int ftruncate64(int fd, off_t size) {
  REAL(int, ftruncate64, int, off_t);
  return resize_file(fd, size, real);
}

/* The argument `mode` is present only if the flags may create a file. */
#define OPEN(name)                                   \
  int name(const char *path, int flags, ...) {       \
    REAL(int, name, const char *, int, ...);         \
    va_list rest;                                    \
    va_start(rest, flags);                           \
    mode_t mode = va_arg(rest, mode_t);              \
    va_end(rest);                                    \
    int fd = real(path, flags, mode);                \
    register_descriptor(fd, path);                   \
    return fd;                                       \
  }

OPEN(open)
OPEN(open64)

int close(int fd) {
  REAL(int, close, int);
  if (fd >= 0 && fd < FDS_MAX) file_of_fd[fd] = NULL;
  return real(fd);
}

int unlink(const char *path) {
  REAL(int, unlink, const char *);
  int result = real(path);
  if (result != 0) return result;
  pthread_mutex_lock(&lock);
  struct file *file = file_at(path);
  if (file) {
    clear_dirty(file);
    real(file->shadow);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
