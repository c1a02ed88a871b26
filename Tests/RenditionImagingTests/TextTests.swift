import RenditionModel
import TestSupport
import Testing

@testable import RenditionImaging

@Suite struct TextTests {
    /// The columns and rows of a white picture of 200×100 pixels that a line leaves not white; nil for none.
    private func ink(_ change: (inout Transform.Text) -> Void, _ content: String = "Hxg") throws -> (
        left: Int, top: Int, right: Int, bottom: Int
    )? {
        var transform = Transform(format: .fixed(.png))
        var text = try #require(Transform.Text(content))
        text.size = 20
        change(&text)
        transform.text = text
        let white = TestPNG(200, 100) { _, _ in [255, 255, 255] }.bytes
        let (reply, bytes) = try perform(.render(transform), on: white)
        guard case .rendered(let picture) = reply else { throw StepFailure("\(reply)") }
        #expect(picture.size == PixelSize(width: 200, height: 100))
        let pixels = try Pixels(bytes)
        var found: (left: Int, top: Int, right: Int, bottom: Int)?
        for y in 0..<100 {
            for x in 0..<200 where pixels[x, y].prefix(3).contains(where: { $0 < 200 }) {
                let box = found ?? (x, y, x, y)
                found = (min(box.left, x), min(box.top, y), max(box.right, x), max(box.bottom, y))
            }
        }
        return found
    }

    @Test func `a line stands at the lower right, away from the edge`() throws {
        let box = try #require(try ink { _ in })
        #expect(box.left > 120 && (185...190).contains(box.right))
        #expect(box.top > 60 && (80...90).contains(box.bottom))
    }

    @Test func `a line stands where it is put`() throws {
        let corner = try #require(try ink { ($0.horizontal, $0.vertical) = (-1, -1) })
        #expect((10...14).contains(corner.left) && (10...18).contains(corner.top))
        let middle = try #require(try ink { ($0.horizontal, $0.vertical) = (0, 0) })
        #expect(abs(middle.left + middle.right - 200) <= 4 && abs(middle.top + middle.bottom - 100) <= 12)
        let place = try #require(try ink { ($0.x, $0.y) = (50, 30) })
        #expect((50...54).contains(place.left) && (30...38).contains(place.top))
    }

    @Test func `a line that is too long loses its end, start or middle`() throws {
        let long = "iiii" + String(repeating: "W", count: 40)
        for clip in [Transform.Text.Clip.end, .start, .middle] {
            let box = try #require(try ink({ ($0.clip, $0.hasEllipsis) = (clip, true) }, long))
            #expect(box.left >= 9 && box.right <= 191 && box.right - box.left > 120, "\(clip) \(box)")
        }
        let narrow = try #require(try ink({ ($0.width, $0.horizontal) = (60, -1) }, long))
        #expect(narrow.right <= 71)
    }

    @Test func `a line can fill its room`() throws {
        let box = try #require(try ink { $0.fillsWidth = true })
        #expect(box.right - box.left > 80 && box.bottom - box.top > 50)
    }

    @Test func `markup is text`() throws {
        let plain = try #require(try ink { _ in })
        let box = try #require(try ink({ _ in }, "<b>&\"H"))
        #expect(box.right - box.left > plain.right - plain.left)
        #expect(try ink({ $0.family = "\"/><script>" }) != nil)
    }

    @Test func `outline and shadow change letters, not their place`() throws {
        let plain = try #require(try ink { _ in })
        let outlined = try #require(
            try ink { ($0.outline, $0.outlineColour) = (1, Transform.Colour(red: 0, green: 0, blue: 99)) }
        )
        // What an edge pixel is mixed from differs a little.
        #expect(abs(outlined.left - plain.left) <= 1 && abs(outlined.right - plain.right) <= 1)
        #expect(abs(outlined.top - plain.top) <= 1 && abs(outlined.bottom - plain.bottom) <= 1)
        let shaded = try #require(try ink { $0.shadow = 6 })
        #expect(shaded.right >= plain.right && shaded.left <= plain.left + 1)
        #expect(try ink { ($0.outline, $0.colour) = (20, .white) } == nil)
    }

    @Test func `a line on a picture of one pixel is drawn without failing`() throws {
        var transform = Transform(format: .fixed(.png))
        transform.text = Transform.Text("Hello")
        let reply = try perform(.render(transform), on: TestPNG(1, 1) { _, _ in [255, 255, 255] }.bytes).reply
        guard case .rendered(let picture) = reply else { Issue.record("\(reply)"); return }
        #expect(picture.size == PixelSize(width: 1, height: 1))
    }
}
