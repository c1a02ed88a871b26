import RenditionCache

/// One header field of an answer.
struct HeaderField: Equatable, Sendable {
    /// The name, as it is sent.
    var name: String
    /// The value.
    var value: String

    /// A field.
    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Tells caches that clients who accept other formats may get another answer (RFC 9110 §12.5.5).
    static let varyByAccept = HeaderField("Vary", "Accept")
}

/// Says in header fields what is known of a picture; a pure function of the picture and the time.
enum ResponseHead {
    /// All fields but Content-Length and Date, which the server library adds.
    ///
    /// - Parameter now: seconds since 1970.
    static func fields(_ picture: Picture, now: Double) -> [HeaderField] {
        let rendition = picture.rendition
        var fields = [
            HeaderField("Content-Type", rendition.mediaType),
            HeaderField("X-Content-Type-Options", "nosniff"),
            HeaderField("RCache-Provenance", rendition.provenance.fieldValue),
            HeaderField("Cache-Status", cacheStatus(picture, now: now)),
            HeaderField("Cache-Control", cacheControl(picture)),
            HeaderField("Content-Disposition", disposition(picture)),
        ]
        if rendition.format == .svg || rendition.format == nil {
            // Scripts in what is not a raster picture must not run with this origin's rights.
            fields.append(HeaderField("Content-Security-Policy", "sandbox; default-src 'none'"))
        }
        if picture.query.accepted != nil { fields.append(.varyByAccept) }
        guard !picture.isPlaceholder else { return fields }
        fields.append(HeaderField("Age", String(age(rendition, now: now))))
        fields.append(HeaderField("Accept-Ranges", "bytes"))
        if let tag = rendition.entityTag { fields.append(HeaderField("ETag", tag)) }
        // A time to come is no validator: a change before then would have the same (RFC 9110 §8.8.2.1).
        if let seconds = rendition.modifiedSeconds, seconds <= now {
            fields.append(HeaderField("Last-Modified", HTTPDate.format(seconds: seconds)))
        }
        return fields
    }

    /// Whole seconds since the bytes were last known to be right (RFC 9111 §5.1).
    static func age(_ rendition: Rendition, now: Double) -> Int {
        max(0, whole(now.rounded(.down) - rendition.validatedSeconds.rounded(.down)))
    }

    /// Whole seconds, never beyond 2³¹, which stands for any longer time (RFC 9111 §1.2.2).
    private static func whole(_ seconds: Double) -> Int {
        seconds.isNaN ? 0 : Int(min(max(seconds.rounded(.down), -2_147_483_648), 2_147_483_648))
    }

    /// The whole lifetime, not what is left of it: whoever reads this takes `Age` off (RFC 9111 §4.2).
    private static func cacheControl(_ picture: Picture) -> String {
        guard !picture.isPlaceholder else { return "no-store" }
        if picture.query.caching != .never, picture.isOld {
            // Whatever lifetime the URL promises, this is not what it promises it for.
            return "public, max-age=0"
        }
        switch picture.query.caching {
        case .lifetime: return "public, max-age=\(max(0, whole(picture.rendition.lifetimeSeconds)))"
        case .window(let seconds): return "public, max-age=\(seconds)"
        case .never: return "private, no-store"
        }
    }

    /// RFC 9211 §2; `ttl` is negative for what is stale.
    private static func cacheStatus(_ picture: Picture, now: Double) -> String {
        let rendition = picture.rendition
        let ttl = whole(rendition.validatedSeconds + rendition.lifetimeSeconds - now)
        switch picture.handling {
        case .hit: return "rcache; hit; ttl=\(ttl)"
        case .miss where rendition.provenance.staleSeconds != nil: return "rcache; hit; ttl=\(ttl)"
        case .miss: return "rcache; fwd=miss" + (rendition.provenance.isStored ? "; stored" : "")
        case .stale(let cause): return "rcache; fwd=stale; ttl=\(ttl); detail=\(cause.rawValue)"
        case .placeholder(let cause): return "rcache; fwd=miss; detail=\(cause.rawValue)"
        }
    }

    private static func disposition(_ picture: Picture) -> String {
        let rendition = picture.rendition
        return (picture.query.disposition ?? ContentDisposition(mediaType: rendition.mediaType))
            .fieldValue(fileName: rendition.fileName)
    }
}

extension Picture {
    /// Whether it is known to be out of date, or would be replaced if its origin could be asked.
    fileprivate var isOld: Bool {
        if case .stale = handling { return true }
        return rendition.provenance.staleSeconds != nil
    }

    /// Whether it only stands in for the picture.
    var isPlaceholder: Bool {
        if case .placeholder = handling { return true }
        return rendition.provenance.maker == .placeholder
    }
}
