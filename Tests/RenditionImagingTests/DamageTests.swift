import RenditionModel
import TestSupport
import Testing

@testable import RenditionImaging

@Suite struct DamageTests {
    /// 800 × 600 pixels, every block another grey.
    static let jpeg = TestJPEG(100, 75) { x, y in [40 + (x * 7 + y * 13) % 170, 128, 128] }.bytes
    static let png = TestPNG(200, 150) { x, y in [x, y, (x * y) & 255] }.bytes
    static let sizes: [Transform.Resize] = [
        .none, .inside(width: 400, height: nil), .inside(width: 60, height: nil), .inside(width: 3, height: 3),
    ]

    @Test(arguments: sizes)
    func `A12: a JPEG cut in the middle is refused at every size`(resize: Transform.Resize) throws {
        for part in [0.6, 0.9, 0.99] {
            let cut = Array(Self.jpeg.prefix(Int(Double(Self.jpeg.count) * part)))
            #expect(throws: RenderRefusal.truncated(format: .jpeg)) { try render(cut, resize) }
            #expect(try perform(.probe, on: cut).reply == .refused(.truncated(format: .jpeg)))
        }
    }

    @Test(arguments: sizes)
    func `A12: a JPEG without its last two bytes is whole, and noted`(resize: Transform.Resize) throws {
        let whole = try render(Self.jpeg, resize, as: .png)
        for missing in 1...2 {
            let (picture, bytes) = try render(Array(Self.jpeg.dropLast(missing)), resize, as: .png)
            #expect(bytes == whole.bytes)
            #expect(picture.notes == ["missing end marker accepted"])
        }
        #expect(whole.picture.notes.isEmpty)
    }

    @Test func `a PNG without its end chunk is whole, one that lacks pixels is not`() throws {
        let whole = try render(Self.png)
        for missing in [1, 5, 12] {
            let (picture, bytes) = try render(Array(Self.png.dropLast(missing)))
            #expect(bytes == whole.bytes)
            #expect(picture.notes == ["missing end marker accepted"])
        }
        #expect(throws: RenderRefusal.truncated(format: .png)) {
            try render(Array(Self.png.prefix(Self.png.count / 2)))
        }
    }

    @Test(.enabled(if: Corpus.folder != nil), arguments: sizes)
    func `the cut photograph is refused at every size`(resize: Transform.Resize) throws {
        #expect(throws: RenderRefusal.truncated(format: .jpeg)) {
            try render(Corpus.bytes("bad-truncated.jpg"), resize)
        }
    }

    @Test(.enabled(if: Corpus.folder != nil), arguments: Corpus.names.filter { $0 != "bad-truncated.jpg" })
    func `half a file is never a picture`(name: String) throws {
        let bytes = try Corpus.bytes(name)
        for part in [0.1, 0.5, 0.9] {
            let cut = Array(bytes.prefix(Int(Double(bytes.count) * part)))
            #expect(throws: RenderRefusal.self) { try render(cut, .inside(width: 100, height: nil), as: .png) }
        }
    }
}
