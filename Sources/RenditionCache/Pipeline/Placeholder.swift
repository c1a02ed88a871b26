import Synchronization

/// Draws the stand-ins that are shown while a picture cannot be had; they are kept in memory only.
final class Placeholder: Sendable {
    private struct Look: Hashable {
        let size: PixelSize
        let format: ImageFormat
    }

    /// Different stand-ins that are kept ready.
    private static let capacity = 64
    /// The longest edge of a stand-in, in pixels; a larger picture's is drawn smaller in proportion.
    private static let maxEdgePixels = 2048

    private let workers: RenderWorkers
    private let limits: RenderLimits
    private let drawn = Mutex<[Look: [UInt8]]>([:])
    private let flights = Flights<Look, [UInt8]>()

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
        let look = Self.look(of: selection, record: record)
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
    private func bytes(_ look: Look) async throws(RenditionError) -> [UInt8] {
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

    private func draw(_ look: Look) async throws(RenderError) -> [UInt8] {
        let job = RenderJob(.placeholder(look.size, look.format), limits: limits)
        let result = try await workers.run(job, source: nil, priority: .live)
        guard let output = result.output, let bytes = try? output.read(from: 0, count: output.byteCount) else {
            // A sealed memory file that cannot be read means that the worker's answer never was complete.
            throw .crashed(signal: nil, status: nil)
        }
        return bytes
    }

    private static func look(of selection: RenditionRequest.Selection, record: AssetRecord?) -> Look {
        let known = record?.source?.size ?? record?.asset.size
        let shape = known ?? assumedSize(selection)
        let sourceFormat = record?.source?.format ?? record?.asset.mediaType.flatMap(ImageFormat.init(mediaType:))
        var size = shape
        var format = sourceFormat
        switch selection {
        case .native: break
        case .named(_, let wanted):
            if let transform = selection.localTransform { size = transform.outputSize(of: shape) }
            format = wanted ?? sourceFormat
        case .transform(let transform):
            size = transform.outputSize(of: shape)
            if case .fixed(let wanted) = transform.format { format = wanted }
        }
        let drawable = format.flatMap { $0.isOutput ? $0 : nil } ?? .jpeg
        let inside = Transform(resize: .inside(width: maxEdgePixels, height: maxEdgePixels))
        return Look(size: inside.outputSize(of: size), format: drawable)
    }

    /// Without a word about the asset, the asked-for box itself, or 4:3.
    private static func assumedSize(_ selection: RenditionRequest.Selection) -> PixelSize {
        let box = selection.localTransform.flatMap { $0.resize.mode == .automatic ? nil : $0.resize }
        func pixels(_ side: Transform.Length?) -> Int? { side?.fixed.map { Int(min(max(1, $0.rounded()), 8192)) } }
        switch (pixels(box?.width), pixels(box?.height)) {
        case (let width?, let height?): return PixelSize(width: width, height: height)
        case (let width?, nil): return PixelSize(width: width, height: max(1, width * 3 / 4))
        case (nil, let height?): return PixelSize(width: max(1, height * 4 / 3), height: height)
        case (nil, nil): return PixelSize(width: 2048, height: 1536)
        }
    }
}

extension ImageFormat {
    /// The format that a declared media type means.
    init?(mediaType: String) {
        guard mediaType.hasPrefix("image/") else { return nil }
        let subtype = mediaType.dropFirst("image/".count)
        self.init(name: subtype == "svg+xml" ? "svg" : subtype)
    }
}
