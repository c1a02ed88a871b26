import Foundation
import RenditionCache
import Synchronization
import TestSupport

@testable import RenditionCache

/// Calls everything the channel's own, or nothing, and every address permitted.
struct OpenPolicy: HopPolicy {
    func isOwn(_ url: WebURL) -> Bool { true }
    func permits(_ address: IPAddress, for url: WebURL) -> Bool { true }
}

/// What a sink was told, in order.
final class RecordingSink: ByteSink {
    enum Event: Equatable {
        case expect(Int)
        case bytes([UInt8])
        case restart
    }
    struct Full: Error {}

    private let recorded = Mutex<[Event]>([])
    private let capacity: Int

    /// Throws once more than `capacity` bytes have come.
    init(capacity: Int = .max) { self.capacity = capacity }

    var events: [Event] { recorded.withLock { $0 } }

    /// What has arrived since the last restart.
    var bytes: [UInt8] {
        events.reduce(into: []) { bytes, event in
            switch event {
            case .expect: break
            case .bytes(let piece): bytes += piece
            case .restart: bytes = []
            }
        }
    }

    func expect(byteCount: Int) { recorded.withLock { $0.append(.expect(byteCount)) } }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        let piece = Array(bytes)
        recorded.withLock { $0.append(.bytes(piece)) }
        if self.bytes.count > capacity { throw Full() }
    }

    func restart() { recorded.withLock { $0.append(.restart) } }
}

/// A fetcher with short limits, its metrics, and a way to ask it.
struct FetcherFixture {
    let metrics = Metrics()
    let fetcher: Fetcher

    init(_ change: (inout FetchSettings) -> Void = { _ in }) {
        var settings = FetchSettings()
        change(&settings)
        fetcher = Fetcher(settings: settings, metrics: metrics, log: .silent)
    }

    /// Fetches a URL with a policy that permits everything.
    func fetch(
        _ text: String,
        into sink: any ByteSink = CollectingSink(),
        policy: any HopPolicy = OpenPolicy(),
        change: (inout FetchRequest) -> Void = { _ in },
        progress: FetchProgress? = nil
    ) async throws -> FetchResponse {
        guard let url = WebURL(text) else { throw FetchError.badURL(text) }
        var request = FetchRequest(url: url, policy: policy)
        change(&request)
        return try await fetcher.fetch(request, into: sink, progress: progress)
    }

    /// The error of a fetch that has to fail.
    func failure(
        _ text: String,
        into sink: any ByteSink = CollectingSink(),
        policy: any HopPolicy = OpenPolicy(),
        change: (inout FetchRequest) -> Void = { _ in }
    ) async -> FetchError? {
        do {
            _ = try await fetch(text, into: sink, policy: policy, change: change)
            return nil
        } catch {
            return error as? FetchError
        }
    }
}

/// Answers that come one after the other, the last for ever.
final class Script: Sendable {
    private let left: Mutex<[LoopbackOrigin.Response]>

    init(_ answers: LoopbackOrigin.Response...) { left = Mutex(answers) }

    /// The next answer.
    func next() -> LoopbackOrigin.Response {
        left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
}

/// Bytes that no compressor makes much of, the same every time; made outside handlers, so that no origin is slow.
func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 1
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        withUnsafeBytes(of: state ^ state >> 29) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes.prefix(count))
}
