import Glibc

/// How many files and connections the process may have open.
enum DescriptorLimit {
    /// As many as the system allows without asking: a connection, a transfer and a folder of the cache are one each.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
