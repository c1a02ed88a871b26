import RenditionCache
import Synchronization

/// The hit path: from the raw target of a request to the response that is ready for it.
///
/// Where the format is negotiated, each class of clients has a response of its own, and nobody is handed another's. Every
/// other target costs one look-up, and `Accept` is not read for it.
///
/// An entry answers for the second it was made in. After that it is made anew from the cache, so that what is asked for
/// again counts as used, at most once a second; entries that nobody asked for in the last second make room first.
///
/// Only bodies in memory are kept: a file that is open here could not make room on disk when its turn comes to leave.
final class ReadyResponses: Sendable {
    /// What is ready for a target, whose text alone decides which of the two it is.
    private enum Entry {
        case fixed(ReadyResponse)
        case negotiated([AcceptClass: ReadyResponse])
    }

    private struct State {
        var entries: [[UInt8]: Entry] = [:]
        var count = 0
        var memoryBytes = 0
        var sweptSecond = 0
    }

    private let state = Mutex(State())
    private let maxEntries: Int
    private let maxBytes: Int

    /// A table of at most that many responses, which take at most that many bytes of memory.
    init(maxEntries: Int = 4096, maxBytes: Int = 32_000_000) {
        self.maxEntries = maxEntries
        self.maxBytes = maxBytes
    }

    /// What was last kept for a target and such clients; its second may have passed.
    ///
    /// - Parameter client: asked only where the answer depends on it.
    func response(for target: [UInt8], to client: () -> AcceptClass) -> ReadyResponse? {
        switch state.withLock({ $0.entries[target] }) {
        case .fixed(let response)?: response
        case .negotiated(let responses)?: responses[client()]
        case nil: nil
        }
    }

    /// Keeps a response if there is room; never waits for anything but the lock.
    func keep(_ response: ReadyResponse, for target: [UInt8]) {
        guard case .bytes = response.content else { return }
        let bytes = Self.bytes(response, target)
        // What leaves is let go of outside the lock: freeing it takes a while.
        let leaving = state.withLock { state -> [ReadyResponse] in
            var leaving = Self.remove(target, response.picture.query.accepted, &state)
            if !hasRoom(for: bytes, state), state.sweptSecond != response.second {
                state.sweptSecond = response.second
                leaving += Self.sweep(before: response.second - 1, &state)
            }
            guard hasRoom(for: bytes, state) else { return leaving }
            Self.insert(response, target, &state)
            return leaving
        }
        _ = leaving
    }

    /// Forgets what is ready for a target and such clients; nil where the target decides alone.
    func forget(_ target: [UInt8], accepted: AcceptClass?) {
        _ = state.withLock { Self.remove(target, accepted, &$0) }
    }

    private func hasRoom(for bytes: Int, _ state: State) -> Bool {
        state.count < maxEntries && state.memoryBytes + bytes <= maxBytes
    }

    private static func bytes(_ response: ReadyResponse, _ target: [UInt8]) -> Int {
        response.content.count + ReadyResponse.headBytes + target.count
    }

    private static func insert(_ response: ReadyResponse, _ target: [UInt8], _ state: inout State) {
        if let accepted = response.picture.query.accepted {
            var responses: [AcceptClass: ReadyResponse] = [:]
            if case .negotiated(let others)? = state.entries[target] { responses = others }
            responses[accepted] = response
            state.entries[target] = .negotiated(responses)
        } else {
            state.entries[target] = .fixed(response)
        }
        state.count += 1
        state.memoryBytes += bytes(response, target)
    }

    private static func remove(_ target: [UInt8], _ accepted: AcceptClass?, _ state: inout State) -> [ReadyResponse] {
        let removed: ReadyResponse?
        switch state.entries[target] {
        case .fixed(let response)?:
            removed = response
            state.entries[target] = nil
        case .negotiated(var responses)?:
            removed = accepted.flatMap { responses.removeValue(forKey: $0) }
            state.entries[target] = responses.isEmpty ? nil : .negotiated(responses)
        case nil: removed = nil
        }
        guard let removed else { return [] }
        state.count -= 1
        state.memoryBytes -= bytes(removed, target)
        return [removed]
    }

    /// Removes what was last asked for before that second.
    private static func sweep(before second: Int, _ state: inout State) -> [ReadyResponse] {
        var leaving: [ReadyResponse] = []
        for (target, entry) in state.entries {
            let responses =
                switch entry {
                case .fixed(let response): [response]
                case .negotiated(let several): Array(several.values)
                }
            for response in responses where response.second < second {
                leaving += remove(target, response.picture.query.accepted, &state)
            }
        }
        return leaving
    }
}
