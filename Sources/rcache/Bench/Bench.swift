import Dispatch
import Glibc
import RenditionCache
import RenditionServer
import Synchronization

/// Measures this installation on a folder of pictures: renders, hits over HTTP, and a warm from another rcache.
struct Bench {
    /// What was measured.
    struct Report {
        var pictures = 0
        var jpegPerSecond = 0.0, webpPerSecond = 0.0
        var hitsPerSecond = 0.0, hitMegabytesPerSecond = 0.0
        var hitMedianSeconds = 0.0, hit99Seconds = 0.0
        var warmPicturesPerSecond = 0.0, warmMegabytesPerSecond = 0.0
    }

    /// The pictures.
    let photos: String
    /// A folder of our own for caches.
    let scratch: String
    /// How long each part runs, in seconds.
    let seconds: Double
    let say: (String) -> Void

    func run() async throws -> Report {
        var report = Report()
        let service = try await RenditionService.open(configuration("origin", .folder(path: photos)))
        do {
            let assets = try await pictures(service)
            report.pictures = assets.count
            say("rendering \(assets.count) pictures to 640 pixels")
            report.jpegPerSecond = try await renders(service, assets, .jpeg)
            report.webpPerSecond = try await renders(service, assets, .webp)
            let server = try Server.start(service, settings: Self.anyPort)
            say("answering hits")
            try await hits(service, assets, port: server.port, &report)
            say("warming from another rcache")
            try await warm(port: server.port, &report)
            await server.stop()
        } catch {
            await service.shutDown()
            throw error
        }
        await service.shutDown()
        return report
    }

    private static var anyPort: ServerSettings {
        var settings = ServerSettings()
        settings.port = 0
        return settings
    }

    private func configuration(_ name: String, _ kind: ChannelSettings.Kind) -> Configuration {
        var configuration = Configuration()
        configuration.cache.directory = "\(scratch)/\(name)"
        configuration.channels = [ChannelSettings(name: "bench", kind: kind)]
        return configuration
    }

    /// The pictures that can be rendered; at most 64.
    private func pictures(_ service: RenditionService) async throws -> [Asset] {
        var whole: [Asset] = []
        for asset in try await service.assets(in: "bench", limit: 64).assets {
            let request = RenditionRequest(
                channel: "bench",
                asset: .id(asset.id),
                selection: .named("Medium", format: .jpeg)
            )
            if case .rendition = try await service.rendition(for: request) { whole.append(asset) }
        }
        guard !whole.isEmpty else { throw Failure(.failures, "\(photos) holds no picture that can be rendered") }
        return whole
    }

    /// Renders a second at 640 pixels, as many at a time as there are cores; every one is a miss.
    private func renders(_ service: RenditionService, _ assets: [Asset], _ format: ImageFormat) async throws -> Double {
        let began = ContinuousClock.now
        let next = Turns()
        let width = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let limit = seconds
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask {
                    while began.duration(to: .now).seconds < limit {
                        let number = next.take()
                        // A different height makes a different key of the same work.
                        let size = Transform.Resize.inside(width: 640, height: 8192 - number / assets.count % 4000)
                        let transform = Transform(resize: size, format: .fixed(format), quality: 80)
                        let asset = AssetReference.id(assets[number % assets.count].id)
                        _ = try await service.rendition(
                            for: RenditionRequest(channel: "bench", asset: asset, selection: .transform(transform))
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
        return Double(next.take()) / began.duration(to: .now).seconds
    }

    /// Cached Medium renditions over HTTP, on as many connections as there are cores.
    private func hits(
        _ service: RenditionService,
        _ assets: [Asset],
        port: Int,
        _ report: inout Report
    ) async throws {
        let targets = assets.map { "/v1/bench/\(ServeCommand.encoded($0.id))/Medium.jpg" }
        let limit = seconds
        let results: [Result<Load, SystemError>] = await withTaskGroup(of: Result<Load, SystemError>.self) { group in
            for _ in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
                group.addTask {
                    await withCheckedContinuation { done in
                        DispatchQueue.global().async {
                            done.resume(returning: Load.run(targets, port: port, seconds: limit))
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var all = Load()
        for result in results { all.add(try result.get()) }
        let sorted = all.latencies.sorted()
        report.hitsPerSecond = Double(sorted.count) / limit
        report.hitMegabytesPerSecond = Double(all.bytes) / limit / 1e6
        report.hitMedianSeconds = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        report.hit99Seconds = sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
    }

    private func warm(port: Int, _ report: inout Report) async throws {
        let ocm = ChannelSettings.Kind.ocm(OCMSettings(url: "http://127.0.0.1:\(port)"))
        let service = try await RenditionService.open(configuration("warmed", ocm))
        let plan = WarmPlan(channel: "bench", selections: [.native, .named("Thumbnail", format: .jpeg)])
        for try await event in service.warm(plan) {
            if case .finished(let summary) = event, summary.seconds > 0 {
                report.warmPicturesPerSecond = Double(summary.done) / summary.seconds
                report.warmMegabytesPerSecond = Double(summary.fetchedBytes) / summary.seconds / 1e6
            }
        }
        await service.shutDown()
    }
}

/// Numbers that are given out once each.
final class Turns: Sendable {
    private let next = Atomic(0)
    func take() -> Int { next.add(1, ordering: .relaxed).oldValue }
}

/// What one connection did.
struct Load: Sendable {
    var latencies: [Double] = []
    var bytes = 0

    mutating func add(_ other: Load) {
        latencies += other.latencies
        bytes += other.bytes
    }

    /// Asks for the targets in turn for so many seconds.
    ///
    /// Blocks.
    static func run(_ targets: [String], port: Int, seconds: Double) -> Result<Load, SystemError> {
        do throws(SystemError) {
            var client = try LoadClient(port: port)
            var load = Load()
            let began = ContinuousClock.now
            var last = began
            while began.duration(to: last).seconds < seconds {
                load.bytes += try client.get(targets[load.latencies.count % targets.count])
                let now = ContinuousClock.now
                load.latencies.append(last.duration(to: now).seconds)
                last = now
            }
            return .success(load)
        } catch {
            return .failure(error)
        }
    }
}
