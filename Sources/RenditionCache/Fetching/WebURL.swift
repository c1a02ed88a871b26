import CCurl

/// An absolute http or https URL, taken apart by libcurl itself, so that what is judged is what is connected to.
struct WebURL: Hashable, Sendable, CustomStringConvertible {
    /// The whole, normalised, without a fragment; may hold a secret in its query.
    let text: String
    /// `http` or `https`.
    let scheme: String
    /// Lower case; an IPv6 address with its brackets.
    let host: String
    /// The port, also where the URL leaves it to the scheme.
    let port: Int

    /// The URL that the text spells; nil unless it is absolute, http or https, without user and password.
    init?(_ text: String) { self.init(text, base: nil) }

    /// Where a `Location` field leads from here (RFC 9110 §10.2.2); nil if it is no usable target.
    func resolving(_ location: String) -> WebURL? { WebURL(location, base: text) }

    /// Whether the scheme, the host and the port are the same.
    func isSameOrigin(as other: WebURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// The scheme, the host and, unless it is the scheme's own, the port: `https://ocm.example.com`.
    var root: String {
        let isDefault = port == (scheme == "https" ? 443 : 80)
        return isDefault ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    /// The URL without its query, where secrets are.
    var redacted: String { String(text.prefix { $0 != "?" }) }

    /// The same as `redacted`, so that no secret is printed by accident.
    var description: String { redacted }

    private init?(_ text: String, base: String?) {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_DISALLOW_USER | CURLU_URLENCODE)
        if let base { guard curl_url_set(handle, CURLUPART_URL, base, flags) == CURLUE_OK else { return nil } }
        // A fragment is never sent (RFC 9110 §4.2.5).
        guard curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK,
            curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0) == CURLUE_OK,
            let whole = Self.part(CURLUPART_URL, of: handle), let scheme = Self.part(CURLUPART_SCHEME, of: handle),
            let host = Self.part(CURLUPART_HOST, of: handle),
            let port = Self.part(CURLUPART_PORT, of: handle, flags: CURLU_DEFAULT_PORT).flatMap({ Int($0) }),
            ["http", "https"].contains(scheme.lowercased()), !host.isEmpty
        else { return nil }
        self.text = whole
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer, flags: Int32 = 0) -> String? {
        var pointer: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &pointer, UInt32(flags)) == CURLUE_OK, let pointer else { return nil }
        defer { curl_free(pointer) }
        return String(cString: pointer)
    }
}
