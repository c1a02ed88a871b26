/*
 * libxml2's tolerant HTML parser, opened when the first HTML is read: linked, it and the libraries that it brings along would
 * cost every start of the program a millisecond (docs/decisions/0012). Only calls that take opaque pointers and numbers are
 * used, so no header of libxml2 is needed.
 */
#ifndef CXML_H
#define CXML_H

#include <stddef.h>

/** A walk over the elements of one parsed text. */
typedef struct cxml_walk cxml_walk;

/** Why libxml2 cannot be used, as the dynamic linker says it; NULL if it can. Opens it on the first call; thread-safe. */
const char *cxml_missing(void);

/**
 * Parses `count` bytes of UTF-8 without network and without a word on standard error; what is nested deeper than 256 elements,
 * and what follows it, is left out. NULL if libxml2 is missing, memory is short, or nothing could be parsed.
 */
cxml_walk *cxml_open_html(const char *bytes, size_t count);

/** The name of the next element in document order, in lower case and valid until the next call; NULL at the end. */
const char *cxml_next_element(cxml_walk *walk);

/** The decoded value of an attribute of that element, valid until the next call; NULL if it has none of that name. */
const char *cxml_attribute(cxml_walk *walk, const char *name);

/** Frees the walk and what was parsed. */
void cxml_close(cxml_walk *walk);

#endif
