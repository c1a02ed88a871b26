import Testing

@testable import RenditionCache

@Suite struct MicroCMSMarkTests {
    private static let url = "mark=https%3A%2F%2Fa.b%2Fc.png"
    private static let mark = "mark=https%3A%2F%2Fa%2Eb%2Fc%2Epng"

    private func text(_ query: String) throws -> String {
        try TransformDialect.microcms.transform(query: "fm=png&" + query).canonicalText
    }

    @Test(arguments: [
        ("", ""), ("&mark-align=bottom,right", ""), ("&mark-alpha=100&mark-pad=5&mark-fit=clip", ""),
        ("&mark-alpha=25", "&markopacity=0.25"), ("&mark-alpha=x", ""), ("&mark-alpha=300", ""),
        ("&mark-align=top,left", "&markgravity=northwest"), ("&MarkAlign=Middle,Center", "&markgravity=center"),
        ("&mark-pad=8", "&markpadding=8"), ("&mark-x=3&mark-y=4&mark-pad=8", "&markx=3&marky=4"),
        ("&mark-w=20", "&marksize=width%3D20%26enlarge%3Dtrue"),
        ("&mark-w=0.5", "&marksize=width%3D50%25%26enlarge%3Dtrue"),
        ("&mark-scale=50", "&marksize=width%3D50%25%26enlarge%3Dtrue"),
        ("&mark-scale=50&mark-w=20", "&marksize=width%3D20%26enlarge%3Dtrue"),
        ("&mark-w=20&mark-fit=max", "&marksize=width%3D20"), ("&mark-w=-1&mark-h=0&mark-scale=0", ""),
        ("&mark-w=20&mark-h=10&markfit=crop", "&marksize=width%3D20%26height%3D10%26fit%3Dcover%26enlarge%3Dtrue"),
        ("&mark-w=20&mark-h=10&mark-fit=scale", "&marksize=width%3D20%26height%3D10%26fit%3Dfill%26enlarge%3Dtrue"),
        ("&mark-w=20&mark-h=10&mark-fit=fill", "&marksize=width%3D20%26height%3D10%26fit%3Dpad%26enlarge%3Dtrue"),
        ("&dpr=2", ""),
        ("%3Fw%3D3%26fm%3Dpng", "&markform=width%3D3%26enlarge%3Dtrue%26format%3Dpng%26oversize%3Dreduced"),
        ("%3Fnosuch%3D3%23top", ""),
    ])
    func `a mark is read as specified`(_ query: String, _ text: String) throws {
        #expect(try self.text(Self.url + query) == "format=png&" + Self.mark + text + "&oversize=reduced")
    }

    @Test func `lengths grow with the density, a part of the picture and a mark's own size do not`() throws {
        let read = try text("w=50&h=40&fit=max&dpr=2&mark-w=20&mark-h=0.5&mark-pad=4&mark-x=3&" + Self.url)
        #expect(
            read == "width=100&height=80&format=png&" + Self.mark
                + "&marksize=width%3D40%26height%3D50%25%26enlarge%3Dtrue&markx=6&markpadding=8"
        )
    }

    @Test(arguments: [
        "mark=", "mark=logo.png", "mark=%2Fassets%2Fs%2Fm%2Flogo.png", "mark=%2F%2Fa.b%2Fc.png",
        "mark=file%3A%2F%2F%2Fetc",
        "mark=ftp%3A%2F%2Fa.b%2Fc", "mark=https%3A%2F%2F", "mark=https%3A%2F%2Fu%3Ap%40a.b%2Fc.png",
        "mark=https%3A%2F%2Fa.b%2Fc%0A.png", "mark=https%3A%2F%2Fa.b%2Fc.png%3Ffm%3Djson",
        "mark=https%3A%2F%2Fa.b%2Fc.png%3Ffm%3Dblurhash", "mark=https%3A%2F%2Fa.b%2Fc.png%3Fw64%3DM",
        url + "&mark-alpha=0", "mark-align=top&mark-w=3",
    ])
    func `what is no picture's absolute URL, or is not to be seen, is no mark`(query: String) throws {
        #expect(try MicroCMSDialect.request(query: query).outcome == .untouched)
    }

    @Test func `scheme and host are the same in any case, and a mark's mark does not exist`() throws {
        #expect(try text("mark=HTTPS%3A%2F%2FA.B%2Fc.png") == text(Self.url))
        let inner = "https%253A%252F%252Fa.b%252Fd.png"
        #expect(try text(Self.url + "%3Fw%3D3%26mark%3D\(inner)") == text(Self.url + "%3Fw%3D3"))
        #expect(try text(Self.url + "%3Fmark%3D\(inner)") == text(Self.url))
    }

    @Test func `marks exist in no other dialect`() throws {
        #expect(try TransformDialect.aem.transform(query: "width=3&" + Self.url).mark == nil)
        #expect(throws: RequestError.self) { try TransformDialect.own.transform(query: "width=3&" + Self.url) }
    }
}
