import Testing

@testable import RenditionCache

@Suite struct WarmSelectionTests {
    static let presets = ["hero": Transform(resize: .inside(width: 1600, height: nil), quality: 80)]

    struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        var selection: RenditionRequest.Selection
        var ignoringCase = false
        var testDescription: String { text }
    }

    @Test(arguments: [
        Case(text: "native", selection: .native), Case(text: "NATIVE", selection: .native, ignoringCase: true),
        Case(text: "Native", selection: .named("Native", format: nil)),
        Case(text: "native.webp", selection: .transform(Transform(format: .fixed(.webp)))),
        Case(text: "Medium", selection: .named("Medium", format: nil)),
        Case(text: "medium", selection: .named("medium", format: nil)),
        Case(text: "medium.JPG", selection: .named("Medium", format: .jpeg), ignoringCase: true),
        Case(text: "Medium.gif", selection: .named("Medium", format: .gif)),
        Case(text: "Wide.v2", selection: .named("Wide.v2", format: nil)),
        Case(text: "wide", selection: .named("wide", format: nil), ignoringCase: true),
        Case(text: "hero", selection: .transform(Transform(resize: .inside(width: 1600, height: nil), quality: 80))),
        Case(
            text: "hero.avif",
            selection: .transform(
                Transform(resize: .inside(width: 1600, height: nil), format: .fixed(.avif), quality: 80)
            )
        ),
        Case(text: "Hero", selection: .named("Hero", format: nil)),
        Case(text: "width=640", selection: .transform(Transform(resize: .inside(width: 640, height: nil)))),
    ])
    func `a text asks for a transform, a preset or a rendition`(_ wanted: Case) throws {
        let selection = try WarmSelection.selection(
            wanted.text,
            presets: Self.presets,
            ignoringCase: wanted.ignoringCase
        )
        #expect(selection == wanted.selection)
    }

    @Test(arguments: [
        ("", "a rendition has no name"), (".webp", "a rendition has no name"),
        ("native.tiff", "native takes one of the formats jpeg, png, webp, avif, jxl, gif, not \"tiff\""),
        ("hero.svg", "hero takes one of the formats jpeg, png, webp, avif, jxl, gif, not \"svg\""),
        ("width=0", "width takes 1…8192 px or 1%…400%, not \"0\""),
    ])
    func `what cannot be made is refused`(_ text: String, _ message: String) throws {
        let error = try #require(throws: RequestError.self) {
            try WarmSelection.selection(text, presets: Self.presets)
        }
        #expect(error.description == message)
    }

    @Test func `a channel's list becomes its selections`() throws {
        var configuration = Configuration()
        configuration.presets = Self.presets
        let channel = ChannelSettings(name: "a", kind: .folder(path: "/p"))
        let selections = try configuration.warmSelections(of: channel)
        #expect(selections == [.named("Thumbnail", format: nil), .named("Medium", format: nil), .native])
    }
}
