/* SQLite, with what Swift cannot import as it stands. */
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/** Binds a copy of the bytes; SQLITE_TRANSIENT is a cast that Swift does not import. An empty blob is not NULL. */
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

/** Binds a copy of a text of `count` bytes of UTF-8. */
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

#endif
