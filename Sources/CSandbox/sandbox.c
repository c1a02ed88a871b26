#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <unistd.h>

/* What is refused whatever its arguments. A name that this architecture does not have is passed over. */
static const char *const refused[] = {
    "socket", "socketpair", "socketcall", "connect", "bind", "listen", "accept", "accept4",
    "execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "kcmp",
    "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
    "creat", "openat2", "open_by_handle_at", "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat",
    "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "mknod", "mknodat", "truncate",
    "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "utime", "utimes", "utimensat", "futimesat",
    "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr",
    "mount", "umount", "umount2", "move_mount", "fsopen", "fsmount", "fspick", "open_tree", "mount_setattr", "pivot_root", "chroot",
    "unshare", "setns", "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "setfsuid", "setfsgid",
    "capset", "setpgid", "setsid", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "keyctl", "add_key", "request_key", "init_module", "finit_module", "delete_module", "kexec_load",
    "kexec_file_load", "reboot", "swapon", "swapoff", "acct", "quotactl", "personality", "syslog", "sethostname",
    "setdomainname", "settimeofday", "clock_settime", "adjtimex", "clock_adjtime", "iopl", "ioperm", "fanotify_init",
    "inotify_init", "inotify_init1", "msgget", "semget", "shmget", "mq_open"};

static int refuse_by_argument(scmp_filter_ctx filter) {
    unsigned int denied = SCMP_ACT_ERRNO(EPERM);
    int write_modes[] = {O_WRONLY, O_RDWR, O_ACCMODE};
    int failed = 0;
    for (size_t index = 0; index < sizeof write_modes / sizeof *write_modes && !failed; index++) {
        scmp_datum_t mode = (scmp_datum_t)write_modes[index];
        failed = seccomp_rule_add(filter, denied, SCMP_SYS(open), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, O_ACCMODE, mode));
        if (!failed)
            failed = seccomp_rule_add(filter, denied, SCMP_SYS(openat), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, O_ACCMODE, mode));
    }
    /* A thread is not a process: only clones that share everything are let through. */
    if (!failed)
        failed = seccomp_rule_add(filter, denied, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    /* Its flags lie in memory, out of a filter's reach; the C library falls back to clone when it is not there. */
    return failed ? failed : seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

int csandbox_enter(int every_thread) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return -ENOMEM;
    int failed = every_thread ? seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) : 0;
    for (size_t index = 0; index < sizeof refused / sizeof *refused && !failed; index++) {
        int number = seccomp_syscall_resolve_name(refused[index]);
        if (number < 0) continue;
        failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0);
    }
    if (!failed) failed = refuse_by_argument(filter);
    if (!failed) failed = seccomp_load(filter);
    seccomp_release(filter);
    return failed;
}
