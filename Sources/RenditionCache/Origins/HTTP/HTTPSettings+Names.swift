extension HTTPSettings {
    /// The identifier of the picture that somebody names by identifier, by path or by URL; nil for what is none here.
    package func assetID(named text: String) -> String? {
        WebURL(url).flatMap { HTTPNaming(root: $0).picture(named: text)?.id }
    }
}
