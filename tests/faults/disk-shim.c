/*
 * A disk that can fail, for tests: preloaded into a process, it stands between that process and one folder.
 *
 * It keeps a second folder, the shadow, that holds only what was really synced: an fsync copies there what was written
 * since the last one. After a kill -9 the folder shows what the operating system still knows, and the shadow what a
 * power cut would have left. What was written but not synced is the difference between the two.
 *
 * A control file tells it to fail:
 *   fsync   every fsync fails with EIO, and what it should have saved is lost to later ones too, as on Linux
 *   full    every write fails with ENOSPC
 * A second word limits the failure to the files whose name ends so. Anything else, or no file, lets everything pass.
 *
 * Files whose name ends in -shm are left alone: SQLite rebuilds them and never syncs them.
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

/* A file of the folder, by its path; it outlives its descriptors, because any of them may sync it. */
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

/* The next definition of `name`, which is the C library's. */
#define REAL(result, name, ...)                                    \
  static result (*real)(__VA_ARGS__);                              \
  if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static void give_up(const char *why) {
  fprintf(stderr, "disk shim: %s: %s\n", why, strerror(errno));
  abort();
}

static int ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static int is_told_to(const char *failure, const char *path) {
  const char *control = getenv("TOLLGATE_TEST_DISK_CONTROL");
  FILE *told = control ? fopen(control, "re") : NULL;
  if (!told) return 0;
  char word[16] = "", end[64] = "";
  int count = fscanf(told, "%15s %63s", word, end);
  fclose(told);
  return count > 0 && strcmp(word, failure) == 0 && ends_with(path, end);
}

/* The file at `path`, new or known, if it is one that the shim looks after. */
static struct file *file_at(const char *path) {
  const char *folder = getenv("TOLLGATE_TEST_DISK_FOLDER"), *shadow = getenv("TOLLGATE_TEST_DISK_SHADOW");
  if (!folder || !shadow) return NULL;
  size_t length = strlen(folder);
  if (strncmp(path, folder, length) != 0 || path[length] != '/' || ends_with(path, "-shm")) return NULL;
  for (int at = 0; at < file_count; at++) {
    if (strcmp(files[at].path, path) == 0) return &files[at];
  }
  if (file_count == FILES_MAX) give_up("too many files");
  struct file *file = &files[file_count++];
  snprintf(file->path, sizeof file->path, "%s", path);
  if (snprintf(file->shadow, sizeof file->shadow, "%s%s", shadow, path + length) >= (int)sizeof file->shadow) {
    give_up("a path is too long");
  }
  return file;
}

static struct file *file_of(int fd) { return fd >= 0 && fd < FDS_MAX ? file_of_fd[fd] : NULL; }

static void opened(int fd, const char *path) {
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
  /* Out of room: one range from the lowest start to the highest end covers everything. */
  if (file->dirty_count == RANGES_MAX) {
    for (int at = 1; at < file->dirty_count; at++) {
      if (file->dirty[at].start < file->dirty[0].start) file->dirty[0].start = file->dirty[at].start;
      if (file->dirty[at].end > file->dirty[0].end) file->dirty[0].end = file->dirty[at].end;
    }
    file->dirty_count = 1;
    mark_dirty(file, start, end);
    return;
  }
  file->dirty[file->dirty_count++] = (struct range){start, end};
}

static void forget_dirt(struct file *file) {
  file->dirty_count = 0;
  file->is_resized = 0;
}

/* Copies what is dirty to the shadow, as a successful fsync has just done to the disk. */
static void save(int fd, struct file *file) {
  static char buffer[1 << 16];
  /* Reads through the same descriptor: opening and closing another would drop the locks on the file. */
  int to = openat(AT_FDCWD, file->shadow, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  struct stat now;
  if (to < 0 || fstat(fd, &now) != 0) give_up(file->shadow);
  /* Whoever had this descriptor before may have closed it by a system call, which passes by here unseen. */
  if (to < FDS_MAX) file_of_fd[to] = NULL;
  if (file->is_resized && ftruncate(to, now.st_size) != 0) give_up(file->shadow);
  for (int at = 0; at < file->dirty_count; at++) {
    off_t position = file->dirty[at].start;
    while (position < file->dirty[at].end) {
      size_t left = file->dirty[at].end - position;
      ssize_t count = pread(fd, buffer, left < sizeof buffer ? left : sizeof buffer, position);
      if (count < 0) give_up(file->path);
      if (count == 0) break;
      if (pwrite(to, buffer, count, position) != count) give_up(file->shadow);
      position += count;
    }
  }
  close(to);
  forget_dirt(file);
}

static int sync_file(int fd, int (*real)(int)) {
  struct file *file = file_of(fd);
  if (!file) return real(fd);
  pthread_mutex_lock(&lock);
  int result = -1;
  if (is_told_to("fsync", file->path)) {
    forget_dirt(file);
    errno = EIO;
  } else if ((result = real(fd)) == 0) {
    save(fd, file);
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
  if (is_told_to("full", file->path)) {
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
  /* A write at the current position, or at the end, is one at a known position; nobody here shares descriptors. */
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

/* The mode is only there when a file may be created. */
#define OPEN(name)                                   \
  int name(const char *path, int flags, ...) {       \
    REAL(int, name, const char *, int, ...);         \
    va_list rest;                                    \
    va_start(rest, flags);                           \
    mode_t mode = va_arg(rest, mode_t);              \
    va_end(rest);                                    \
    int fd = real(path, flags, mode);                \
    opened(fd, path);                                \
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
    forget_dirt(file);
    real(file->shadow);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
