/// An Oracle Content Management channel, read over its delivery API (spec OCM).
struct OCMOrigin: Origin {
    private let channel: String
    private let host: String
    private let requests: OCMRequests
    private let credentials: Credentials
    private let policy: OriginPolicy
    private let fetcher: Fetcher
    private let log: Log

    /// Most items a page; the server's own limit (spec OCM §4.1).
    private static let maxPage = 500
    /// Most bytes of a JSON document.
    private static let maxDocumentBytes = 32_000_000

    /// Speaks for `channel`; throws if its URL is not http or https.
    init(
        channel: String,
        settings: OCMSettings,
        allow: [String],
        fetcher: Fetcher,
        log: Log
    ) throws(OriginError) {
        guard let base = WebURL(settings.url) else {
            // Not printed, because a password may stand in it.
            throw .unreachable(.badURL("that of the channel \(channel)"))
        }
        self.channel = channel
        host = base.host
        requests = OCMRequests(base: base, channelToken: settings.channelToken)
        credentials = Credentials(settings)
        policy = OriginPolicy(origin: base, allow: allow)
        self.fetcher = fetcher
        self.log = log
    }

    /// One page of everything that is published, content items included; items may shift between pages.
    func page(offset: Int, limit: Int) async throws(OriginError) -> AssetPage {
        let listing = OCMRequests.Listing(limit: min(limit, Self.maxPage), offset: offset, fields: ["all"])
        let json = try await document(try requests.items(listing), what: "listing of \(channel)")
        guard let page = OCMListing(json, offset: offset, limit: listing.limit) else {
            throw .unusable(host: host, status: 200, detail: "JSON without a list of items")
        }
        return AssetPage(assets: page.items.map(\.asset), nextOffset: page.nextOffset, total: page.total)
    }

    /// One item, with its native and renditions if it is a digital asset.
    func asset(_ reference: AssetReference, priority: Urgency) async throws(OriginError) -> Asset {
        let options = FetchOptions(priority: priority)
        let json = try await document(try requests.item(reference), what: "asset \(reference)", options)
        guard let item = OCMItem(json) else {
            throw .unusable(host: host, status: 200, detail: "JSON without an identifier")
        }
        return item.asset
    }

    func fetchNative(
        _ asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody {
        let picture = PictureSink(asset.isPicture ? .noText : .anything, passingTo: sink)
        return try await body(try requests.native(asset.id), what: "asset \(asset.id)", into: picture, options)
    }

    /// The name `thumbnail`, in lower case, is the picture that depends on the file group (spec OCM §8.3).
    func fetchRendition(
        _ name: String,
        format: ImageFormat?,
        of asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody? {
        let url: WebURL
        if name == "thumbnail" {
            url = try requests.thumbnail(
                of: asset.id,
                fileGroup: asset.fileGroup,
                hasAdvancedVideo: asset.hasAdvancedVideo
            )
        } else {
            // Where the catalogue says what there is, asking for anything else is a request for a 404.
            let offer = asset.renditions?.first { $0.name == name }
            if asset.renditions != nil && offer == nil { return nil }
            if let offer, let format, !offer.formats.contains(where: { ImageFormat(name: $0) == format }) { return nil }
            url = try requests.rendition(name, of: asset.id, format: format?.fileExtension, type: offer?.type)
        }
        do throws(OriginError) {
            let picture = PictureSink(.picture, passingTo: sink)
            return try await body(url, what: "rendition \(name) of \(asset.id)", into: picture, options)
        } catch .notFound {
            return nil
        }
    }

    /// Fetches JSON.
    private func document(
        _ url: WebURL,
        what: String,
        _ options: FetchOptions = FetchOptions()
    ) async throws(OriginError) -> JSONValue {
        let sink = CollectingSink()
        let response = try await response(url, what: what, maxBytes: Self.maxDocumentBytes, into: sink, options)
        guard let json = JSONValue(sink.bytes) else {
            let type = response["Content-Type"] ?? "an undeclared type"
            let detail = sink.bytes.isEmpty ? "an empty body" : "something that is not JSON (\(type))"
            throw .unusable(host: host, status: response.status, detail: detail)
        }
        return json
    }

    /// Fetches a picture or file.
    private func body(
        _ url: WebURL,
        what: String,
        into sink: PictureSink,
        _ options: FetchOptions
    ) async throws(OriginError) -> FetchedBody {
        let response: FetchResponse
        do throws(OriginError) {
            response = try await self.response(url, what: what, into: sink, options)
        } catch {
            throw refusal(by: sink, status: 200) ?? error
        }
        guard !response.isNotModified else { return FetchedBody(response) }
        do { try sink.finish() } catch {
            throw refusal(by: sink, status: response.status) ?? .sink("\(error)")
        }
        // The CMS may be another rcache, whose stand-ins are not to be taken for pictures here.
        if let provenance = response["RCache-Provenance"], provenance.hasPrefix(Provenance.Maker.placeholder.rawValue) {
            throw .placeholder(host: host, cause: Provenance.cause(inFieldValue: provenance) ?? .originDown)
        }
        return FetchedBody(response)
    }

    private func refusal(by sink: PictureSink, status: Int) -> OriginError? {
        sink.refusal.map { .unusable(host: host, status: status, detail: $0.description) }
    }

    /// Fetches, and turns every answer but a good one into an error.
    private func response(
        _ url: WebURL,
        what: String,
        maxBytes: Int? = nil,
        into sink: any ByteSink,
        _ options: FetchOptions
    ) async throws(OriginError) -> FetchResponse {
        var request = FetchRequest(url: url, ownHeaders: credentials.headers, policy: policy, maxBytes: maxBytes)
        request.priority = options.priority
        request.validators.entityTag = options.entityTag
        let response: FetchResponse
        do throws(FetchError) {
            response = try await fetcher.fetch(request, into: sink, progress: options.progress)
        } catch {
            throw OriginError(error)
        }
        // A 304 that nobody asked for says nothing.
        if response.isGood || (response.isNotModified && options.entityTag != nil) { return response }
        let failure = OCMError(status: response.status, body: response.errorBody)
        log(.debug, "origin did not answer with success", ["channel": channel, "url": url, "status": response.status])
        throw failure.originError(
            host: response.url.host,
            what: what,
            retryAfter: response.retryAfter(now: SystemClock.seconds()),
            redact: credentials.redacting
        )
    }
}

extension OriginError {
    /// What a broken transfer means.
    init(_ error: FetchError) {
        switch error {
        case .tooLarge(_, let limit): self = .tooLarge(limit: limit)
        case .sink(let reason): self = .sink(reason)
        case .cancelled: self = .cancelled
        default: self = .unreachable(error)
        }
    }
}

extension FetchedBody {
    /// What a response says about the body that came with it.
    init(_ response: FetchResponse) {
        self.init(
            mediaType: response["Content-Type"].map { String($0.prefix { $0 != ";" }).trimmed.lowercased() },
            entityTag: response["ETag"],
            modifiedSeconds: response["Last-Modified"].flatMap { HTTPDate.parse($0) },
            isNotModified: response.isNotModified
        )
    }
}
