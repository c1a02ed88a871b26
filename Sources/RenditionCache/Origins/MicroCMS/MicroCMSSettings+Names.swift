extension MicroCMSSettings {
    /// The identifier of the picture that somebody names by identifier, by path or by URL; nil for what is none here.
    ///
    /// - Parameter allow: further hosts whose pictures belong to the channel.
    package func assetID(named text: String, allow: [String]) -> String? {
        MicroCMSNaming(imageHosts: pictureOrigins, allow: allow).picture(named: text)?.id
    }

    /// The image hosts as origins; at the end the content API itself, as another rcache has its pictures beside its contents.
    ///
    /// One that is written without a scheme is reached over https, unless it is the content API itself.
    ///
    /// What is no host is left out; a channel with one does not open.
    var pictureOrigins: [WebURL] {
        let api = WebURL(url)
        let hosts = imageHosts.compactMap { text -> WebURL? in
            guard !text.contains("://"), let api, let here = WebURL("\(api.scheme)://\(text)"),
                here.isSameOrigin(as: api)
            else { return Self.origin(text) }
            return WebURL(api.root)
        }
        return hosts + [api].compactMap { $0.flatMap { WebURL($0.root) } }
    }

    /// The origin that a text names.
    static func origin(_ imageHost: String) -> WebURL? {
        WebURL(imageHost.contains("://") ? imageHost : "https://\(imageHost)").flatMap { WebURL($0.root) }
    }

    /// What is wrong with the endpoints and image hosts.
    var problemsOfItsOwn: [Configuration.Problem] {
        var problems: [Configuration.Problem] = []
        for text in endpoints {
            do throws(RequestError) {
                _ = try MicroCMSEndpoint(text)
            } catch {
                problems.append(.init(path: ["endpoints"], message: error.description))
            }
        }
        for host in imageHosts where Self.origin(host) == nil {
            problems.append(
                .init(path: ["imageHosts"], message: "one of them is neither a host nor an http or https URL")
            )
        }
        return problems
    }
}
