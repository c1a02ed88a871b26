import RenditionModel
import Testing

@Suite struct MarkTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// On 200×100 pixels.
        let mark: Transform.Mark
        let size: PixelSize
        let x: Int
        let y: Int

        /// - Parameters:
        ///   - own: the mark's own size.
        ///   - rect: where it comes to lie: left, top, width, height.
        init(
            _ name: String,
            own picture: (Int, Int) = (40, 20),
            _ rect: (Int, Int, Int, Int),
            _ change: (inout Transform.Mark) -> Void = { _ in }
        ) {
            testDescription = name
            var mark = Transform.Mark("m")
            change(&mark)
            self.mark = mark
            own = PixelSize(width: picture.0, height: picture.1)
            (x, y) = (rect.0, rect.1)
            size = PixelSize(width: rect.2, height: rect.3)
        }

        let own: PixelSize
    }

    private static func enlarging(
        _ mode: Transform.Resize.Mode,
        _ width: Transform.Length?,
        _ height: Transform.Length?
    )
        -> Transform.Resize
    {
        var resize = Transform.Resize(mode, width: width, height: height)
        resize.enlarge = true
        return resize
    }

    static let cases: [Case] = [
        Case("its own size, lower right, five pixels off", (155, 75, 40, 20)),
        Case("upper left", (5, 5, 40, 20)) { ($0.horizontal, $0.vertical) = (-1, -1) },
        Case("in the middle the distance has no effect", (80, 40, 40, 20)) { ($0.horizontal, $0.vertical) = (0, 0) },
        Case("half a pixel goes to the left", own: (41, 20), (79, 40, 41, 20)) {
            ($0.horizontal, $0.vertical) = (0, 0)
        },
        Case("its own distance", (148, 68, 40, 20)) { $0.padding = 12 },
        Case("a place counts for its side alone", (7, 75, 40, 20)) { $0.x = 7 },
        Case("a place for both", (190, 3, 40, 20)) { ($0.x, $0.y) = (190, 3) },
        Case("a width in pixels, enlarged", (115, 55, 80, 40)) { $0.resize = enlarging(.inside, .pixels(80), nil) },
        Case("a part of the width", (95, 45, 100, 50)) { $0.resize = enlarging(.inside, .percent(50), nil) },
        Case("a part of the height", (95, 45, 100, 50)) { $0.resize = enlarging(.inside, nil, .percent(50)) },
        Case("within a box", (175, 85, 20, 10)) { $0.resize = enlarging(.inside, .pixels(20), .pixels(60)) },
        Case("never enlarged", (155, 75, 40, 20)) { $0.resize = .inside(width: 80, height: nil) },
        Case("covering a box", (165, 65, 30, 30)) { $0.resize = enlarging(.cover, .pixels(30), .pixels(30)) },
        Case("stretched", (165, 65, 30, 30)) { $0.resize = enlarging(.fill, .pixels(30), .pixels(30)) },
        Case("larger than the picture", own: (400, 300), (-205, -205, 400, 300)),
        Case("larger than the picture, in the middle", own: (401, 300), (-101, -100, 401, 300)) {
            ($0.horizontal, $0.vertical) = (0, 0)
        },
        Case("never less than a pixel", (194, 94, 1, 1)) {
            $0.resize = enlarging(.inside, Transform.Length(pixels: 0.2), nil)
        },
    ]

    @Test(arguments: cases)
    func `a mark has its size and place`(_ item: Case) throws {
        let canvas = PixelSize(width: 200, height: 100)
        var transform = Transform(format: .fixed(.png))
        transform.mark = item.mark
        transform.text = Transform.Text("a")
        transform.border = Transform.Border(width: 3, colour: .white)
        let plan = try RenderPlan(transform, of: SourceDescription(format: .png, size: canvas))
        #expect(plan.size == canvas && !plan.hasAlpha)
        guard case .write = plan.steps.dropLast(2).last, case .stamp(let mark, on: canvas) = plan.steps.dropLast().last,
            case .border = plan.steps.last
        else {
            Issue.record("\(plan.steps)")
            return
        }
        let source = SourceDescription(format: .png, size: item.own)
        #expect(try RenderPlan(mark.transform(on: canvas), of: source).size == item.size)
        #expect(mark.place(of: item.size, on: canvas) == (item.x, item.y))
    }

    @Test func `what has no effect is no part of the text, and what has is`() {
        func text(_ change: (inout Transform.Mark) -> Void) -> String {
            var (transform, mark) = (Transform(), Transform.Mark("https://a.b/c"))
            change(&mark)
            transform.mark = mark
            return transform.canonicalText
        }
        let plain = "mark=https%3A%2F%2Fa%2Eb%2Fc"
        var nested = Transform(resize: .inside(width: 3, height: nil))
        #expect(text { _ in } == plain)
        #expect(text { $0.resize.enlarge = true } == plain)
        #expect(text { ($0.x, $0.horizontal) = (3, -1) } == plain + "&markx=3")
        #expect(text { ($0.horizontal, $0.vertical, $0.padding) = (0, 0, 9) } == plain + "&markgravity=center")
        #expect(text { $0.version = "7" } == plain + "&markversion=7")
        #expect(text { $0.opacity = 0.5 } == plain + "&markopacity=0.5")
        #expect(text { $0.padding = 6 } == plain + "&markpadding=6")
        #expect(text { $0.resize = .inside(width: 9, height: nil) } == plain + "&marksize=width%3D9")
        #expect(text { $0.form = .rendition(nested) } == plain + "&markform=width%3D3")
        nested.mark = Transform.Mark("https://a.b/d")
        #expect(text { $0.form = .rendition(nested) } == plain + "&markform=width%3D3", "a mark has none of its own")
        #expect(text { $0.opacity = 0 }.isEmpty)
    }
}
