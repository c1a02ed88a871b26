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

int csystem_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
    size_t size = descriptor_count * sizeof(int);
    if (descriptor_count > CSYSTEM_MOST_DESCRIPTORS) return -EINVAL;
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union {
        char room[CMSG_SPACE(CSYSTEM_MOST_DESCRIPTORS * sizeof(int))];
        struct cmsghdr alignment;
    } control;
    if (descriptor_count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.room;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(header), descriptors, size);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : 0;
}

long csystem_receive(int socket, void *bytes, size_t capacity, int *descriptors, size_t descriptor_capacity) {
    if (descriptor_capacity > CSYSTEM_MOST_DESCRIPTORS) return -EINVAL;
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    union {
        char room[CMSG_SPACE(CSYSTEM_MOST_DESCRIPTORS * sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct msghdr message = {
        /* Not all of the room, which may be large enough for one more that nobody would close. */
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room,
        .msg_controllen = CMSG_LEN(descriptor_capacity * sizeof(int))};
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    for (size_t index = 0; index < descriptor_capacity; index++) descriptors[index] = -1;
    if (received < 0) return -errno;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
            memcpy(descriptors, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
    }
    if (message.msg_flags & MSG_TRUNC) {
        for (size_t index = 0; index < descriptor_capacity; index++) {
            if (descriptors[index] >= 0) close(descriptors[index]);
            descriptors[index] = -1;
        }
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
