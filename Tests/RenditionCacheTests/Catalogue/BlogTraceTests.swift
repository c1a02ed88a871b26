import RenditionCache
import TestSupport
import Testing

/// The blog sample's own requests, step by step, made with the library's public interface alone (spec OCM §13).
@Suite(.timeLimit(.minutes(2))) struct BlogTraceTests {
    @Test func `an application reads the blog as the sample does, pictures included`() async throws {
        let cms = try BlogCMS()
        let blog = try await BlogService(cms)
        let catalogue = try blog.service.catalogue(of: "blog")

        // 1, 2: the home page and its logo.
        let home = try #require(
            try await catalogue.items(
                .equals("type", "OCEGettingStartedHomePage").and(.equals("name", "HomePage")),
                fields: ["all"],
                limit: 1
            ).items.first
        )
        #expect(try home.string("company_name") == "Example Coffee")
        #expect(try home.string("about_url") == "https://www.example.com/about")
        #expect(try home.string("contact_url") == "https://www.example.com/contact")
        let logo = try #require(try home.asset("company_logo").picture)
        #expect(try await blog.bytes(logo, .native) == BlogCMS.picture(BlogCMS.logo, form: "native"))

        // 3, 4: the topics and their pictures; two of them are not published.
        let topics = try home.assets("topics")
        #expect(topics.count == 3)
        let topic = try await catalogue.item(.id(topics[0].id))
        #expect(topic.summary == "How to brew a good cup." && topic.name == "Drinks")
        let thumbnail = try #require(try topic.asset("thumbnail").picture)
        let medium = try await blog.bytes(thumbnail, .named("Medium", format: .jpeg))
        #expect(medium == BlogCMS.picture(BlogCMS.thumbnail, form: "Medium"))
        await #expect(throws: RenditionError.assetNotFound(channel: "blog", asset: topics[1].id)) {
            try await catalogue.item(.id(topics[1].id))
        }

        // 5, 6: the articles of the topic, the newest first, with their thumbnails.
        let articles = try await catalogue.items(
            .equals("type", "OCEGettingStartedArticle").and(.equals("fields.topic", topic.id)),
            orderBy: [.descending("fields.published_date")],
            limit: 50
        )
        #expect(articles.items.count == 3 && articles.total == 3 && articles.nextOffset == nil)
        #expect(try articles.items[0].date("published_date") == 1_678_435_200)
        let image = try #require(try articles.items[0].asset("image").picture)
        #expect(!(try await blog.bytes(image, .named("thumbnail", format: nil))).isEmpty)

        // 7, 8: an article with its author.
        let article = try await catalogue.item(.id(articles.items[0].id), expand: ["fields.author"])
        let author = try article.asset("author")
        #expect(author.name == "Robin Example")
        let avatar = try #require(try author.asset("avatar").picture)
        let hero = try #require(try article.asset("image_16x9").picture)
        #expect(try article.string("image_caption") == "A slow pour")
        #expect(try article.string("article_content").hasPrefix("<!DOCTYPE html>"))
        #expect(try await blog.bytes(avatar, .native) == BlogCMS.picture(BlogCMS.avatar, form: "native"))
        #expect(try await blog.bytes(hero, .native) == BlogCMS.picture(BlogCMS.hero, form: "native"))
        #expect(
            article.pictures.map(\.reference) == [
                .id(BlogCMS.inText), .id(BlogCMS.avatar), .id(image.reference.description), .id(BlogCMS.hero),
            ]
        )
        Self.check(cms.targets)
        await blog.service.shutDown()
    }

    /// Between the sample's requests lie those by which the service learns a picture's version.
    private static func check(_ targets: [String]) {
        let token = "channelToken=\(BlogCMS.token)"
        let trace = [
            "items?\(token)&fields=all&limit=1&offset=0&q=type eq \"OCEGettingStartedHomePage\" and name eq \"HomePage\""
                + "&totalResults=true",
            "assets/\(BlogCMS.logo)/native?\(token)", "items/\(BlogCMS.topic)?\(token)&expand=all",
            "assets/\(BlogCMS.thumbnail)/Medium?\(token)&format=jpg&type=responsiveimage",
            "items?\(token)&limit=50&offset=0&orderBy=fields.published_date:desc&q=type eq \"OCEGettingStartedArticle\""
                + " and fields.topic eq \"\(BlogCMS.topic)\"&totalResults=true",
            "assets/CONT4A4B4C4D4E4F50515253545556575859/thumbnail?\(token)&type=uithumbnail",
            "items/\(BlogCMS.article)?\(token)&expand=fields.author", "assets/\(BlogCMS.avatar)/native?\(token)",
            "assets/\(BlogCMS.hero)/native?\(token)",
        ]
        #expect(targets.filter(trace.contains) == trace)
        let between = targets.filter { !trace.contains($0) }
        #expect(between.allSatisfy { $0.hasPrefix("items/CO") }, "\(between)")
        // The expanded picture of the topic came with its version.
        #expect(!between.contains { $0.contains(BlogCMS.thumbnail) })
    }

    @Test func `a missing home page is an empty list, a failed picture a placeholder`() async throws {
        let cms = try BlogCMS()
        cms.remove(BlogCMS.home)
        cms.answer { $0.path.contains("/assets/") ? .init(500) : nil }
        let blog = try await BlogService(cms)
        let catalogue = try blog.service.catalogue(of: "blog")
        #expect(try await catalogue.items(.equals("name", "HomePage")).items.isEmpty)
        let topic = try await catalogue.item(.id(BlogCMS.topic))
        let picture = try #require(topic.pictures.first)
        guard case .placeholder(_, .originDown) = try await blog.service.rendition(for: picture.request()) else {
            Issue.record("the picture is there")
            return
        }
        await blog.service.shutDown()
    }
}
