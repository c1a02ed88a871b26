extension RenditionError {
    /// An origin's failure as the request's.
    init(_ error: OriginError) {
        self = error == .cancelled || error == .unreachable(.cancelled) ? .cancelled : .origin(error)
    }

    /// A worker's failure as the request's.
    init(_ error: RenderError) { self = error == .cancelled ? .cancelled : .render(error) }

    /// Why a last good version or a placeholder stands in; nil where the request itself fails.
    var placeholderCause: PlaceholderCause? {
        switch self {
        case .origin(let error): error.placeholderCause
        case .render(let error): error.placeholderCause
        case .cache: .overloaded
        case .unknownChannel, .request, .assetNotFound, .renditionNotFound, .notCached, .cancelled, .closed: nil
        }
    }
}

extension RenditionError {
    /// The same for one form; nil also where its transform is at fault, so that whoever wrote it hears what to change.
    ///
    /// A name is not to blame for what it comes to with an odd source: a stand-in keeps its place.
    func placeholderCause(for selection: RenditionRequest.Selection) -> PlaceholderCause? {
        if case .transform = selection, case .render(.refused(let refusal)) = self, refusal.isOfRequest { return nil }
        return placeholderCause
    }
}

extension PlaceholderCause {
    /// Whether only the origin is at fault, so that what is here already is still good.
    var isOfOrigin: Bool {
        switch self {
        case .originDown, .timeout, .forbidden: true
        case .notFound, .undecodable, .tooLarge, .notAnImage, .overloaded: false
        }
    }
}

extension OriginError {
    fileprivate var placeholderCause: PlaceholderCause {
        switch self {
        case .notFound: .notFound
        case .forbidden: .forbidden
        case .placeholder(_, let cause): cause
        case .tooLarge, .unreachable(.tooLarge): .tooLarge
        case .unreachable(.timedOut): .timeout
        case .unusable, .busy, .unreachable, .folderMissing, .notEnumerable, .cancelled: .originDown
        case .sink: .overloaded
        }
    }
}

extension RenderError {
    fileprivate var placeholderCause: PlaceholderCause {
        switch self {
        case .refused(.notAnImage): .notAnImage
        case .refused(.tooLarge): .tooLarge
        case .refused, .crashed: .undecodable
        case .timedOut: .timeout
        case .cannotStart, .overloaded, .cancelled: .overloaded
        }
    }
}
