/// What the server knows of one client connection; touched only by the thread that serves it.
final class Connection {
    /// How far the current request has come.
    enum Phase {
        /// None is being read.
        case idle
        /// The target is there.
        case begun
        /// The head is there too.
        case headed
        /// It waits.
        case parked(Exchange)
    }

    /// How far the current request has come.
    var phase = Phase.idle
    /// The raw target; its storage serves every request of the connection.
    private(set) var target: [UInt8] = []
    /// The current request's head.
    var head = RequestHead()

    /// Whether no request is under way.
    var isIdle: Bool {
        if case .idle = phase { return true }
        return false
    }

    /// Takes a target, up to one byte more than may be, so that one too long is known.
    func begin(_ text: UnsafePointer<CChar>, maxBytes: Int) {
        target.removeAll(keepingCapacity: true)
        var next = text
        while next.pointee != 0 && target.count <= maxBytes {
            target.append(UInt8(bitPattern: next.pointee))
            next += 1
        }
        phase = .begun
    }
}
