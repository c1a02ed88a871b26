import CSQLite

/// The tables of the index, and how a connection to it is set up.
enum IndexSchema {
    /// The layout that this version writes; kept in `user_version`.
    static let version = 2
    /// "rcac", so that `file` knows what it is; kept in `application_id`.
    static let application = 0x7263_6163

    private static let tables = """
        CREATE TABLE IF NOT EXISTS entries (
            key BLOB PRIMARY KEY, digest BLOB NOT NULL, bytes INTEGER NOT NULL,
            used INTEGER NOT NULL, metadata BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS entries_used ON entries (used);
        CREATE TABLE IF NOT EXISTS assets (
            channel TEXT NOT NULL, id TEXT NOT NULL, changed INTEGER NOT NULL, record BLOB NOT NULL,
            PRIMARY KEY (channel, id)
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS assets_changed ON assets (changed);
        CREATE TABLE IF NOT EXISTS warms (
            channel TEXT NOT NULL, run INTEGER NOT NULL, plan TEXT NOT NULL, finished INTEGER NOT NULL,
            whole INTEGER NOT NULL, PRIMARY KEY (channel, run)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS warmed (
            channel TEXT NOT NULL, run INTEGER NOT NULL, id TEXT NOT NULL, mark TEXT NOT NULL,
            outcome INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (channel, run, id)
        ) WITHOUT ROWID;
        """

    /// Checks whose file it is before anything is written to it, then sets up the connection and the tables.
    ///
    /// - Parameter maxBytes: the cache's limit; the journal stays below a sixty-fourth of it.
    /// - Returns: whether the tables had to be made.
    static func prepare(_ database: Database, maxBytes: Int) throws(CacheError) -> Bool {
        let found = try database.integer("PRAGMA user_version")
        guard found <= version else { throw .newerIndex(found: found, known: version) }
        let application = try database.integer("PRAGMA application_id")
        guard application == Self.application || application == 0 && found == 0 else {
            throw .index(code: SQLITE_NOTADB, message: "the file belongs to another program", sql: "application_id")
        }
        let journalPages = min(1000, max(16, maxBytes / 64 / 4096))
        try database.execute("PRAGMA journal_mode = WAL")
        // In WAL mode the file stays whole; a power cut may cost the last batches, whose blobs are found again.
        try database.execute("PRAGMA synchronous = NORMAL")
        try database.execute("PRAGMA secure_delete = OFF")
        try database.execute("PRAGMA temp_store = MEMORY")
        try database.execute("PRAGMA wal_autocheckpoint = \(journalPages)")
        try database.execute("PRAGMA journal_size_limit = \(journalPages * 4096)")
        guard found < version else { return false }
        try database.execute("BEGIN IMMEDIATE")
        do throws(CacheError) {
            try database.execute(tables)
            try database.execute("PRAGMA application_id = \(Self.application)")
            try database.execute("PRAGMA user_version = \(version)")
            try database.execute("COMMIT")
            // An earlier layout lacked tables, whose rows nothing depends on.
            return found == 0
        } catch {
            // Its own failure would hide the cause; closing the connection rolls back as well.
            try? database.execute("ROLLBACK")
            throw error
        }
    }

    /// Whether the file itself is at fault, so that only a new one helps.
    static func isCorruption(_ error: CacheError) -> Bool {
        guard case .index(let code, _, _) = error else { return false }
        return [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF)
    }
}
