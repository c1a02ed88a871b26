/* System calls that Swift cannot make itself: variadics, control-message macros, and what a worker needs to lock itself in. */
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stddef.h>
#include <stdint.h>

/** Sends one message of `count` bytes with an optional descriptor (-1: none) over a SOCK_SEQPACKET socket. Returns 0 or -errno. */
int csystem_send(int socket, const void *bytes, size_t count, int descriptor);

/** Receives one message; `*descriptor` is the one that came with it, or -1. Returns its length, 0 at the end, or -errno. */
long csystem_receive(int socket, void *bytes, size_t capacity, int *descriptor);

/** An anonymous memory file that `csystem_seal` can freeze. Returns the descriptor or -errno. */
int csystem_memory_file(const char *name);

/** Freezes a memory file: no further write, growth or shrinking. Returns 0 or -errno. */
int csystem_seal(int descriptor);

#endif
