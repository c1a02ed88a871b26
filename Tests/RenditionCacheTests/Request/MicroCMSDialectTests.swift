import TestSupport
import Testing

@testable import RenditionCache

@Suite struct MicroCMSDialectTests {
    /// `expires` cases use instants of 2017 and 2100.
    private static let now = 1_800_000_000

    static let cases = ImageCase.microCMS.filter { $0.source != nil }

    @Test func `all cases are there`() {
        #expect(Self.cases.count == ImageCase.microCMS.count - 1 && Self.cases.count > 140)
    }

    @Test(arguments: cases)
    func `a request comes out as specified`(_ item: ImageCase) throws {
        let source = try #require(item.probed)
        if item.expect.status == 400 {
            #expect(throws: RequestError.self) { try MicroCMSDialect.request(query: item.params) }
            return
        }
        let request = try MicroCMSDialect.request(query: item.params)
        #expect(request.isExpired(at: Self.now) == (item.expect.status == 404))
        if item.expect.passthrough == true {
            #expect(request.outcome == .untouched || MicroCMSDialect.isUntouched(source.format))
            return
        }
        switch (item.expect.format, request.outcome) {
        case ("json"?, let outcome): #expect(outcome == .information)
        case ("blurhash"?, .blurHash(let transform)): #expect(try RenderPlan(transform, of: source).size.width == 100)
        case (_, .transform(let transform)):
            #expect(!transform.isNegotiated)
            try expect(item, try RenderPlan(transform, of: source))
        // Nothing but the original's bytes, which then have to be what is expected.
        case (_, .untouched): try expect(item, try RenderPlan(Transform(), of: source))
        default: Issue.record("\(request.outcome)")
        }
    }

    struct Text: Sendable, CustomTestStringConvertible {
        var query: String
        var text: String
        var testDescription: String { query }
    }

    @Test(arguments: [
        Text(query: "w=640&h=480&fit=max&fm=webp&q=80", text: "width=640&height=480&format=webp"),
        Text(query: "WIDTH=640&Height=480&F=MAX&FM=WebP&q=80&crop=left", text: "width=640&height=480&format=webp"),
        Text(query: "w=320&h=240&dpr=2&fit=max&fm=webp&q=80", text: "width=640&height=480&format=webp"),
        Text(query: "w=300&h=300&fit=min&fm=jpg", text: "width=300&height=300&fit=cover&format=jpeg&quality=75"),
        Text(query: "w=300&h=300&fit=crop&fm=png", text: "width=300&height=300&fit=cover&enlarge=true&format=png"),
        Text(
            query: "w=300&h=300&fit=crop&crop=top,left&fm=png",
            text: "width=300&height=300&fit=cover&enlarge=true&gravity=northwest&format=png"
        ),
        Text(query: "w=0.5&pad=10", text: "width=50%-20&enlarge=true&quality=75&padding=10,10,10,10&oversize=reduced"),
        Text(query: "bg=8f00", text: "background=ff000088&quality=75&oversize=reduced"),
        Text(query: "bg=Tomato&fm=gif", text: "background=ff6347&format=gif&oversize=reduced"),
        Text(query: "blur=20&sharp=30", text: "blur=2&sharpen=3&quality=75&effects=first&oversize=reduced"),
        Text(
            query: "txt=Hi+%26%3C%C3%A9&txt-align=top,left&txt-font=serif,bold&txtclr=f00&fm=png",
            text:
                "format=png&text=Hi%20%26%3C%C3%A9&textfont=serif&textbold=true&textcolor=ff0000&textgravity=northwest"
                + "&oversize=reduced"
        ),
        Text(
            query: "w=10&h=10&dpr=2&txt=a&txt-size=8&txt-pad=3&txt-x=1&txt-clip=middle,ellipsis&fit=crop&fm=png",
            text: "width=20&height=20&fit=cover&enlarge=true&format=png&text=a&textsize=16&textx=2&textpadding=6"
                + "&textclip=middle&textellipsis=true"
        ),
        Text(query: "auto=compress&auto=format&fm=webp", text: "format=family&quality=45&oversize=reduced"),
    ])
    func `a text has one meaning`(_ item: Text) throws {
        #expect(try TransformDialect.microcms.transform(query: item.query).canonicalText == item.text)
    }

    @Test(arguments: [
        "", "&&&", "=", "fit=crop", "dpr=3", "crop=top", "q=", "bri=0", "auto=format", "fm=mp4", "s=abc", "dl=x",
        "blend=http://x",
        "max-w=3", "orient=9", "flip=x", "mark-alpha=3", "border=,", "txt=", "txt=%20%0A", "txt-size=3", "rect=a,b,c,d",
        "hue=360", "bg=0fff",
    ])
    func `what has no effect leaves the original's bytes`(query: String) throws {
        #expect(try MicroCMSDialect.request(query: query).outcome == .untouched)
    }

    @Test(arguments: [
        ("w64=MzAw", "w=300"), ("bg64=I2YwMA", "bg=f00"), ("fm64=d2VicA&w=3", "fm=webp&w=3"),
        ("nosuch64=!!&w=3", "w=3"), ("dl64=4pyT&w=3", "dl=%E2%9C%93&w=3"),
        ("mark64=aHR0cHM6Ly9hLmIvYz93PTM&mark-alpha64=NTA", "m=https%3A%2F%2Fa.b%2Fc%3Fw%3D3&markalpha=50"),
    ])
    func `a base64 twin means its parameter`(_ twin: String, _ plain: String) throws {
        #expect(try MicroCMSDialect.request(query: twin) == MicroCMSDialect.request(query: plain))
    }

    @Test(arguments: ["w64=M", "w64=MzAw=", "w64=MzB", "w64=_w", "w64=%00", "txt64=a+b"])
    func `a base64 twin that does not decode is refused`(query: String) {
        #expect(throws: RequestError.self) { try MicroCMSDialect.request(query: query) }
    }

    @Test func `a download's name and its end are no part of the picture`() throws {
        let request = try MicroCMSDialect.request(query: "w=3&dl=a%20b.png&expires=1500000000")
        #expect(request.downloadName == "a b.png")
        #expect(request.isExpired(at: 1_500_000_000) && !request.isExpired(at: 1_499_999_999))
        #expect(request.outcome == (try MicroCMSDialect.request(query: "w=3").outcome))
        #expect(try MicroCMSDialect.request(query: "dl=").downloadName == "")
    }
}
