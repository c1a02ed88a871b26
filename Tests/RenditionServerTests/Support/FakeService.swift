@testable import RenditionCache
import Synchronization

@testable import RenditionServer

/// A service in memory, for time and failure: pictures are there, or come when the test lets them.
final class FakeService: RenditionServing {
    struct State {
        var cached: [RenditionRequest: Rendition] = [:]
        var outcomes: [RenditionRequest: RenditionOutcome] = [:]
        var failures: [RenditionRequest: RenditionError] = [:]
        var assets: [Asset] = []
        var asked: [RenditionRequest] = []
        var lookedUp = 0
        var cancelled = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isHeld = false
        var watchers: [(count: Int, CheckedContinuation<Void, Never>)] = []
        var cancelWatchers: [(count: Int, CheckedContinuation<Void, Never>)] = []
    }

    let metrics = Metrics()
    let configuration: Configuration
    let state = Mutex(State())

    init(channels: [ChannelSettings] = [ChannelSettings(name: "photos", kind: .folder(path: "/nowhere"))]) {
        var configuration = Configuration()
        configuration.channels = channels
        configuration.presets = [
            "hero": Transform(resize: .inside(width: 1600, height: nil), quality: 80),
            "smart": Transform(resize: .inside(width: 640, height: nil), format: .auto(avif: true)),
        ]
        self.configuration = configuration
    }

    func cached(_ request: RenditionRequest) -> Rendition? {
        state.withLock { state in
            state.lookedUp += 1
            return state.cached[request]
        }
    }

    func rendition(
        for request: RenditionRequest,
        priority: WorkPriority,
        progress: FetchProgress?
    ) async throws(RenditionError) -> RenditionOutcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                    state.asked.append(request)
                    let count = state.asked.count
                    let told = state.watchers.filter { $0.count <= count }.map(\.1)
                    state.watchers.removeAll { $0.count <= count }
                    guard state.isHeld else { return told + [continuation] }
                    state.waiting.append(continuation)
                    return told
                }
                for continuation in ready { continuation.resume() }
            }
        } onCancel: {
            let told = state.withLock { state in
                state.cancelled += 1
                let count = state.cancelled
                defer { state.cancelWatchers.removeAll { $0.count <= count } }
                return state.cancelWatchers.filter { $0.count <= count }.map(\.1)
            }
            for continuation in told { continuation.resume() }
        }
        if let failure = state.withLock({ $0.failures[request] }) { throw failure }
        guard let outcome = state.withLock({ $0.outcomes[request] }) else {
            throw .assetNotFound(channel: request.channel, asset: request.asset.description)
        }
        return outcome
    }

    func assets(in channel: String, at cursor: CatalogueCursor, limit: Int) async throws(RenditionError) -> AssetPage {
        let all = state.withLock { $0.assets }
        let page = Array(all.dropFirst(cursor.offset).prefix(limit))
        let end = cursor.offset + page.count
        return AssetPage(assets: page, next: end < all.count ? CatalogueCursor(offset: end) : nil, total: all.count)
    }

    func asset(_ reference: AssetReference, in channel: String) async throws(RenditionError) -> Asset {
        let found = state.withLock { state in
            state.assets.first { asset in
                switch reference {
                case .id(let id):
                    [asset.id, PublishedID.ocm(channel: channel, path: asset.path ?? asset.id)].contains(id)
                case .slug(let slug): asset.slug == slug
                }
            }
        }
        guard let found else { throw .assetNotFound(channel: channel, asset: reference.description) }
        return found
    }

    func statistics() -> CacheStatistics {
        CacheStatistics(
            rows: [.init(channel: "photos", form: "Medium", mediaType: "image/jpeg", entries: 3, bytes: 12_345)],
            allocatedBytes: 16_384,
            maxBytes: 1_000_000,
            entries: 3
        )
    }

    // MARK: - What a test does

    func keep(_ rendition: Rendition, for request: RenditionRequest) {
        state.withLock { $0.cached[request] = rendition }
    }

    func setAssets(_ assets: [Asset]) { state.withLock { $0.assets = assets } }
    func forget(_ request: RenditionRequest) { state.withLock { $0.cached[request] = nil } }
    func forgetAll() { state.withLock { $0.cached = [:] } }

    func give(_ outcome: RenditionOutcome, for request: RenditionRequest) {
        state.withLock { $0.outcomes[request] = outcome }
    }

    func fail(_ failure: RenditionError, for request: RenditionRequest) {
        state.withLock { $0.failures[request] = failure }
    }

    /// From here on nobody gets a picture until `release()`.
    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let waiting = state.withLock { state in
            state.isHeld = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once `count` requests have come in all.
    func waitUntilAsked(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.asked.count < count { state.watchers.append((count, continuation)) }
                return state.asked.count >= count
            }
            if isThere { continuation.resume() }
        }
    }

    /// Returns once `count` requests have been cancelled in all.
    func waitUntilCancelled(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.cancelled < count { state.cancelWatchers.append((count, continuation)) }
                return state.cancelled >= count
            }
            if isThere { continuation.resume() }
        }
    }

    var asked: [RenditionRequest] { state.withLock { $0.asked } }
    var askedCount: Int { asked.count }
    var lookedUpCount: Int { state.withLock { $0.lookedUp } }
}

/// A picture as the service would give it; the bytes count up, so that a range can be told from another.
func picture(
    bytes: [UInt8] = (0..<10_240).map { UInt8(truncatingIfNeeded: $0 &* 31) },
    format: ImageFormat? = .jpeg,
    mediaType: String? = nil,
    tag: String? = "\"a1\"",
    modified: Double? = 784_111_777,
    name: String = "harbour.jpg",
    provenance: Provenance = Provenance(.local),
    validated: Double = SystemClock.seconds() - 5,
    lifetime: Double = 900
) -> Rendition {
    Rendition(
        body: .memory(bytes),
        digest: Digest(of: bytes),
        format: format,
        mediaType: mediaType ?? format?.mediaType ?? "application/pdf",
        size: PixelSize(width: 640, height: 480),
        entityTag: tag,
        modifiedSeconds: modified,
        fileName: name,
        provenance: provenance,
        validatedSeconds: validated,
        lifetimeSeconds: lifetime
    )
}
