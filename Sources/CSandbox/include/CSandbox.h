/* What a render worker may ask of the kernel once it has started. */
#ifndef CSANDBOX_H
#define CSANDBOX_H

/**
 * Takes away, for good, every system call that decoding has no use for: no new socket, no connection, no other program or
 * process, no file opened for writing, created, renamed or removed, no look into another process. Each then fails with EPERM.
 *
 * Reading files stays, for fonts and for codecs that are loaded late; so do memory, threads, and the socket that is open already.
 * It holds for `every_thread` of the process, or for the calling one alone. Returns 0 or -errno.
 */
int csandbox_enter(int every_thread);

#endif
