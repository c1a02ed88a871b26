import Synchronization

/// Keeps a body in memory: for documents, whose size a fetch limits.
final class CollectingSink: ByteSink {
    private let collected = Mutex<[UInt8]>([])

    /// What has arrived.
    var bytes: [UInt8] { collected.withLock { $0 } }

    func expect(byteCount: Int) { collected.withLock { $0.reserveCapacity(byteCount) } }

    func append(_ bytes: UnsafeRawBufferPointer) {
        let piece = Array(bytes)
        collected.withLock { $0 += piece }
    }

    func restart() { collected.withLock { $0 = [] } }
}
