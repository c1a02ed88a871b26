import RenditionModel

/// What the bytes and the header of a source say, checked against the limits before any pixel is decoded.
struct SourceProbe: ~Copyable {
    /// What the header says.
    let description: SourceDescription
    /// Remarks for the log.
    let notes: [String]

    private let bytes: UnsafeRawBufferPointer
    private let header: Raster

    /// Opens the source; `bytes` must outlive the probe and everything decoded from it.
    ///
    /// - Parameter structure: what `SourceStructure` found; a repaired end marker is already in `bytes`.
    init(
        _ bytes: UnsafeRawBufferPointer,
        format: ImageFormat,
        structure: SourceStructure,
        limits: RenderLimits
    ) throws(RenderRefusal) {
        let header = try Self.header(bytes, format: format)
        let tag = format.keepsOrientationTag ? header.metadata("orientation") ?? 1 : 1
        let orientation = (1...8).contains(tag) ? tag : 1
        let description = SourceDescription(
            format: format,
            size: orientation > 4 ? header.size.turned : header.size,
            frames: structure.frames ?? max(1, header.metadata("n-pages") ?? 1),
            hasAlpha: header.hasAlpha,
            orientation: orientation,
            isLossless: structure.isLossless
        )
        try limits.check(description)
        var notes: [String] = []
        if structure.hasProfile && !header.hasProfile { notes.append("unreadable colour profile ignored") }
        if structure.end == .missingEndMarker {
            try Self.proveWhole(bytes, format: format)
            notes.append("missing end marker accepted")
        }
        self.description = description
        self.notes = notes
        self.bytes = bytes
        self.header = header
    }

    /// What the decoder has to draw for a plan.
    func drawnSize(for plan: RenderPlan) -> PixelSize {
        DecodeScale(plan, format: description.format)?.size ?? header.size
    }

    /// What the source says about its owner.
    var rights: Rights { Rights(of: header) }

    /// Opens the pixels of a plan at the smallest scale that the decoder offers for it.
    func decoded(for plan: RenderPlan) throws(StepFailure) -> Raster {
        var options: [LoadOption] = []
        switch plan.frames {
        case .all(let count): if count > 1 { options.append(.allPages) }
        case .one(let index): options.append(.page(index))
        case .primary: if let primary = header.metadata("heif-primary"), primary > 0 { options.append(.page(primary)) }
        }
        if plan.frames.count == 1, let scale = DecodeScale(plan, format: description.format) {
            options.append(scale.option)
        }
        return try Raster(loading: bytes, loader: description.format.loader, options: options)
    }

    /// The stored pixels without a border of the corner's colour; nil to trim nothing.
    ///
    /// Decodes the first frame.
    func trimmedRegion(_ tolerance: Int?) throws(RenderRefusal) -> PixelRect? {
        guard let tolerance else { return nil }
        do throws(StepFailure) {
            var notes: [String] = []
            return try Raster(loading: bytes, loader: description.format.loader)
                .converted(.srgb, notes: &notes)
                .materialised()
                .trimmed(tolerance: tolerance)
        } catch {
            throw .undecodable(format: description.format, hint: error.hint)
        }
    }

    /// HEIF names a primary picture among its pages; every other format begins with it.
    private static func header(_ bytes: UnsafeRawBufferPointer, format: ImageFormat) throws(RenderRefusal) -> Raster {
        do throws(StepFailure) {
            let first = try Raster(loading: bytes, loader: format.loader)
            guard let primary = first.metadata("heif-primary"), primary > 0 else { return first }
            return try Raster(loading: bytes, loader: format.loader, options: [.page(primary)])
        } catch {
            throw .undecodable(format: format, hint: error.hint)
        }
    }

    /// Decodes everything, so that a source with a mended end has one verdict at every size.
    ///
    /// A JPEG decoder makes up what a scan lacks. A scan that lacks nothing ignores what comes after it, a short one takes it
    /// for pixels: so the same picture must come out whatever is put before the end marker.
    private static func proveWhole(_ bytes: UnsafeRawBufferPointer, format: ImageFormat) throws(RenderRefusal) {
        let padding: [UInt8] = format == .jpeg ? (1...64).map { $0 &* 37 & 0x7F } : []
        let other = bytes.dropLast(2) + padding + bytes.suffix(2)
        do throws(StepFailure) {
            let first = try Raster(loading: bytes, loader: format.loader)
            let isSame = try other.lending { bytes throws(StepFailure) in
                try first.isSame(as: Raster(loading: bytes, loader: format.loader))
            }
            if isSame { return }
        } catch {
            // A decoder that gives up at the end found the same thing.
        }
        throw .truncated(format: format)
    }
}

extension ImageFormat {
    /// The name of libvips' loader.
    var loader: String {
        switch self {
        case .avif, .heic: "heif"
        default: rawValue
        }
    }

    /// Whether the stored pixels still have to be turned; HEIF and JPEG XL decoders do it by their own boxes and ignore EXIF.
    fileprivate var keepsOrientationTag: Bool {
        switch self {
        case .jpeg, .png, .webp, .tiff: true
        case .gif, .avif, .heic, .jxl, .svg: false
        }
    }
}

extension PixelSize {
    /// Width and height exchanged.
    var turned: PixelSize { PixelSize(width: height, height: width) }
}
