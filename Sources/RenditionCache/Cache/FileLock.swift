import Glibc

/// Locks on single bytes of a file that belong to the open file description (fcntl(2), "Open file description locks").
///
/// The kernel drops them when the last descriptor closes, so a dead process holds none; two stores in one process
/// exclude one another like two processes.
enum FileLock {
    // From <fcntl.h>, where they hide behind a feature macro.
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37

    /// Locks a byte for writing, without waiting.
    static func tryLock(_ descriptor: Int32, _ byte: Int) -> Bool {
        var lock = range(F_WRLCK, from: byte, count: 1)
        return fcntl(descriptor, setLock, &lock) == 0
    }

    static func unlock(_ descriptor: Int32, _ byte: Int) {
        var lock = range(F_UNLCK, from: byte, count: 1)
        _ = fcntl(descriptor, setLock, &lock)
    }

    /// Whether no other description holds a lock in the range.
    static func isFree(_ descriptor: Int32, from byte: Int, count: Int) throws(SystemError) -> Bool {
        var lock = range(F_WRLCK, from: byte, count: count)
        try SystemError.check("fcntl") { fcntl(descriptor, getLock, &lock) }
        return Int32(lock.l_type) == F_UNLCK
    }

    /// Says that the file behind `descriptor` is being read: it is not removed until every reader has closed.
    ///
    /// False if it is just being removed.
    static func shareReading(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_SH | LOCK_NB) == 0 }

    /// Whether nobody else reads the file behind `descriptor`.
    static func excludeReading(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    private static func range(_ type: Int32, from byte: Int, count: Int) -> flock {
        flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: byte, l_len: count, l_pid: 0)
    }
}
