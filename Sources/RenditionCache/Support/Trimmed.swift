extension StringProtocol {
    /// Without white space at either end.
    var trimmed: String {
        let rest = drop { $0.isWhitespace }
        return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) } ?? ""
    }
}
