/* Lets the n-th flush or write of a store's files fail, as a device would.
 *
 * What: loaded with LD_PRELOAD; TORTURE_SHIM="call n errno times" lets call number n and the
 * (times - 1) after it fail; errno 0 writes half of what was asked. Why: no other way makes a
 * healthy disk report an error. Not here: what the store does then. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;

/* The files of a store. */
static int counts(const char *path)
{
    const char *name = strrchr(path, '/');
    return name && (!strcmp(name, "/data.mdb") || !strcmp(name, "/log.0") || !strcmp(name, "/log.1")
                    || !strcmp(name, "/checkpoint"));
}

/* 0: go on; -1: fail with errno; 1: do half. */
static int strikes(const char *call, int fd)
{
    char wanted[32], name[64], path[512];
    long n, number, times, seen;
    const char *text = getenv("TORTURE_SHIM");
    ssize_t length;
    if (!text || sscanf(text, "%31s %ld %ld %ld", wanted, &n, &number, &times) != 4
        || strcmp(wanted, call) != 0)
        return 0;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    length = readlink(name, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    if (!counts(path))
        return 0;
    seen = atomic_fetch_add(&calls, 1);
    if (seen < n || seen >= n + times)
        return 0;
    if (number == 0)
        return 1;
    errno = (int)number;
    return -1;
}

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

int fdatasync(int fd)
{
    return strikes("fdatasync", fd) ? -1 : REAL(fdatasync)(fd);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
    int strike = strikes("pwrite", fd);
    return strike < 0 ? -1 : REAL(pwrite)(fd, bytes, strike ? size / 2 : size, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset)
{
    int strike = strikes("pwrite", fd);
    return strike < 0 ? -1 : REAL(pwrite64)(fd, bytes, strike ? size / 2 : size, offset);
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    int strike = strikes("writev", fd);
    return strike < 0 ? -1 : REAL(writev)(fd, parts, strike ? (count + 1) / 2 : count);
}
