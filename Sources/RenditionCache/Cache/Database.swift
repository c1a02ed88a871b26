import CSQLite

/// One SQLite connection; stays on the thread of the index.
final class Database {
    fileprivate let connection: OpaquePointer

    /// Opens or creates the file at `path`, which must not be a link.
    init(path: String) throws(CacheError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = String(cString: sqlite3_errstr(code))
            sqlite3_close(opened)
            throw .index(code: code, message: message, sql: "open")
        }
        connection = opened
        sqlite3_extended_result_codes(connection, 1)
        sqlite3_busy_timeout(connection, 5000)
    }

    deinit { sqlite3_close_v2(connection) }

    /// Runs statements that return nothing.
    func execute(_ sql: String) throws(CacheError) {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw error(sql) }
    }

    /// The integer that a statement returns first.
    func integer(_ sql: String) throws(CacheError) -> Int {
        let statement = try Statement(self, sql)
        return try statement.step() ? statement.integer(0) : 0
    }

    fileprivate func error(_ sql: String) -> CacheError {
        .index(
            code: sqlite3_extended_errcode(connection),
            message: String(cString: sqlite3_errmsg(connection)),
            sql: sql
        )
    }
}

/// One prepared statement, finalised with its owner; parameters count from 1, columns from 0.
final class Statement {
    private let database: Database
    private let statement: OpaquePointer
    private let sql: String

    init(_ database: Database, _ sql: String) throws(CacheError) {
        var prepared: OpaquePointer?
        guard
            sqlite3_prepare_v3(database.connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
                == SQLITE_OK, let prepared
        else { throw database.error(sql) }
        self.database = database
        self.sql = sql
        statement = prepared
    }

    deinit { sqlite3_finalize(statement) }

    /// Makes the statement ready to run again.
    func reset() {
        // Repeats the error of the last step, which has been thrown.
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    func bind(_ index: Int32, _ number: Int64) throws(CacheError) {
        try check(sqlite3_bind_int64(statement, index, number))
    }

    func bind(_ index: Int32, _ bytes: [UInt8]) throws(CacheError) {
        try check(csqlite_bind_blob(statement, index, bytes, Int32(bytes.count)))
    }

    func bind(_ index: Int32, _ text: String) throws(CacheError) {
        try check(csqlite_bind_text(statement, index, text, Int32(text.utf8.count)))
    }

    /// Runs to the next row; false at the end.
    func step() throws(CacheError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.error(sql)
        }
    }

    /// Runs to the end and makes ready to run again.
    func run() throws(CacheError) {
        defer { reset() }
        while try step() {}
    }

    func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

    func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }

    /// Lends the bytes of a column; they are gone after the next step.
    func withBytes<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> T) -> T {
        // SQLite wants the bytes to be asked for before their number.
        let pointer = sqlite3_column_blob(statement, column)
        return body(UnsafeRawBufferPointer(start: pointer, count: Int(sqlite3_column_bytes(statement, column))))
    }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    private func check(_ code: Int32) throws(CacheError) {
        guard code == SQLITE_OK else { throw database.error(sql) }
    }
}
