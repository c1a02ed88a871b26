/// Finds out which picture, and which version of it, a transform's mark is.
///
/// A mark is an asset of the channel like any other: asked for, kept and checked as one. What cannot be had is left out, and the
/// selection is then that of the picture without it.
struct Marks: Sendable {
    let records: AssetRecords
    let log: Log

    /// How long an answer that lacks its mark may be kept by whoever gets it, in seconds.
    static let lackingSeconds = 60.0

    /// The selection with the mark's version in it, from what is known and fresh; nil where a mark has to be asked for.
    func fresh(_ selection: RenditionRequest.Selection, in channel: Channel) -> RenditionRequest.Selection? {
        guard let mark = selection.mark, mark.version == nil else { return selection }
        guard let reference = channel.origin.mark(mark.picture) else { return selection.marked(nil) }
        guard let known = records.known(reference, in: channel), records.verdict(known, in: channel) == .fresh else {
            return nil
        }
        return selection.marked(known.record)
    }

    /// The same from what is known, however old; asks nobody.
    func remembered(_ selection: RenditionRequest.Selection, in channel: Channel) -> RenditionRequest.Selection {
        guard let mark = selection.mark, mark.version == nil else { return selection }
        let reference = channel.origin.mark(mark.picture)
        return selection.marked(reference.flatMap { records.remembered($0, in: channel) })
    }

    /// The same, asking the channel's image host where that is due.
    ///
    /// - Parameter revalidate: begins a check of what may be used meanwhile; without it the check is waited for.
    func current(
        _ selection: RenditionRequest.Selection,
        in channel: Channel,
        options: FetchOptions,
        revalidate: ((AssetReference) -> Void)? = nil
    ) async -> RenditionRequest.Selection {
        guard let mark = selection.mark, mark.version == nil else { return selection }
        guard let reference = channel.origin.mark(mark.picture) else { return selection.marked(nil) }
        let known = await records.find(reference, in: channel)
        let verdict = known.map { records.verdict($0, in: channel) }
        if verdict == .fresh { return selection.marked(known?.record) }
        if verdict == .staleUsable, let revalidate {
            revalidate(reference)
            return selection.marked(known?.record)
        }
        var options = options
        options.progress = nil
        options.isRefresh = false
        do throws(RenditionError) {
            return selection.marked(try await records.ask(reference, in: channel, options: options).record)
        } catch {
            // The last good one, unless the host has just said that it is gone.
            let last = verdict == .expired ? nil : records.remembered(reference, in: channel)
            let word = last == nil ? "a mark is left out" : "a mark could not be checked"
            log(.info, word, ["channel": channel.name, "mark": reference.description, "cause": "\(error)"])
            return selection.marked(last)
        }
    }
}

extension RenditionRequest.Selection {
    /// The transform's mark.
    var mark: Transform.Mark? {
        if case .transform(let transform) = self { transform.mark } else { nil }
    }

    /// The selection with the version of a mark that is found, or without a mark.
    fileprivate func marked(_ record: AssetRecord?) -> Self {
        guard case .transform(var transform) = self else { return self }
        if let record {
            transform.mark?.picture = record.asset.id
            transform.mark?.version = record.version
        } else {
            transform.mark = nil
        }
        return .transform(transform)
    }
}

extension Transform.Mark {
    /// The form of the other picture that goes to the worker: a rendition, made under all the limits of one, so that bytes of
    /// strangers meet a decoder in a job of their own.
    var selection: RenditionRequest.Selection {
        switch form {
        case .rendition(let transform): return .transform(transform)
        case .native:
            var transform = Transform(format: .fixed(.png))
            transform.oversize = .reduced
            return .transform(transform)
        }
    }
}
