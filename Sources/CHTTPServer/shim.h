/* libmicrohttpd, with its flags as constants and its variadics as functions of fixed type. */
#ifndef CHTTPSERVER_SHIM_H
#define CHTTPSERVER_SHIM_H

#include <microhttpd.h>

#endif
