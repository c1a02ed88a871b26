#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

int csystem_socket_pair(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0 ? -errno : 0;
}

int csystem_send(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control;
    if (descriptor >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.room;
        message.msg_controllen = sizeof control.room;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : 0;
}

long csystem_receive(int socket, void *bytes, size_t capacity, int *descriptor) {
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    union {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct msghdr message = {
        /* Not all of the room, which alignment makes large enough for a second one that nobody would close. */
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = CMSG_LEN(sizeof(int))};
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    *descriptor = -1;
    if (received < 0) return -errno;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
            memcpy(descriptor, CMSG_DATA(header), sizeof(int));
    }
    if (message.msg_flags & MSG_TRUNC) {
        if (*descriptor >= 0) close(*descriptor);
        *descriptor = -1;
        return -EMSGSIZE;
    }
    return received;
}

int csystem_memory_file(const char *name) {
    int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return descriptor < 0 ? -errno : descriptor;
}

int csystem_seal(int descriptor) {
    int all = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
    return fcntl(descriptor, F_ADD_SEALS, all) < 0 ? -errno : 0;
}

int csystem_is_sealed(int descriptor) {
    int needed = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    int seals = fcntl(descriptor, F_GET_SEALS);
    return seals >= 0 && (seals & needed) == needed;
}
