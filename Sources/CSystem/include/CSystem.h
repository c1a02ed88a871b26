/* System calls that Swift cannot make itself: variadics, control-message macros, and what a worker needs to lock itself in. */
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stddef.h>
#include <stdint.h>

/** Two connected sockets that keep messages whole (SOCK_SEQPACKET), closed on exec. Returns 0 or -errno. */
int csystem_socket_pair(int ends[2]);

/** The most descriptors that go with one message. */
#define CSYSTEM_MOST_DESCRIPTORS 2

/** Sends one message of `count` bytes with `descriptor_count` descriptors over a SOCK_SEQPACKET socket. Returns 0 or -errno. */
int csystem_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

/**
 * Receives one message, and in `descriptors` as many as came with it and there is room for, then -1; the kernel closes any more.
 * Returns its length, 0 at the end, or -errno.
 */
long csystem_receive(int socket, void *bytes, size_t capacity, int *descriptors, size_t descriptor_capacity);

/** An anonymous memory file that `csystem_seal` can freeze. Returns the descriptor or -errno. */
int csystem_memory_file(const char *name);

/** Freezes a memory file: no further write, growth or shrinking. Returns 0 or -errno. */
int csystem_seal(int descriptor);

/** Whether a descriptor is a memory file that nobody can change any more. */
int csystem_is_sealed(int descriptor);

/**
 * Gives up what a worker never needs: new privileges, core dumps, more than a few descriptors, many malloc arenas; and dies with
 * the thread that started it. Returns 0 or -errno.
 */
int csystem_confine(void);

/** Lets the process map at most `bytes` more than it has now, once and for all, and write no larger file. Returns 0 or -errno. */
int csystem_limit_memory(uint64_t bytes);

/** Gives memory that is free but kept back to the system. */
void csystem_release_memory(void);

/** Lets the process use at most `seconds` more of processor time from now. Returns 0 or -errno. */
int csystem_limit_processor(uint64_t seconds);

/**
 * Starts a program with `socket` as its descriptor 3 and nothing else of ours but standard error: no other descriptor, no
 * environment, no blocked signals, and a process group of its own, so that Ctrl-C does not reach it. Returns 0 or -errno.
 */
int csystem_spawn(const char *path, int socket, int *process);

/** A descriptor that becomes readable when the process ends. Returns it or -errno. */
int csystem_process_descriptor(int process);

#endif
