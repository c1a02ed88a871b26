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
        #expect(picture.size == PixelSize(width: 20, height: 12))
        #expect(picture.source?.size == PixelSize(width: 80, height: 48))
        let bytes = try output.read(from: 0, count: output.byteCount)
        #expect(bytes.withUnsafeBytes { ImageFormat(signature: $0) } == .webp)
        #expect(bytes.withUnsafeBytes { SourceStructure(of: $0, format: .webp).end } == .complete)
        // Nobody can change it any more, the worker included.
        #expect(pwrite(output.descriptor, "x", 1, 0) < 0)

        let probed = try await pool.workers.run(
            RenderJob(.probe, limits: RenderLimits()),
            source: source,
            priority: .live
        )
        #expect(probed.reply == .probed(SourceDescription(format: .jpeg, size: PixelSize(width: 80, height: 48))))
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

    @Test func `a worker has given up its system calls and its privileges`() async throws {
        let pool = Pool(workers: 1)
        _ = try await pool.workers.run(pool.thumbnail(), source: try pool.source(), priority: .live)
        let worker = try #require(pool.workers.processes.first)
        let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
        #expect(status.contains("\nSeccomp:\t2\n"), "a filter is in force")
        #expect(status.contains("\nNoNewPrivs:\t1\n"))
        // Standard streams and the one socket; the memory files of a job are gone.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker)/fd")
        #expect(Set(open) == ["0", "1", "2", "3"])
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
                    let result = try await pool.workers.run(
                        job,
                        source: source,
                        priority: index % 3 == 0 ? .warm : .live
                    )
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
        await #expect(throws: RenderError.timedOut(after: .milliseconds(150))) {
            let job = pool.job(.none, .avif, deadline: 0.15)
            return try await pool.workers.run(job, source: source, priority: .live)
        }
        try await until { pool.workers.processes.isEmpty }
        await pool.workers.shutDown()
    }

    @Test func `a worker that dies costs one job, with the signal in the error`() async throws {
        let pool = Pool(workers: 1)
        let source = try pool.source()
        _ = try await pool.workers.run(pool.thumbnail(), source: source, priority: .live)
        let first = try #require(pool.workers.processes.first)
        kill(first, SIGSTOP)
        let lost = Task { try await pool.workers.run(pool.thumbnail(), source: source, priority: .live) }
        try await until { pool.workers.busy == 1 }
        let waits = Task { try await pool.workers.run(pool.thumbnail(), source: source, priority: .live) }
        try await until { pool.workers.waiting == 1 }
        kill(first, SIGSEGV)
        kill(first, SIGCONT)
        await #expect(throws: RenderError.crashed(signal: SIGSEGV, status: nil)) { try await lost.value }
        #expect(try await waits.value.output != nil)
        #expect(pool.metrics[.workerCrashes] == 1)
        #expect(pool.metrics[.workerStarts] == 2)
        await pool.workers.shutDown()
    }

    @Test func `a cancelled job leaves the queue, or takes its worker down`() async throws {
        let pool = Pool(workers: 1)
        let source = try pool.source()
        _ = try await pool.workers.run(pool.thumbnail(), source: source, priority: .live)
        let first = try #require(pool.workers.processes.first)
        kill(first, SIGSTOP)
        let running = Task { try await pool.workers.run(pool.thumbnail(), source: source, priority: .live) }
        try await until { pool.workers.busy == 1 }
        let queued = Task { try await pool.workers.run(pool.thumbnail(), source: source, priority: .live) }
        try await until { pool.workers.waiting == 1 }

        queued.cancel()
        await #expect(throws: RenderError.cancelled) { try await queued.value }
        try await until { pool.workers.waiting == 0 }
        running.cancel()
        await #expect(throws: RenderError.cancelled) { try await running.value }
        try await until { pool.workers.processes.isEmpty }

        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await pool.workers.run(pool.thumbnail(), source: source, priority: .live)
        }
        late.cancel()
        await #expect(throws: RenderError.cancelled) { try await late.value }
        #expect(try await pool.workers.run(pool.thumbnail(), source: source, priority: .live).output != nil)
        #expect(pool.metrics[.workerCrashes] == 0)
        await pool.workers.shutDown()
    }

    @Test func `a worker is replaced after its number of jobs`() async throws {
        let pool = Pool(workers: 1, jobsPerWorker: 2)
        let source = try pool.source()
        for _ in 0..<5 { _ = try await pool.workers.run(pool.thumbnail(), source: source, priority: .live) }
        #expect(pool.metrics[.workerStarts] == 3)
        #expect(pool.metrics[.workerCrashes] == 0)
        try await until { pool.workers.running == 1 }
        await pool.workers.shutDown()
    }

    @Test func `work beyond the queue is turned away at once, warm work is not`() async throws {
        let pool = Pool(workers: 1, queuePerWorker: 2)
        let source = try pool.source()
        _ = try await pool.workers.run(pool.thumbnail(), source: source, priority: .live)
        let first = try #require(pool.workers.processes.first)
        kill(first, SIGSTOP)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for accepted in 1...3 {
                group.addTask { _ = try await pool.workers.run(pool.thumbnail(), source: source, priority: .live) }
                try await until { pool.workers.busy + pool.workers.waiting == accepted }
            }
            let refused = await #expect(throws: RenderError.self) {
                try await pool.workers.run(pool.thumbnail(), source: source, priority: .live)
            }
            guard case .overloaded(let retryAfter) = refused else { throw RenderError.cancelled }
            #expect((Duration.seconds(1)...Duration.seconds(60)).contains(retryAfter))
            group.addTask { _ = try await pool.workers.run(pool.thumbnail(), source: source, priority: .warm) }
            try await until { pool.workers.waiting == 3 }
            kill(first, SIGCONT)
            try await group.waitForAll()
        }
        #expect(pool.metrics[.renders] == 5)
        await pool.workers.shutDown()
    }

    @Test func `live work goes first, then revalidation, then warm work`() async throws {
        let pool = Pool(workers: 1)
        let source = try pool.source()
        _ = try await pool.workers.run(pool.thumbnail(), source: source, priority: .live)
        let first = try #require(pool.workers.processes.first)
        kill(first, SIGSTOP)
        let order = try await withThrowingTaskGroup(of: WorkPriority.self) { group in
            for (index, priority) in [WorkPriority.warm, .warm, .revalidation, .live].enumerated() {
                group.addTask {
                    _ = try await pool.workers.run(pool.thumbnail(), source: source, priority: Urgency(priority))
                    return priority
                }
                try await until { pool.workers.busy + pool.workers.waiting == index + 1 }
            }
            kill(first, SIGCONT)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // The first warm job was running already.
        #expect(order == [.warm, .live, .revalidation, .warm])
        await pool.workers.shutDown()
    }

    @Test func `a program that is not there is an error that names it`() async throws {
        let pool = Pool(program: "/nowhere/rcache-render")
        await #expect(
            throws: RenderError.cannotStart(
                path: "/nowhere/rcache-render",
                reason: "posix_spawn: No such file or directory"
            )
        ) {
            try await pool.workers.run(pool.thumbnail(), source: nil, priority: .live)
        }
        await pool.workers.shutDown()
    }

    @Test(arguments: ["/bin/true", "/bin/cat"])
    func `a program that is something else costs the job, not the service`(program: String) async throws {
        let pool = Pool(program: program)
        await #expect(throws: RenderError.self) {
            try await pool.workers.run(pool.thumbnail(deadline: 1), source: nil, priority: .live)
        }
        await pool.workers.shutDown()
        #expect(pool.workers.running == 0)
    }

    @Test func `shutting down ends every job and every process, and nothing starts again`() async throws {
        let pool = Pool(workers: 2)
        let source = try pool.source()
        _ = try await pool.workers.run(pool.thumbnail(), source: source, priority: .live)
        let processes = pool.workers.processes
        kill(processes[0], SIGSTOP)
        let stuck = Task { try await pool.workers.run(pool.thumbnail(), source: source, priority: .live) }
        try await until { pool.workers.busy == 1 }
        await pool.workers.shutDown()
        await #expect(throws: RenderError.cancelled) { try await stuck.value }
        #expect(kill(processes[0], 0) == -1)
        await #expect(throws: RenderError.cancelled) {
            try await pool.workers.run(pool.thumbnail(), source: source, priority: .live)
        }
        await pool.workers.shutDown()

        let unused = Pool()
        await unused.workers.shutDown()
        await #expect(throws: RenderError.cancelled) {
            try await unused.workers.run(unused.thumbnail(), source: nil, priority: .live)
        }
    }

    @Test func `a worker inherits no descriptor, no environment, and is confined`() async throws {
        let pool = Pool(workers: 1)
        _ = try await pool.workers.run(pool.thumbnail(), source: pool.source(), priority: .live)
        let process = try #require(pool.workers.processes.first)
        // It closes the job's two descriptors right after it has answered.
        try await until {
            let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
            return Set(names ?? []) == ["0", "1", "2", "3"]
        }
        let environment = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/environ"))
        #expect(environment.split(separator: 0).count == 3)
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1"))
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8).split(separator: "\n")
        for name in ["Max address space", "Max cpu time", "Max file size"] {
            let line = try #require(limits.first { $0.hasPrefix(name) })
            #expect(!line.dropFirst(26).prefix(20).contains("unlimited"), "\(line)")
        }
        await pool.workers.shutDown()
    }

    @Test func `every error is one clause with its numbers`() {
        let texts: [(RenderError, String)] = [
            (.refused(.tooLarge(what: "frames", value: 400, limit: 300)), "frames 400 passes the limit of 300"),
            (.timedOut(after: .seconds(15)), "not rendered within the deadline of 15.0 seconds"),
            (.crashed(signal: 11, status: nil), "the render worker was ended by signal 11"),
            (.crashed(signal: nil, status: 1), "the render worker ended with status 1"),
            (.overloaded(retryAfter: .seconds(2)), "too many renders wait; there may be room in 2.0 seconds"),
        ]
        for (error, text) in texts { #expect(error.description == text) }
    }
}
