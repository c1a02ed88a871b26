import Synchronization

/// Small bodies kept in memory, so that a hot hit reads no file; the least recently used leave first.
final class MemoryTier: Sendable {
    /// The largest body that is kept here and read whole; larger ones are sent from their file.
    static let largestBody = 256 * 1024

    private struct State {
        var bodies = RecencyTable<[UInt8]>(vacant: [])
        var bytes = 0
        var tick: Int64 = 0
    }

    private let state = Mutex(State())
    private let maxBytes: Int

    /// An empty tier that holds at most `maxBytes` bytes of bodies.
    init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// The body with that digest.
    func body(_ digest: Digest) -> [UInt8]? {
        state.withLock { state in
            guard let slot = state.bodies.find(digest) else { return nil }
            state.tick += 1
            state.bodies.touch(slot, tick: state.tick)
            return state.bodies[slot]
        }
    }

    /// Keeps a body, if it is small enough.
    func keep(_ body: [UInt8], as digest: Digest) {
        guard body.count <= min(Self.largestBody, maxBytes) else { return }
        state.withLock { state in
            guard state.bodies.find(digest) == nil else { return }
            while state.bytes + body.count > maxBytes, let oldest = state.bodies.oldest {
                state.bytes -= state.bodies.remove(oldest).count
            }
            state.tick += 1
            _ = state.bodies.insert(digest, body, tick: state.tick)
            state.bytes += body.count
        }
    }

    /// Forgets a body.
    func forget(_ digest: Digest) {
        state.withLock { state in
            guard let slot = state.bodies.find(digest) else { return }
            state.bytes -= state.bodies.remove(slot).count
        }
    }

    /// Bytes of bodies that are kept now.
    var byteCount: Int { state.withLock { $0.bytes } }
}
