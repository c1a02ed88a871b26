/*
 * libxml2's tolerant HTML parser and its XML reader, opened when the first text is read: linked, it and the libraries that it brings along would
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

/**
 * Begins to read `count` bytes of XML in UTF-8, whatever they declare, of which it keeps a copy: without network, without a word
 * on standard error, without expanding an entity that the text declares, nested at most 256 deep. NULL if libxml2 is missing or
 * memory is short.
 */
cxml_walk *cxml_open_xml(const char *bytes, size_t count);

/** What comes next in an XML text. */
enum { CXML_BROKEN = -1, CXML_END = 0, CXML_ELEMENT = 1, CXML_EMPTY_ELEMENT, CXML_ELEMENT_END, CXML_TEXT };

/** The kind of the next piece of an XML text; what is none of these kinds is passed over. */
int cxml_next(cxml_walk *walk);

/** The name of the element that begins or ends here, without a prefix; valid until the next call. */
const char *cxml_name(cxml_walk *walk);

/** The namespace of that element; empty if it has none. Valid until the next call. */
const char *cxml_namespace(cxml_walk *walk);

/** The text here, valid until the next call. */
const char *cxml_text(cxml_walk *walk);

/** Frees the walk and what was parsed. */
void cxml_close(cxml_walk *walk);

#endif
