/// What AEM's own words are in an answer that is not a success (spec AEM §4).
enum AEMError {
    /// The messages of a GraphQL answer.
    static func messages(_ json: JSONValue) -> [String] {
        json["errors"]?.array?.compactMap { $0["message"]?.string ?? $0.string } ?? []
    }

    /// What a body says: GraphQL messages, or the detail or title of a problem (RFC 9457); HTML says nothing worth telling.
    ///
    /// May hold secrets.
    static func text(_ body: [UInt8]) -> String? {
        guard let json = JSONValue(body) else {
            let text = String(decoding: body, as: UTF8.self).trimmed
            return text.isEmpty || text.hasPrefix("<") ? nil : text
        }
        let messages = messages(json)
        if !messages.isEmpty { return messages.joined(separator: "; ") }
        return json["detail"]?.string ?? json["title"]?.string
    }

    /// The error that an answer means; why a query or an endpoint is missing is said, because the status alone would not.
    static func error(_ answer: OriginClient.FailedAnswer) -> OriginError {
        let detail = text(answer.body)
        guard case .notFound(let what) = answer.error(detail: detail), let detail else {
            return answer.error(detail: detail)
        }
        return .notFound("\(what) (\(answer.line(detail)))")
    }
}
