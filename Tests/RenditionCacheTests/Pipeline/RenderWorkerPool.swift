import Foundation
import RenditionModel
import TestSupport

@testable import RenditionCache

/// A pool of real workers, and small jobs for it.
struct Pool: Sendable {
    let workers: RenderWorkers
    let metrics = Metrics()
    private let folder: Result<TemporaryFolder, any Error>

    init(workers: Int = 2, queuePerWorker: Int = 4, jobsPerWorker: Int = 500, program: String? = nil) {
        var settings = RenderSettings()
        settings.workers = workers
        settings.queuePerWorker = queuePerWorker
        settings.jobsPerWorker = jobsPerWorker
        settings.program = program
        self.workers = RenderWorkers(settings: settings, metrics: metrics, log: .silent)
        folder = Result { try TemporaryFolder() }
    }

    /// A photograph of 80 × 48 pixels, as an open file.
    func source() throws -> OpenFile {
        try file(TestJPEG(10, 6) { x, y in [x * 20 + y, 100 + x, 140 - y] }.bytes)
    }

    /// An open file of these bytes.
    func file(_ bytes: [UInt8]) throws -> OpenFile {
        let path = try folder.get().write(bytes, to: UUID().uuidString)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open", code: errno) }
        return OpenFile(owning: descriptor, byteCount: bytes.count)
    }

    func thumbnail(deadline: Double = 15) -> RenderJob {
        job(.inside(width: 20, height: nil), .webp, deadline: deadline)
    }

    func job(_ resize: Transform.Resize, _ format: ImageFormat, deadline: Double = 15) -> RenderJob {
        let limits = RenderLimits(deadlineSeconds: deadline)
        return RenderJob(.render(Transform(resize: resize, format: .fixed(format))), limits: limits)
    }
}
