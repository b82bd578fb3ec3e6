// Lets one call of a program fail, chosen by its number. Loaded into the program by LD_PRELOAD.
//
// FAULT_CALL   what fails: write, sync, map, alloc or thread
// FAULT_AT     number of the first call that fails, from 1; 0 for none
// FAULT_COUNT  how many calls fail from then on
// FAULT_ERROR  the error number that a failing write, sync or map reports
// FAULT_TOTAL  a file to which the number of calls is written when the program exits
//
// Writes, syncs and maps count if they are to regular files, allocations from 64 kB on.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define LARGE (64 * 1024)

enum call { NONE, WRITE, SYNC, MAP, ALLOC, THREAD };

static enum call wanted = NONE;
static long first, count = 1, error = EIO;
static atomic_long calls;

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
    static const char *names[] = {"", "write", "sync", "map", "alloc", "thread"};
    const char *name = getenv("FAULT_CALL");
    first = number("FAULT_AT", 0);
    count = number("FAULT_COUNT", 1);
    error = number("FAULT_ERROR", EIO);
    for (int i = WRITE; name && i <= THREAD; i++)
        if (!strcmp(name, names[i])) wanted = i;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAULT_TOTAL");
    if (!path) return;
    char text[32];
    int length = snprintf(text, sizeof text, "%ld", atomic_load(&calls));
    int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0) {
        syscall(SYS_write, file, text, (long)length);
        syscall(SYS_close, file);
    }
}

// Counts a call and returns whether it is to fail.
static int fails(enum call call) {
    if (call != wanted) return 0;
    long at = atomic_fetch_add(&calls, 1) + 1;
    return first > 0 && at >= first && at < first + count;
}

static int is_file(int file) {
    struct stat about;
    return fstat(file, &about) == 0 && S_ISREG(about.st_mode);
}

static int fails_on(enum call call, int file) {
    if (call != wanted || !is_file(file) || !fails(call)) return 0;
    errno = error;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t size) {
    return fails_on(WRITE, file) ? -1 : REAL(write)(file, bytes, size);
}
ssize_t writev(int file, const struct iovec *parts, int size) {
    return fails_on(WRITE, file) ? -1 : REAL(writev)(file, parts, size);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
    return fails_on(WRITE, file) ? -1 : REAL(pwrite)(file, bytes, size, at);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
    return fails_on(WRITE, file) ? -1 : REAL(pwrite64)(file, bytes, size, at);
}
int ftruncate(int file, off_t size) {
    return fails_on(WRITE, file) ? -1 : REAL(ftruncate)(file, size);
}
int ftruncate64(int file, off64_t size) {
    return fails_on(WRITE, file) ? -1 : REAL(ftruncate64)(file, size);
}
int fsync(int file) { return fails_on(SYNC, file) ? -1 : REAL(fsync)(file); }
int fdatasync(int file) { return fails_on(SYNC, file) ? -1 : REAL(fdatasync)(file); }
void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    int fault = !(flags & MAP_ANONYMOUS) && fails_on(MAP, file);
    return fault ? MAP_FAILED : REAL(mmap)(at, size, protection, flags, file, offset);
}
void *mmap64(void *at, size_t size, int protection, int flags, int file, off64_t offset) {
    int fault = !(flags & MAP_ANONYMOUS) && fails_on(MAP, file);
    return fault ? MAP_FAILED : REAL(mmap64)(at, size, protection, flags, file, offset);
}

// The allocator is called while the names of functions are looked up.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static int fails_to_allocate(size_t size) {
    if (size < LARGE || !fails(ALLOC)) return 0;
    errno = ENOMEM;
    return 1;
}
void *malloc(size_t size) { return fails_to_allocate(size) ? NULL : __libc_malloc(size); }
void *calloc(size_t items, size_t size) {
    return fails_to_allocate(items * size) ? NULL : __libc_calloc(items, size);
}
void *realloc(void *old, size_t size) {
    return fails_to_allocate(size) ? NULL : __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    return fails_to_allocate(size) ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
    if (fails_to_allocate(size)) return ENOMEM;
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument) {
    if (fails(THREAD)) return EAGAIN;
    return REAL(pthread_create)(thread, attributes, run, argument);
}
