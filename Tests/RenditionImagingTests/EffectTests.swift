import RenditionModel
import TestSupport
import Testing

@testable import RenditionImaging

@Suite struct EffectTests {
    private static func adjusted(_ change: (inout Transform.Adjustments) -> Void) -> Transform.Adjustments {
        var adjustments = Transform.Adjustments()
        change(&adjustments)
        return adjustments
    }

    static let tones = [-100.0, -50, 50, 100].flatMap { value in
        [
            adjusted { $0.brightness = value }, adjusted { $0.contrast = value }, adjusted { $0.exposure = value },
            adjusted { $0.gamma = value }, adjusted { $0.highlights = min(0, value) },
            adjusted { $0.shadows = max(0, value) },
        ]
    }

    @Test(arguments: tones)
    func `a tone curve never turns two levels round`(adjustments: Transform.Adjustments) {
        let levels = ToneCurve(adjustments).levels
        #expect(levels.count == 256)
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func `a tone curve does what its name says`() {
        func levels(_ change: (inout Transform.Adjustments) -> Void) -> [Int] {
            ToneCurve(Self.adjusted(change)).levels.map(Int.init)
        }
        #expect(ToneCurve(Transform.Adjustments()).isIdentity)
        #expect(levels { $0.brightness = 50 }[100] == 164)
        #expect(levels { $0.contrast = -100 }.allSatisfy { $0 == 128 })
        #expect(levels { $0.contrast = 50 }[64] < 64 && levels { $0.contrast = 50 }[192] > 192)
        // Twice the light of a middle grey (IEC 61966-2-1).
        #expect(abs(levels { $0.exposure = 50 }[128] - 176) <= 1)
        for brighter in [levels { $0.gamma = 50 }, levels { $0.shadows = 100 }] {
            #expect(brighter[0] == 0 && brighter[255] == 255 && brighter[64] > 64)
        }
        let calmer = levels { $0.highlights = -100 }
        #expect(calmer[0] == 0 && calmer[255] == 255 && calmer[192] < 192 && calmer[100] == 100)
        #expect(ToneCurve.inverting.levels.first == 255 && ToneCurve.inverting.levels.last == 0)
    }

    @Test func `colours are mixed as their names say, and grey stays grey`() {
        func mixed(_ matrix: ColourMatrix, _ rgb: [Double]) -> [Double] {
            (0..<3).map { row in (0..<3).reduce(0) { $0 + matrix.rows[row * 3 + $1] * rgb[$1] } }
        }
        for matrix in [ColourMatrix.saturation(0), .saturation(2), .hueRotation(degrees: 77)] {
            for value in mixed(matrix, [100, 100, 100]) { #expect(abs(value - 100) < 0.2) }
        }
        let grey = mixed(.saturation(0), [200, 30, 90])
        #expect(abs(grey[0] - grey[1]) < 1e-9 && abs(grey[1] - grey[2]) < 1e-9)
        let turned = mixed(.hueRotation(degrees: 120), [255, 0, 0])
        #expect(turned[1] > turned[0] && turned[1] > turned[2])
        #expect(ColourMatrix.hueRotation(degrees: 0).isIdentity && ColourMatrix.saturation(1).isIdentity)
        let back = ColourMatrix.hueRotation(degrees: 40).followed(by: .hueRotation(degrees: -40))
        for (value, wanted) in zip(back.rows, ColourMatrix.identity.rows) { #expect(abs(value - wanted) < 0.01) }
        let red = Transform.Colour(red: 255, green: 0, blue: 0)
        #expect(mixed(.monochrome(red), [255, 255, 255]).map { $0.rounded() } == [255, 0, 0])
    }

    struct Effect: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout Transform) -> Void
    }

    static let effects: [Effect] = [
        Effect(testDescription: "tone") { $0.adjustments.brightness = 20 },
        Effect(testDescription: "saturation") { $0.adjustments.saturation = 40 },
        Effect(testDescription: "vibrance") { $0.adjustments.vibrance = 60 },
        Effect(testDescription: "hue") { $0.adjustments.hue = 90 },
        Effect(testDescription: "invert") { $0.adjustments.invert = true },
        Effect(testDescription: "sharpen") { $0.effects.sharpen = 3 },
        Effect(testDescription: "unsharp") { $0.effects.unsharp = 50 },
        Effect(testDescription: "soften") { $0.effects.unsharp = -50 },
        Effect(testDescription: "blur") { $0.effects.blur = 2 },
        Effect(testDescription: "wide blur") { $0.effects.blur = 20 },
        Effect(testDescription: "pixelate") { $0.effects.pixelate = 7 },
        Effect(testDescription: "sepia") { $0.effects.sepia = 80 },
        Effect(testDescription: "monochrome") {
            $0.effects.monochrome = Transform.Colour(red: 9, green: 80, blue: 200)
        },
        Effect(testDescription: "tilt") { $0.tilt = 30 },
        Effect(testDescription: "border") {
            $0.border = Transform.Border(width: 4, colour: Transform.Colour(red: 1, green: 2, blue: 3))
        },
    ]

    @Test(arguments: effects, [TestPNG.Colour.grey, .greyAlpha, .rgb, .rgba])
    func `every effect works on every kind of picture, and leaves size and alpha`(
        effect: Effect,
        kind: TestPNG.Colour
    ) throws {
        let source = TestPNG(50, 40, kind) { x, y in
            let check = (x / 5 + y / 5) % 2 * 70
            let colour = [x * 3 + check, y * 4, 60 + check]
            return switch kind {
            case .grey: [colour[0]]
            case .greyAlpha: [colour[0], 180]
            case .rgba: colour + [180]
            default: colour
            }
        }
        var transform = Transform(format: .fixed(.png))
        let before = try Pixels(perform(.render(transform), on: source.bytes).bytes)
        effect.change(&transform)
        let (reply, bytes) = try perform(.render(transform), on: source.bytes)
        guard case .rendered = reply else { Issue.record("\(reply)"); return }
        let after = try Pixels(bytes)
        #expect(after.size == PixelSize(width: 50, height: 40))
        #expect((after.bands % 2 == 0) == (kind == .greyAlpha || kind == .rgba))
        if after.bands % 2 == 0 {
            for (x, y) in [(25, 20), (10, 30)] { #expect(abs((after[x, y].last ?? 0) - 180) <= 2) }
        }
        let isColourless = ["saturation", "vibrance", "hue"].contains(effect.testDescription)
        let isGrey = kind == .grey || kind == .greyAlpha
        let moved = after.colours.inColour.distance(to: before.colours.inColour)
        #expect(isGrey && isColourless ? moved < 2 : moved > 0.5, "\(moved)")
    }

    @Test func `a mask takes the corners away, and nothing else`() throws {
        let source = try Original(width: 120, height: 80).bytes()
        for (shape, isClear) in [(Transform.Mask.Shape.ellipse, true), (.corners([30]), true), (.corners([0]), false)] {
            var transform = Transform(format: .fixed(.png))
            transform.mask = Transform.Mask(shape)
            let pixels = try Pixels(perform(.render(transform), on: source).bytes)
            #expect((pixels[1, 1].last == 0) == isClear, "\(shape)")
            #expect(pixels[60, 2].last == 255 && pixels[60, 40].last == 255)
            if case .corners([30]) = shape { #expect(pixels[118, 78].last == 255, "one radius is for one corner") }
        }
    }

    @Test func `squares have one colour each, and a border its width`() throws {
        let source = TestPNG(40, 40) { x, y in [x * 6, y * 6, 0] }
        var transform = Transform(format: .fixed(.png))
        transform.effects.pixelate = 10
        let squares = try Pixels(perform(.render(transform), on: source.bytes).bytes)
        #expect(squares[10, 10] == squares[19, 19] && squares[10, 10] != squares[20, 20])
        #expect(difference(squares[12, 12], [87, 87, 0]) <= 3)

        transform = Transform(format: .fixed(.png))
        transform.border = Transform.Border(width: 5, colour: Transform.Colour(red: 0, green: 0, blue: 255, alpha: 128))
        let framed = try Pixels(perform(.render(transform), on: source.bytes).bytes)
        #expect(difference(framed[2, 20], [6, 60, 128]) <= 3)
        #expect(difference(framed[5, 20], [30, 120, 0]) <= 2)
        #expect(framed.size == PixelSize(width: 40, height: 40))
    }

    @Test(arguments: [(60, 40), (61, 37)])
    func `a turn inside the frame leaves no corner empty, and the middle where it is`(width: Int, height: Int) throws {
        let source = TestPNG(width, height) { x, y in
            abs(x - width / 2) <= 2 && abs(y - height / 2) <= 2 ? [10, 20, 30] : [250, 240, 230]
        }
        for degrees in [1.0, 30, 45, 90, 123, 180, 270, 300] {
            var transform = Transform(format: .fixed(.png))
            transform.tilt = degrees
            let pixels = try Pixels(perform(.render(transform), on: source.bytes).bytes)
            #expect(pixels.size == PixelSize(width: width, height: height))
            for (x, y) in [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)] {
                #expect(difference(pixels[x, y], [250, 240, 230]) <= 2, "\(degrees): \(pixels[x, y])")
            }
            #expect(difference(pixels[width / 2, height / 2], [10, 20, 30]) <= 12, "\(degrees)")
        }
    }
}
