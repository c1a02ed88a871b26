import Foundation
import RenditionModel
import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(2))) struct RenderWorkersTests {
    @Test func `a picture goes through a worker and comes back rendered`() async throws {
        let pool = Pool()
        #expect(pool.workers.running == 0)
        let source = try pool.source()
        let result = try await pool.workers.run(pool.thumbnail(), source: source, priority: .live)
        let output = try #require(result.output)
        guard case .rendered(let picture) = result.reply else { Issue.record("\(result.reply)"); return }
        #expect(picture.size == PixelSize(width: 20, height: 15))
        #expect(picture.source?.size == PixelSize(width: 80, height: 60))
        let bytes = try output.read(from: 0, count: output.byteCount)
        #expect(bytes.withUnsafeBytes { ImageFormat(signature: $0) } == .webp)
        #expect(bytes.withUnsafeBytes { SourceStructure(of: $0, format: .webp).end } == .complete)
        // Nobody can change it any more, the worker included.
        #expect(pwrite(output.descriptor, "x", 1, 0) < 0)

        let probed = try await pool.workers.run(RenderJob(.probe, limits: RenderLimits()), source: source, priority: .live)
        #expect(probed.reply == .probed(SourceDescription(format: .jpeg, size: PixelSize(width: 80, height: 60))))
        #expect(probed.output == nil)
        #expect(pool.workers.running == 1)
        #expect(pool.metrics[.renders] == 1)
        #expect(pool.metrics[.workerStarts] == 1)
        await pool.workers.shutDown()
        #expect(pool.workers.running == 0)
    }

    @Test func `a refusal is an error, and the worker goes on`() async throws {
        let pool = Pool()
        let source = try pool.file(Array("<html>503</html>".utf8))
        for _ in 0..<3 {
            await #expect(throws: RenderError.refused(.notAnImage)) {
                try await pool.workers.run(pool.thumbnail(), source: source, priority: .live)
            }
        }
        #expect(pool.metrics[.renderRefusals] == 3)
        #expect(pool.metrics[.workerStarts] == 1)
        await pool.workers.shutDown()
    }

    @Test func `two hundred jobs at once all come back, each with its own answer`() async throws {
        let pool = Pool(workers: 2, queuePerWorker: 200)
        let source = try pool.source()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let width = 1 + index % 80
                    let job = pool.job(.inside(width: width, height: nil), .png)
                    let result = try await pool.workers.run(job, source: source, priority: index % 3 == 0 ? .warm : .live)
                    guard case .rendered(let picture) = result.reply else { throw RenderError.cancelled }
                    #expect(picture.size.width == width)
                }
            }
            try await group.waitForAll()
        }
        #expect(pool.metrics[.renders] == 200)
        #expect(pool.metrics[.workerStarts] == 2)
        await pool.workers.shutDown()
    }

    @Test func `a worker that does not answer is killed at the deadline and replaced`() async throws {
        let pool = Pool(workers: 1)
        let source = try pool.source()
        _ = try await pool.workers.run(pool.thumbnail(), source: source, priority: .live)
        let first = try #require(pool.workers.processes.first)
        kill(first, SIGSTOP)
        await #expect(throws: RenderError.timedOut(after: .milliseconds(300))) {
            try await pool.workers.run(pool.thumbnail(deadline: 0.3), source: source, priority: .live)
        }
        #expect(pool.metrics[.renderTimeouts] == 1)
        _ = try await pool.workers.run(pool.thumbnail(), source: source, priority: .live)
        #expect(pool.workers.processes != [first])
        #expect(kill(first, 0) == -1, "the process is gone")
        await pool.workers.shutDown()
    }

    @Test func `an encoder that runs away is stopped`() async throws {
        let pool = Pool(workers: 1)
        // Noise of 2.5 MP keeps the AV1 encoder busy for many times the deadline.
        let noise = TestJPEG(240, 160) { x, y in [(x &* 7919 ^ y &* 104_729) % 256, 128, 128] }
        let source = try pool.file(noise.bytes)
        let began = ContinuousClock.now
        await #expect(throws: RenderError.timedOut(after: .milliseconds(150))) {
            let job = pool.job(.none, .avif, deadline: 0.15)
            return try await pool.workers.run(job, source: source, priority: .live)
        }
        #expect(began.duration(to: .now) < .seconds(5))
        await pool.workers.shutDown()
    }

    @Test func `a worker that dies costs one job, with the signal in the error`() async throws {
        let pool = Pool(workers: 1)
        let source = try pool.source()
        _ = try await pool.workers.run(pool.thumbnail(), source: source, priority: .live)
        let first = try #require(pool.workers.processes.first)
        kill(first, SIGSTOP)
        async let lost = pool.workers.run(pool.thumbnail(), source: source, priority: .live)
        try await pool.until { pool.workers.waiting == 1 }
        async let waits = pool.workers.run(pool.thumbnail(), source: source, priority: .live)
        try await pool.until { pool.workers.waiting == 1 }
        kill(first, SIGSEGV)
        kill(first, SIGCONT)
        await #expect(throws: RenderError.crashed(signal: SIGSEGV, status: nil)) { try await lost }
        #expect(try await waits.output != nil)
        #expect(pool.metrics[.workerCrashes] == 1)
        #expect(pool.metrics[.workerStarts] == 2)
        await pool.workers.shutDown()
    }
}
