/// What a stand-in looks like: the size and format that the picture would have, as far as they are known.
struct PlaceholderLook: Hashable, Sendable {
    /// The longest edge, in pixels; a larger picture's stand-in is smaller in proportion.
    private static let maxEdgePixels = 2048

    /// The size, in pixels.
    private(set) var size: PixelSize
    /// The format; one that can be written.
    private(set) var format: ImageFormat

    /// The look of a form of an asset.
    ///
    /// A form that is rendered here is planned like the picture, so that a client that shows no WebP gets no stand-in in WebP.
    ///
    /// - Parameters:
    ///   - record: what is known of the asset; its size decides the shape, else the box that is asked for, or 4:3.
    ///   - limits: what an output may be at most.
    init(of selection: RenditionRequest.Selection, record: AssetRecord?, limits: RenderLimits) {
        let shape = record?.source?.size ?? record?.asset.size ?? Self.assumedSize(selection)
        let declared = record?.asset.mediaType.flatMap(ImageFormat.init(mediaType:))
        let source = record?.source ?? SourceDescription(format: declared ?? .jpeg, size: shape)
        (size, format) = (shape, source.format)
        if let transform = selection.localTransform {
            let plan = try? RenderPlan(transform, of: source, limits: limits)
            size = plan?.size ?? transform.outputSize(of: shape)
            format = plan?.encodings.first?.format ?? transform.outputFormat(of: source)
        } else if case .named(_, let wanted?) = selection {
            format = wanted
        }
        if !format.isOutput { format = .jpeg }
        let edge = min(Self.maxEdgePixels, limits.outputEdgePixels)
        size = Transform(resize: .inside(width: edge, height: edge)).outputSize(of: size)
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
