extension RenderJob {
    /// How many leading bytes of a source `memoryBytes(beginning:)` wants to see.
    public static let beginningByteCount = PictureHeader.byteCount

    /// The memory that the job is likely to take, in bytes; what the limits allow where that cannot be told.
    ///
    /// An estimate for admission, on the high side: what holds a worker in is its own limit.
    ///
    /// - Parameter beginning: the first bytes of the source, or none without one.
    public func memoryBytes(beginning: UnsafeRawBufferPointer) -> Int {
        switch task {
        case .probe: PictureHeader(beginning).map { within(decoding($0)) } ?? limits.jobBytes
        case .placeholder(let size, let format): within(encoding(size, as: [Encoding(format)]))
        case .render(let transform): rendering(transform, PictureHeader(beginning))
        }
    }

    private func rendering(_ transform: Transform, _ header: PictureHeader?) -> Int {
        // Trimming decodes the whole picture into memory.
        guard let header, transform.trim == nil else { return limits.jobBytes }
        let source = SourceDescription(format: header.format, size: header.size, hasAlpha: header.hasAlpha)
        // What is refused costs next to nothing.
        guard let plan = try? RenderPlan(transform, of: source, limits: limits) else { return within(0) }
        let scaled = product(plan.scaledRegion.area, 4)
        let held = product(plan.size.area, Self.heldBytesPerPixel)
        // Few marks are larger than what they lie on.
        let mark = transform.mark == nil ? 0 : product(plan.size.area, Self.heldBytesPerPixel)
        return within(sum(decoding(header), scaled, held, mark, encoding(plan.size, as: plan.encodings)))
    }

    /// A decoder that works from top to bottom holds some rows, any other the picture.
    private func decoding(_ header: PictureHeader) -> Int {
        product(header.isWhole ? header.size.area : header.size.width * 256, 8)
    }

    private func encoding(_ size: PixelSize, as encodings: [Encoding]) -> Int {
        product(size.area, encodings.map { Self.bytesPerPixel($0) }.max() ?? 0)
    }

    /// What the encoders take beside the pixels, on noise.
    private static func bytesPerPixel(_ encoding: Encoding) -> Int {
        switch encoding.format {
        case .jpeg, .png: 8
        case .webp: 16
        case .avif: 24
        case .gif, .jxl: 48
        case .heic, .tiff, .svg: 0
        }
    }

    /// The finished pixels, and what the steps make of them on the way.
    private static let heldBytesPerPixel = 12
    /// libvips, its codecs and their buffers.
    private static let idleBytes = 64_000_000

    private func within(_ bytes: Int) -> Int { min(limits.jobBytes, sum(Self.idleBytes, bytes)) }

    private func product(_ count: Int, _ bytes: Int) -> Int {
        let (product, overflow) = count.multipliedReportingOverflow(by: bytes)
        return overflow ? .max : product
    }

    private func sum(_ parts: Int...) -> Int {
        parts.reduce(0) { total, part in
            let (sum, overflow) = total.addingReportingOverflow(part)
            return overflow ? .max : sum
        }
    }
}
