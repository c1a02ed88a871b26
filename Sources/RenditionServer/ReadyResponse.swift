import RenditionCache
import Synchronization

/// A picture with its header fields written out, true for one second.
final class ReadyResponse: Sendable {
    /// What it was made of.
    let picture: Picture
    /// The second since 1970 that its `Age` is right in.
    let second: Int
    /// The body.
    let content: Content
    /// The header fields.
    let fields: [HeaderField]
    /// The answer with the whole body.
    let whole: PreparedResponse

    /// Whether it still answers at that time, in seconds since 1970.
    func isTrue(at now: Double) -> Bool {
        let rendition = picture.rendition
        return Int(now) == second && now < rendition.validatedSeconds + rendition.lifetimeSeconds
    }

    /// What one takes beside its body, about: header fields, here and once more in the library.
    static let headBytes = 2048

    /// Writes the header out; nil when memory or descriptors run out, or the body cannot be read.
    ///
    /// - Parameters:
    ///   - earlier: an older one; its body is shared if the bytes are the same.
    ///   - isClosing: whether the connection ends after it.
    init?(_ picture: Picture, second: Int, earlier: ReadyResponse? = nil, isClosing: Bool = false) {
        var picture = picture
        self.second = second
        if let earlier, earlier.picture.rendition.digest == picture.rendition.digest {
            content = earlier.content
        } else {
            // A body that has become unreadable is answered like any other failure of the disk, by the caller.
            guard let read = try? Content(picture.rendition.body) else { return nil }
            content = read
        }
        // What has been read into memory needs its file no more.
        if case .bytes(let owner) = content { picture.rendition.body = .memory(owner.bytes) }
        self.picture = picture
        fields =
            ResponseHead.fields(picture, now: Double(second)) + (isClosing ? [HeaderField("Connection", "close")] : [])
        guard let whole = PreparedResponse(fields, content) else { return nil }
        self.whole = whole
    }
}

/// The hit path: from the raw target of a request to the response that is ready for it.
///
/// An entry answers for the second it was made in. After that it is made anew from the cache, so that what is asked for
/// again counts as used, at most once a second; entries that nobody asked for in the last second make room first.
///
/// Only bodies in memory are kept: a file that is open here could not make room on disk when its turn comes to leave.
final class ReadyResponses: Sendable {
    private struct State {
        var entries: [[UInt8]: ReadyResponse] = [:]
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

    /// What was last kept for a target; its second may have passed.
    subscript(target: [UInt8]) -> ReadyResponse? { state.withLock { $0.entries[target] } }

    /// Keeps a response if there is room; never waits for anything but the lock.
    func keep(_ response: ReadyResponse, for target: [UInt8]) {
        guard case .bytes = response.content else { return }
        let bytes = Self.bytes(response, target)
        // What leaves is let go of outside the lock: freeing it takes a while.
        let leaving = state.withLock { state -> [ReadyResponse] in
            var leaving = Self.remove(target, &state)
            if !hasRoom(for: bytes, state), state.sweptSecond != response.second {
                state.sweptSecond = response.second
                for (key, entry) in state.entries where entry.second < response.second - 1 {
                    leaving += Self.remove(key, &state)
                }
            }
            guard hasRoom(for: bytes, state) else { return leaving }
            state.entries[target] = response
            state.memoryBytes += bytes
            return leaving
        }
        _ = leaving
    }

    /// Forgets a target.
    func forget(_ target: [UInt8]) {
        _ = state.withLock { Self.remove(target, &$0) }
    }

    private func hasRoom(for bytes: Int, _ state: State) -> Bool {
        state.entries.count < maxEntries && state.memoryBytes + bytes <= maxBytes
    }

    private static func bytes(_ response: ReadyResponse, _ target: [UInt8]) -> Int {
        response.content.count + ReadyResponse.headBytes + target.count
    }

    private static func remove(_ target: [UInt8], _ state: inout State) -> [ReadyResponse] {
        guard let old = state.entries.removeValue(forKey: target) else { return [] }
        state.memoryBytes -= bytes(old, target)
        return [old]
    }
}
