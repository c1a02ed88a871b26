import Synchronization

/// Draws the stand-ins that are shown while a picture cannot be had; they are kept in memory only.
final class Placeholder: Sendable {
    /// Different stand-ins that are kept ready.
    private static let capacity = 64

    private let workers: RenderWorkers
    private let limits: RenderLimits
    private let drawn = Mutex<[PlaceholderLook: [UInt8]]>([:])
    private let flights = Flights<PlaceholderLook, [UInt8]>()

    init(workers: RenderWorkers, limits: RenderLimits) {
        self.workers = workers
        self.limits = limits
    }

    /// A stand-in of the size and format that the picture would have.
    ///
    /// - Parameter record: what is known of the asset; its size decides the shape, else 4:3 is assumed.
    func rendition(
        for selection: RenditionRequest.Selection,
        record: AssetRecord?,
        cause: PlaceholderCause,
        nowSeconds: Double
    ) async throws(RenditionError) -> Rendition {
        let look = PlaceholderLook(of: selection, record: record, limits: limits)
        let bytes = try await bytes(look)
        return Rendition(
            body: .memory(bytes),
            digest: Digest(of: bytes),
            format: look.format,
            mediaType: look.format.mediaType,
            size: look.size,
            entityTag: nil,
            modifiedSeconds: nil,
            fileName: "placeholder.\(look.format.fileExtension)",
            provenance: Provenance(.placeholder, cause: cause, isStored: false),
            validatedSeconds: nowSeconds,
            lifetimeSeconds: 0
        )
    }

    /// Drawn once, however many are sent away at the same time: a storm must not fill the queue with one job over and over.
    private func bytes(_ look: PlaceholderLook) async throws(RenditionError) -> [UInt8] {
        if let ready = drawn.withLock({ $0[look] }) { return ready }
        return try await flights.run(look) {
            if let ready = self.drawn.withLock({ $0[look] }) { return .success(ready) }
            do throws(RenderError) {
                let bytes = try await self.draw(look)
                self.drawn.withLock { drawn in
                    if drawn.count >= Self.capacity { drawn.removeAll() }
                    drawn[look] = bytes
                }
                return .success(bytes)
            } catch {
                return .failure(RenditionError(error))
            }
        }
    }

    private func draw(_ look: PlaceholderLook) async throws(RenderError) -> [UInt8] {
        let job = RenderJob(.placeholder(look.size, look.format), limits: limits)
        let result = try await workers.run(job, source: nil, priority: .live)
        guard let output = result.output, let bytes = try? output.read(from: 0, count: output.byteCount) else {
            // A sealed memory file that cannot be read means that the worker's answer never was complete.
            throw .crashed(signal: nil, status: nil)
        }
        return bytes
    }
}
