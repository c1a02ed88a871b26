import Foundation
import RenditionModel
import TestSupport
import Testing

@testable import RenditionCache

/// What workers really take, against what they are admitted with.
@Suite(.timeLimit(.minutes(3))) struct WorkerMemoryTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let source: ImageFormat
        let size: PixelSize
        let resize: Transform.Resize
        let output: ImageFormat
        var testDescription: String { "\(size) \(source) to \(output)" }
    }

    private static let (large, medium) = (PixelSize(width: 4000, height: 3000), PixelSize(width: 2000, height: 1500))

    @Test(arguments: [
        Case(source: .jpeg, size: large, resize: .inside(width: 640, height: nil), output: .jpeg),
        Case(source: .jpeg, size: large, resize: .none, output: .jpeg),
        Case(source: .png, size: large, resize: .none, output: .webp),
        Case(source: .png, size: large, resize: .inside(width: 3000, height: nil), output: .png),
        Case(source: .webp, size: large, resize: .inside(width: 300, height: nil), output: .jpeg),
        Case(source: .png, size: medium, resize: .none, output: .avif),
        Case(source: .png, size: medium, resize: .none, output: .jxl),
    ])
    func `a worker takes no more than it was admitted with`(_ item: Case) async throws {
        let maker = Pool(workers: 1)
        // A pattern that no encoder finds easy.
        let drawing = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(item.size.width)" height="\(item.size.height)">
            <filter id="n"><feTurbulence baseFrequency="0.4" numOctaves="2"/></filter>
            <rect width="100%" height="100%" filter="url(#n)"/></svg>
            """
        var opaque = Transform(format: .fixed(item.source))
        opaque.background = .colour(.white)
        let drawn = try await maker.workers.run(
            RenderJob(.render(opaque), limits: RenderLimits(deadlineSeconds: 60)),
            source: maker.file(Array(drawing.utf8)),
            priority: .live
        )
        await maker.workers.shutDown()
        let source = try #require(drawn.output)

        let pool = Pool(workers: 1)
        let job = pool.job(item.resize, item.output, deadline: 60)
        let beginning = try source.read(from: 0, count: min(RenderJob.beginningByteCount, source.byteCount))
        let admitted = beginning.withUnsafeBytes { job.memoryBytes(beginning: $0) }
        _ = try await pool.workers.run(job, source: source, priority: .live)
        let process = try #require(pool.workers.processes.first)
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
        let peak = (Int(line.filter(\.isNumber)) ?? 0) * 1024
        #expect(peak > 10_000_000 && peak <= admitted, "\(peak / 1_000_000) MB of \(admitted / 1_000_000) MB")
        await pool.workers.shutDown()
    }
}
