/* Stands between a process and the C library: records the writes to the files of one folder and
   when they are forced to the disk, and makes chosen calls fail.

   The journal is a sequence of records in the machine's byte order:
     u8 what, u32 length of the path, i64 offset or size, u32 length of the data, path, data
   what: C created, W written, T truncated, S synced (a folder or a file), U unlinked. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char paths[FILES][PATH_MAX];
static int journal = -1;
static const char *folder;
static long countdown = -1; /* calls of the chosen kind until one fails; -1: none does */
static char failing;        /* W, S, T or C */
static int failure, lasting;
static long calls;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void begin(void) {
    if (folder) return;
    folder = getenv("TORTURE_FOLDER");
    if (!folder) { folder = ""; return; }
    const char *to = getenv("TORTURE_JOURNAL");
    if (to) journal = REAL(open)(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int ours(const char *path) {
    begin();
    size_t n = strlen(folder);
    return n && path && strncmp(path, folder, n) == 0;
}

static const char *known(int fd) {
    begin();
    return *folder && fd >= 0 && fd < FILES && paths[fd][0] ? paths[fd] : NULL;
}

static void put(const void *data, size_t n) {
    const char *from = data;
    while (n) {
        ssize_t done = REAL(write)(journal, from, n);
        if (done <= 0) abort();
        from += done;
        n -= (size_t)done;
    }
}

static void note(char what, const char *path, int64_t at, const void *data, uint32_t n) {
    if (journal < 0) return;
    uint32_t length = (uint32_t)strlen(path);
    pthread_mutex_lock(&lock);
    put(&what, 1);
    put(&length, 4);
    put(&at, 8);
    put(&n, 4);
    put(path, length);
    if (n) put(data, n);
    pthread_mutex_unlock(&lock);
}

/* Whether this call has to fail; shared memory files of SQLite are never on a disk. */
static int fails(char what, const char *path) {
    size_t n = strlen(path);
    if (n > 4 && strcmp(path + n - 4, "-shm") == 0) return 0;
    if (what != failing) return 0;
    calls++;
    if (countdown < 0) return 0;
    if (countdown == 0) {
        if (!lasting) countdown = -1;
        errno = failure;
        return 1;
    }
    countdown--;
    return 0;
}

/* Lets the call of kind ``what`` that comes after ``after`` others fail with ``code``, and with
   ``forever`` all later ones, too. Called through ctypes. */
void torture_fail(char what, long after, int code, int forever) {
    failing = what; countdown = after; failure = code; lasting = forever; calls = 0;
}

long torture_calls(void) { return calls; }

static int opened(int fd, const char *path, int existed) {
    if (fd >= 0 && fd < FILES) {
        paths[fd][0] = 0;
        if (ours(path)) {
            strncpy(paths[fd], path, PATH_MAX - 1);
            if (!existed) note('C', path, 0, NULL, 0);
        }
    }
    return fd;
}

#define OPEN(name)                                                        \
    int name(const char *path, int flags, ...) {                          \
        va_list more; va_start(more, flags);                              \
        mode_t mode = va_arg(more, mode_t); va_end(more);                 \
        int mine = ours(path), existed = mine && access(path, F_OK) == 0; \
        if (mine && !existed && (flags & O_CREAT) && fails('C', path)) return -1; \
        return opened(REAL(name)(path, flags, mode), path, existed);      \
    }
OPEN(open)
OPEN(open64)

int close(int fd) {
    if (fd >= 0 && fd < FILES) paths[fd][0] = 0;
    return REAL(close)(fd);
}

#define PWRITE(name, offset_t)                                            \
    ssize_t name(int fd, const void *data, size_t n, offset_t at) {       \
        const char *path = known(fd);                                     \
        if (path && fails('W', path)) return -1;                          \
        ssize_t done = REAL(name)(fd, data, n, at);                       \
        if (path && done > 0) note('W', path, at, data, (uint32_t)done);  \
        return done;                                                      \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t n) {
    const char *path = known(fd);
    if (!path) return REAL(write)(fd, data, n);
    if (fails('W', path)) return -1;
    off_t at = lseek(fd, 0, SEEK_CUR);
    struct stat now;
    if (fcntl(fd, F_GETFL) & O_APPEND && fstat(fd, &now) == 0) at = now.st_size;
    ssize_t done = REAL(write)(fd, data, n);
    if (done > 0) note('W', path, at, data, (uint32_t)done);
    return done;
}

/* A sync is recorded and not carried out: the contents of the disk are computed from the journal,
   and a run in which calls only fail has no power cut. */
#define SYNC(name)                                                        \
    int name(int fd) {                                                    \
        const char *path = known(fd);                                     \
        if (path && fails('S', path)) return -1;                          \
        int done = path ? 0 : REAL(name)(fd);                             \
        if (path) note('S', path, 0, NULL, 0);                            \
        return done;                                                      \
    }
SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(name, offset_t)                                          \
    int name(int fd, offset_t size) {                                     \
        const char *path = known(fd);                                     \
        if (path && fails('T', path)) return -1;                          \
        int done = REAL(name)(fd, size);                                  \
        if (path && done == 0) note('T', path, size, NULL, 0);            \
        return done;                                                      \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int unlink(const char *path) {
    int done = REAL(unlink)(path);
    if (done == 0 && ours(path)) note('U', path, 0, NULL, 0);
    return done;
}
