/// Which format a client gets where a transform leaves the choice: a pure function of transform and `Accept`.
extension Transform {
    /// The transform with its format chosen for one client; as it is where there is no choice.
    ///
    /// An answer to a transform that `isNegotiated` carries `Vary: Accept`, whatever the choice was.
    package func negotiated(_ accepted: AcceptedTypes) -> Transform {
        var result = self
        let webp = accepted.names(.webp)
        func prefersAVIF(_ isListed: Bool) -> Bool {
            isListed && accepted.names(.avif) && accepted.weight(of: .avif) >= accepted.weight(of: .webp)
        }
        switch format {
        case .source, .fixed, .family, .firstFitting, .fewestBytes: return self
        case .preferWebP(let other):
            if webp { return preferringWebP(other) }
            result.format = other.map(Format.fixed) ?? .source
        case .auto(let avif):
            result.format = .firstFitting((prefersAVIF(avif) ? [.avif] : []) + (webp ? [.webp] : []))
        case .smallest(let avif):
            let formats: [ImageFormat] = avif ? [.avif, .webp] : [.webp]
            result.format = .fewestBytes(formats.filter(accepted.names))
        }
        return result.normalised
    }

    /// Every transform that negotiation can make of this one; itself alone where there is no choice.
    ///
    /// It is what `warm` makes.
    package var concreteForms: [Transform] {
        // Whoever shows AVIF shows WebP.
        let headers = [nil, "image/webp", "image/avif, image/webp"]
        var forms: [Transform] = []
        for header in headers {
            let form = negotiated(AcceptedTypes(header))
            if !forms.contains(form) { forms.append(form) }
        }
        return forms
    }

    /// Lossless in place of a format that is; a lossy one keeps its quality.
    private func preferringWebP(_ other: ImageFormat?) -> Transform {
        var result = self
        result.format = .fixed(.webp)
        result.variant = nil
        switch other {
        case .png?, .gif?: result.quality = .lossless
        case nil:
            if case .fixed(let number)? = quality { result.quality = .losslessIfSourceIs(else: number) }
            if quality == nil { result.quality = .losslessIfSourceIs(else: ImageFormat.webp.defaultQuality ?? 80) }
        default: break
        }
        return result.normalised
    }
}
