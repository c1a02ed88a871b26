/* libmicrohttpd, with its flags as constants and its variadics as functions of fixed type. */
#ifndef CHTTPSERVER_SHIM_H
#define CHTTPSERVER_SHIM_H

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
/* Not in Swift's Glibc. */
#include <sys/epoll.h>
#include <sys/eventfd.h>

/** What a daemon is started with; every callback gets `context` as its first argument. */
struct chttp_settings {
    int listening_socket;
    unsigned int threads;
    unsigned int max_connections;
    unsigned int idle_seconds;
    size_t connection_bytes;
    void *context;
    MHD_AccessHandlerCallback handler;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
};

/** Leaves escapes alone: names are decoded by the dialects, segment by segment. */
static inline size_t chttp_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return __builtin_strlen(text);
}

/** Starts a daemon of `threads` threads on a socket that already listens; NULL if it cannot. */
static inline struct MHD_Daemon *chttp_start(const struct chttp_settings *settings) {
    struct MHD_OptionItem options[] = {
        {MHD_OPTION_LISTEN_SOCKET, settings->listening_socket, NULL},
        {MHD_OPTION_CONNECTION_LIMIT, settings->max_connections, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->connection_bytes, NULL},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)settings->completed, settings->context},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)settings->connection, settings->context},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)settings->target, settings->context},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)&chttp_keep_escapes, NULL},
        /* A pool of one is refused with a remark: the daemon's own thread does as well. */
        {settings->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, settings->threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_TURBO | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, settings->handler,
        settings->context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/** What the connection callback put aside for this socket. */
static inline void *chttp_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/** The connection's socket, or -1. */
static inline int chttp_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

#endif
