import RenditionModel
import Testing

@Suite struct TransformTests {
    struct SizeCase: Sendable, CustomTestStringConvertible {
        let resize: Transform.Resize
        let source: PixelSize
        let expected: PixelSize
        var testDescription: String { "\(resize) of \(source)" }

        init(_ resize: Transform.Resize, _ source: (Int, Int), _ expected: (Int, Int)) {
            self.resize = resize
            self.source = PixelSize(width: source.0, height: source.1)
            self.expected = PixelSize(width: expected.0, height: expected.1)
        }
    }

    /// The examples of the OCM specification §10.5, the report about 180×4 pictures, and the edges of each rule.
    static let sizes: [SizeCase] = [
        SizeCase(.none, (7, 5), (7, 5)),
        SizeCase(.automatic(width: 150), (1440, 540), (150, 56)),
        SizeCase(.automatic(width: 300), (1440, 540), (300, 112)),
        SizeCase(.automatic(width: 1024), (1440, 540), (1024, 384)),
        SizeCase(.automatic(width: 2048), (1440, 540), (1440, 540)),
        SizeCase(.automatic(width: 150), (191, 264), (150, 207)),
        SizeCase(.automatic(width: 300), (191, 264), (191, 264)),
        SizeCase(.automatic(width: 150), (500, 333), (150, 99)),
        SizeCase(.automatic(width: 300), (500, 333), (300, 199)),
        SizeCase(.automatic(width: 150), (600, 900), (150, 225)),
        SizeCase(.automatic(width: 150), (1000, 1), (150, 1)),
        SizeCase(.inside(width: 25, height: 25), (180, 4), (25, 1)),
        SizeCase(.inside(width: 25, height: 25), (4, 180), (1, 25)),
        SizeCase(.inside(width: 100, height: nil), (300, 200), (100, 67)),
        SizeCase(.inside(width: nil, height: 100), (300, 200), (150, 100)),
        SizeCase(.inside(width: 600, height: 600), (300, 200), (300, 200)),
        SizeCase(.inside(width: 100, height: 10), (300, 200), (15, 10)),
        SizeCase(.inside(width: nil, height: nil), (300, 200), (300, 200)),
        SizeCase(.inside(width: 1, height: 1), (8192, 8192), (1, 1)),
    ]

    @Test(arguments: sizes)
    func `a size follows its rule and is never enlarged`(_ item: SizeCase) {
        #expect(Transform(resize: item.resize).outputSize(of: item.source) == item.expected)
    }

    static let texts: [(Transform, String)] = [
        (Transform(), ""),
        (Transform(resize: .inside(width: 100, height: nil)), "width=100"),
        (Transform(resize: .inside(width: nil, height: 100)), "height=100"),
        (
            Transform(resize: .inside(width: 1, height: 2), format: .fixed(.webp), quality: 3),
            "width=1&height=2&format=webp&quality=3"
        ),
        (Transform(resize: .automatic(width: 150)), "automatic=150"),
        (Transform(format: .fixed(.jpeg), quality: 80), "format=jpeg"),
        (Transform(format: .fixed(.avif), quality: 80), "format=avif&quality=80"),
        (Transform(format: .fixed(.png), quality: 7), "format=png"),
        (Transform(quality: 80), "quality=80"),
    ]

    @Test(arguments: texts)
    func `a transform has one canonical text`(_ transform: Transform, _ text: String) {
        #expect(transform.canonicalText == text)
    }

    /// Pairs that differ only in what the text leaves out.
    static let twins: [(Transform, Transform)] = [
        (coloured(Transform.Colour(red: 240, green: 128, blue: 15, alpha: 0)), coloured(.transparent)),
        (cropped(0.1), cropped(0.1 + 1e-13)), (cropped(1.0 / 3), cropped(0.33333333333)),
        (tuned { $0.resize.width = .percent(36.3 * 1.1) }, tuned { $0.resize.width = .percent(39.93) }),
        (tuned { $0.adjustments.hue = 1e-12 }, tuned { _ in }),
        (tuned { $0.effects.blur = 1.5 }, tuned { $0.effects.blur = 1.5 + 1e-12 }),
        (tuned { $0.padding.left = 2 }, tuned { $0.padding.left = 2 + 1e-12 }),
        (
            tuned { $0.mask = .init(.corners([1, 2, 3, 4])) },
            tuned { $0.mask = .init(.corners([1, 2, 3, 4 + 1e-12])) }
        ),
        (tuned { $0.text?.x = 7 }, tuned { $0.text?.x = 7 - 1e-12 }),
    ]

    @Test(arguments: twins)
    func `transforms with one canonical text are planned alike`(_ one: Transform, _ other: Transform) {
        #expect(one.canonicalText == other.canonicalText)
        #expect(one.normalised == other.normalised)
        let source = SourceDescription(format: .png, size: PixelSize(width: 1601, height: 899), hasAlpha: true)
        #expect((try? RenderPlan(one, of: source)) == (try? RenderPlan(other, of: source)))
    }

    private static func coloured(_ colour: Transform.Colour) -> Transform {
        tuned {
            $0.resize.bars = .colour(colour)
            $0.background = .colour(colour)
            $0.mask = Transform.Mask(.ellipse, background: colour)
        }
    }

    private static func cropped(_ part: Double) -> Transform {
        tuned {
            let length = Transform.Length(fraction: part)
            $0.crop = Transform.Crop(x: .at(length), y: .middle, width: length, height: length)
        }
    }

    private static func tuned(_ change: (inout Transform) -> Void) -> Transform {
        var transform = Transform(resize: Transform.Resize(.pad, width: .pixels(300), height: .pixels(200)))
        transform.text = Transform.Text("a line")
        change(&transform)
        return transform
    }
}
