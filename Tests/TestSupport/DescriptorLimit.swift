import Glibc

/// Suites run side by side in one process, whose caches and servers need more descriptors than a login shell grants.
enum DescriptorLimit {
    /// Raises the soft limit to the hard one, once.
    static let isRaised: Bool = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        limit.rlim_cur = limit.rlim_max
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    }()
}
