import TestSupport

@testable import RenditionCache

/// A service on a cache of its own, with a clock that the test moves.
final class TestService: Sendable {
    let cache: TemporaryFolder
    let service: RenditionService
    private let clock: ManualTime

    init(
        _ channels: [ChannelSettings],
        cache: TemporaryFolder? = nil,
        clock: ManualTime = ManualTime(1_800_000_000),
        change: (inout Configuration) -> Void = { _ in }
    ) async throws {
        let folder = try cache ?? TemporaryFolder()
        var configuration = Configuration()
        configuration.cache.directory = folder.file("cache")
        configuration.cache.keepFreeBytes = 0
        configuration.channels = channels
        // What a test holds back, or a machine that has much to do, is not late.
        configuration.fetch.stallTimeout = .seconds(100)
        configuration.render.limits.deadlineSeconds = 100
        // A test moves the service's clock on at once, but not that by which a host that fails is left alone.
        configuration.fetch.breakerFailures = 1000
        change(&configuration)
        self.cache = folder
        self.clock = clock
        service = try await RenditionService.open(configuration, log: .silent, now: { clock.seconds })
    }

    /// Renders under way, and renders that wait.
    var busy: Int { service.products.workers.busy }
    var waiting: Int { service.products.workers.waiting }

    func advance(_ seconds: Double) { clock.advance(by: seconds) }

    static func ocm(_ cms: ScriptedCMS, _ change: (inout ChannelSettings) -> Void = { _ in }) -> ChannelSettings {
        var channel = ChannelSettings(
            name: "blog",
            kind: .ocm(OCMSettings(url: cms.server.url, channelToken: "t0ken"))
        )
        change(&channel)
        return channel
    }
}

extension RenditionOutcome {
    /// `rendition`, `stale cause` or `placeholder cause`, for short expectations.
    var summary: String {
        switch self {
        case .rendition: "rendition"
        case .stale(_, let cause): "stale \(cause.rawValue)"
        case .placeholder(_, let cause): "placeholder \(cause.rawValue)"
        }
    }
}
