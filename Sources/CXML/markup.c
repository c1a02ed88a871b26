#define _GNU_SOURCE
#include "CXML.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The name that libxml2 has had since 2001, then the one that came with its change of interface in 2.14. */
static const char *const names[] = {"libxml2.so.2", "libxml2.so.16"};

/* The functions used, each with the type that libxml2's headers give it, structures aside. */
static struct {
    void (*init)(void);
    void *(*read_html)(const char *bytes, int count, const char *url, const char *encoding, int options);
    void (*free_document)(void *document);
    void *(*walker)(void *document);
    int (*read)(void *reader);
    int (*node_type)(void *reader);
    const unsigned char *(*name)(void *reader);
    int (*to_attribute)(void *reader, const unsigned char *name);
    int (*to_element)(void *reader);
    const unsigned char *(*value)(void *reader);
    void (*free_reader)(void *reader);
    void *(*read_xml)(const char *bytes, int count, const char *url, const char *encoding, int options);
    int (*is_empty)(void *reader);
    const unsigned char *(*local_name)(void *reader);
    const unsigned char *(*namespace)(void *reader);
} xml;

static const struct {
    const char *name;
    void *place;
} symbols[] = {
    {"xmlInitParser", &xml.init},
    {"htmlReadMemory", &xml.read_html},
    {"xmlFreeDoc", &xml.free_document},
    {"xmlReaderWalker", &xml.walker},
    {"xmlTextReaderRead", &xml.read},
    {"xmlTextReaderNodeType", &xml.node_type},
    {"xmlTextReaderConstName", &xml.name},
    {"xmlTextReaderMoveToAttribute", &xml.to_attribute},
    {"xmlTextReaderMoveToElement", &xml.to_element},
    {"xmlTextReaderConstValue", &xml.value},
    {"xmlFreeTextReader", &xml.free_reader},
    {"xmlReaderForMemory", &xml.read_xml},
    {"xmlTextReaderIsEmptyElement", &xml.is_empty},
    {"xmlTextReaderConstLocalName", &xml.local_name},
    {"xmlTextReaderConstNamespaceUri", &xml.namespace},
};

/* From libxml/HTMLparser.h, libxml/parser.h, which has the same numbers for the same things, and libxml/xmlreader.h. */
enum { recover = 1, no_error = 1 << 5, no_warning = 1 << 6, no_network = 1 << 11, compact = 1 << 16 };
enum { no_default_type = 1 << 2, ignore_encoding = 1 << 21 };
enum { element = 1, text = 3, character_data = 4, element_end = 15 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char *missing;

static char *copied(const char *text) {
    char *copy = strdup(text ? text : "no reason given");
    return copy ? copy : (char *)"memory is short";
}

static void open_library(void) {
    void *library = NULL;
    for (size_t index = 0; index < sizeof names / sizeof *names && !library; index++) {
        library = dlopen(names[index], RTLD_LAZY | RTLD_LOCAL);
        if (!library && !missing) missing = copied(dlerror());
    }
    if (!library) return;
    missing = NULL;
    for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
        void *symbol = dlsym(library, symbols[index].name);
        if (!symbol) {
            missing = copied(dlerror());
            return;
        }
        memcpy(symbols[index].place, &symbol, sizeof symbol);
    }
    xml.init();
}

const char *cxml_missing(void) {
    pthread_once(&once, open_library);
    return missing;
}

struct cxml_walk {
    void *document;
    void *reader;
    /* What an XML reader reads from. */
    char *copy;
};

cxml_walk *cxml_open_html(const char *bytes, size_t count) {
    if (cxml_missing() || count > INT_MAX) return NULL;
    cxml_walk *walk = calloc(1, sizeof *walk);
    if (!walk) return NULL;
    int options = recover | no_error | no_warning | no_network | compact | no_default_type | ignore_encoding;
    walk->document = xml.read_html(bytes, (int)count, NULL, "UTF-8", options);
    walk->reader = walk->document ? xml.walker(walk->document) : NULL;
    if (walk->reader) return walk;
    cxml_close(walk);
    return NULL;
}

const char *cxml_next_element(cxml_walk *walk) {
    xml.to_element(walk->reader);
    while (xml.read(walk->reader) == 1)
        if (xml.node_type(walk->reader) == element) return (const char *)xml.name(walk->reader);
    return NULL;
}

const char *cxml_attribute(cxml_walk *walk, const char *name) {
    if (xml.to_attribute(walk->reader, (const unsigned char *)name) != 1) {
        xml.to_element(walk->reader);
        return NULL;
    }
    /* The value lies in what was parsed; going back to the element does not touch it. */
    const char *value = (const char *)xml.value(walk->reader);
    xml.to_element(walk->reader);
    return value ? value : "";
}

cxml_walk *cxml_open_xml(const char *bytes, size_t count) {
    if (cxml_missing() || count > INT_MAX) return NULL;
    cxml_walk *walk = calloc(1, sizeof *walk);
    if (!walk) return NULL;
    walk->copy = malloc(count ? count : 1);
    if (walk->copy) {
        if (count) memcpy(walk->copy, bytes, count);
        int options = no_error | no_warning | no_network | ignore_encoding;
        walk->reader = xml.read_xml(walk->copy, (int)count, NULL, "UTF-8", options);
    }
    if (walk->reader) return walk;
    cxml_close(walk);
    return NULL;
}

int cxml_next(cxml_walk *walk) {
    for (int result; (result = xml.read(walk->reader));) {
        if (result < 0) return CXML_BROKEN;
        switch (xml.node_type(walk->reader)) {
            case element: return xml.is_empty(walk->reader) == 1 ? CXML_EMPTY_ELEMENT : CXML_ELEMENT;
            case element_end: return CXML_ELEMENT_END;
            case text:
            case character_data: return CXML_TEXT;
        }
    }
    return CXML_END;
}

static const char *or_empty(const unsigned char *value) { return value ? (const char *)value : ""; }

const char *cxml_name(cxml_walk *walk) { return or_empty(xml.local_name(walk->reader)); }
const char *cxml_namespace(cxml_walk *walk) { return or_empty(xml.namespace(walk->reader)); }
const char *cxml_text(cxml_walk *walk) { return or_empty(xml.value(walk->reader)); }

void cxml_close(cxml_walk *walk) {
    if (walk->reader) xml.free_reader(walk->reader);
    if (walk->document) xml.free_document(walk->document);
    free(walk->copy);
    free(walk);
}
