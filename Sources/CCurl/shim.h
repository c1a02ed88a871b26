/* libcurl's variadic options as functions of fixed type: Swift cannot call variadics. */
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

/* The type checks are macros around the variadics; here the functions' own types check. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include <netinet/in.h>
#include <string.h>

/** Called with each piece of a header or body; anything but `count` ends the transfer. */
typedef size_t (*ccurl_piece)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/** libcurl copies the text. */
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/** libcurl keeps the list: free it after the handle. */
static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *list) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}

/** Sets the four callbacks of a transfer, each with the same context. */
static inline CURLcode ccurl_set_callbacks(CURL *easy, ccurl_piece header, ccurl_piece body,
                                           curl_opensocket_callback open_socket, curl_prereq_callback before_request,
                                           void *context) {
    CURLcode codes[] = {
        curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header),
        curl_easy_setopt(easy, CURLOPT_HEADERDATA, context),
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body),
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, context),
        curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket),
        curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context),
        curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before_request),
        curl_easy_setopt(easy, CURLOPT_PREREQDATA, context),
    };
    for (size_t index = 0; index < sizeof codes / sizeof *codes; index++)
        if (codes[index] != CURLE_OK) return codes[index];
    return CURLE_OK;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/** The result of the next finished transfer in `*result`, and the transfer; NULL when no more have finished. */
static inline CURL *ccurl_multi_finished(CURLM *multi, CURLcode *result) {
    int left;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

/** Copies the address libcurl is about to connect to; returns 4, 16, or 0 for neither IPv4 nor IPv6. */
static inline int ccurl_address_bytes(const struct curl_sockaddr *address, unsigned char bytes[16]) {
    if (address->family == AF_INET) {
        struct sockaddr_in four;
        memcpy(&four, &address->addr, sizeof four);
        memcpy(bytes, &four.sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        struct sockaddr_in6 six;
        memcpy(&six, &address->addr, sizeof six);
        memcpy(bytes, &six.sin6_addr, 16);
        return 16;
    }
    return 0;
}

#endif
