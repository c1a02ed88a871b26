#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static int limit(int resource, rlim_t soft, rlim_t hard) {
    struct rlimit now, wanted;
    if (getrlimit(resource, &now) < 0) return -errno;
    wanted.rlim_max = hard < now.rlim_max ? hard : now.rlim_max;
    wanted.rlim_cur = soft < wanted.rlim_max ? soft : wanted.rlim_max;
    return setrlimit(resource, &wanted) < 0 ? -errno : 0;
}

int csystem_confine(void) {
    /* Arenas that grow with the threads of an encoder would never be given back. */
    mallopt(M_ARENA_MAX, 2);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
    int failed = limit(RLIMIT_CORE, 0, 0);
    return failed ? failed : limit(RLIMIT_NOFILE, 64, 64);
}

void csystem_release_memory(void) { malloc_trim(0); }

static uint64_t mapped_bytes(void) {
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return 0;
    if (fscanf(file, "%llu", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

int csystem_limit_memory(uint64_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    int failed = limit(RLIMIT_AS, mapped_bytes() + bytes, mapped_bytes() + bytes);
    return failed ? failed : limit(RLIMIT_FSIZE, bytes, bytes);
}

int csystem_limit_processor(uint64_t seconds) {
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) < 0) return -errno;
    return limit(RLIMIT_CPU, (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds + 1, RLIM_INFINITY);
}

int csystem_spawn(const char *path, int socket, int *process) {
    /* The least that the loader, GLib and the Swift runtime want; nothing of ours, which may hold secrets. */
    char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no", NULL};
    char *const arguments[] = {(char *)path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    if (posix_spawn_file_actions_init(&actions) || posix_spawnattr_init(&attributes)) return -ENOMEM;
    int failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, socket, 3);
    if (!failed) failed = posix_spawn_file_actions_addclosefrom_np(&actions, 4);
    if (!failed) failed = posix_spawnattr_setsigmask(&attributes, &none);
    if (!failed) failed = posix_spawnattr_setpgroup(&attributes, 0);
    if (!failed) failed = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    if (!failed) failed = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return -failed;
}

int csystem_process_descriptor(int process) {
    int descriptor = pidfd_open(process, 0);
    return descriptor < 0 ? -errno : descriptor;
}
