import Foundation
import Testing

@testable import RenditionCache

/// What holds for every transform, whatever wrote it.
@Suite struct TransformDialectTests {
    private static let own: [String: [String]] = [
        "width": ["1", "640", "8192", "50%", "12.5%"], "height": ["1", "480", "100%"],
        "fit": ["inside", "cover", "fill", "pad"], "enlarge": ["true", "false"],
        "crop": ["0,0,10,10", "10%,0,80%,100%", "-5,2.5,30,40", "1p,2p,3p,4p"],
        "gravity": ["center", "north", "southwest", "entropy", "attention"], "focus": ["0,0", "0.25,1", "0.5,0.5"],
        "rotate": ["0", "90", "270"], "flip": ["h", "v", "hv"], "trim": ["true", "1", "255"], "dpr": ["1", "1.5", "4"],
        "background": ["ff0000", "00112233", "transparent", "auto", "FFFFFF"], "blur": ["0.3", "100"],
        "sharpen": ["0", "2.25"],
        "format": ["jpeg", "png", "webp", "avif", "jxl", "gif", "auto", "smallest", "source"],
        "preferwebp": ["true", "false"], "quality": ["1", "80", "100", "auto", "lossless"],
        "animated": ["true", "false"], "metadata": ["none", "copyright"], "profile": ["srgb", "keep"],
        "size": ["40,30"],
    ]

    private static let microCMS: [String: [String]] = [
        "w": ["0.5", "1", "300", "20000"], "h": ["200", "-3"],
        "fit": ["crop", "max", "min", "fill", "fillmax", "clamp", "scale"],
        "crop": ["left,top", "focalpoint", "faces,entropy"], "fp-x": ["0.1"], "fp-z": ["3"], "ar": ["16:9", "0:1"],
        "rect": ["0,0,0.5,0.5", "right,middle,9,full"], "dpr": ["2", "99"], "orient": ["6", "0"], "rot": ["45", "720"],
        "flip": ["hv"],
        "pad": ["10"], "pad-left": ["3"], "bg": ["f00", "8fff"], "fill": ["blur"], "fill-color": ["red"],
        "fill-max": ["source"],
        "border": ["3,00f"], "mask": ["ellipse", "corners"], "corner-radius": ["4", "1,2,3,4"], "mask-bg": ["0f0"],
        "blur": ["1", "50"], "sharp": ["5"], "usm": ["-9"], "px": ["4"], "sepia": ["9"], "monochrome": ["ff00ff"],
        "sat": ["-100"],
        "fm": ["jpg", "png8", "webp", "gif"], "q": ["0", "60"], "auto": ["compress"], "frame": ["2"], "lossless": ["1"],
        "txt": ["a=b&c", "é"], "txt-align": ["top"], "txt-size": ["9999", "40"], "txt-x": ["7"],
        "txt-font": ["serif,bold"],
    ]

    @Test(arguments: [
        (TransformDialect.aem, "w=300", "unknown parameter \"w\""),
        (.aem, "widht=300&preferwebp=true", "unknown parameter \"widht\"; did you mean \"width\"?"),
        (.microcms, "w=300&widht=3", "unknown parameter \"widht\"; did you mean \"width\"?"),
        (.microcms, "bogus64=eA", "unknown parameter \"bogus64\""),
        (.own, "widht=3", "unknown parameter \"widht\"; did you mean \"width\"?"),
    ])
    func `a name that means nothing is a mistake where it is written for rcache`(
        dialect: TransformDialect,
        query: String,
        message: String
    ) {
        let error = #expect(throws: RequestError.self) { try dialect.transform(written: query) }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        (TransformDialect.aem, "width=300&sz=1,2&c=0,0,1,1&r=90&format=webp&auto-format=false"),
        (.microcms, "W=300&height=2&txt64=eA&auto=compress&mark-w=3&mark=x&ch=Width&dl=a&expires=1"),
        (.own, "width=300"),
    ])
    func `what the CMS knows is read as in a URL`(dialect: TransformDialect, query: String) throws {
        #expect(try dialect.transform(written: query) == dialect.transform(query: query))
    }

    private static func query(_ table: [String: [String]], _ generator: inout SeededGenerator) -> [String] {
        var pieces: [String] = []
        for name in table.keys.sorted() where Int.random(in: 0..<3, using: &generator) == 0 {
            let value = table[name]?.randomElement(using: &generator) ?? ""
            pieces.append("\(name)=\(value.replacing("%", with: "%25").replacing("&", with: "%26"))")
        }
        return pieces
    }

    /// What the own dialect has no word for: the names that only a CMS's meaning needs.
    private static func isOwn(_ text: String) -> Bool {
        let names = Set(text.split(separator: "&").map { String($0.prefix { $0 != "=" }) })
        return names.isSubset(of: OwnDialect.Parameter.allCases.map(\.rawValue))
    }

    @Test(arguments: 0..<40)
    func `a canonical text reads as the transform that it stands for`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<50 {
            let query = Self.query(Self.own, &generator).joined(separator: "&")
            // Sides and density are each in their range, but may be too much together.
            guard let transform = try? OwnDialect.transform(query: query) else {
                #expect(query.contains("dpr="))
                continue
            }
            let text = transform.canonicalText
            #expect(transform.normalised == transform)
            guard Self.isOwn(text) else { continue }
            #expect(try OwnDialect.transform(query: text.replacing("%", with: "%25")) == transform, "\(text)")
        }
    }

    @Test(arguments: 0..<40)
    func `the order of parameters means nothing`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for (dialect, table) in [(TransformDialect.own, Self.own), (.microcms, Self.microCMS)] {
            for _ in 0..<50 {
                let pieces = Self.query(table, &generator)
                let one = try? dialect.transform(query: pieces.joined(separator: "&"))
                let other = try? dialect.transform(query: pieces.shuffled(using: &generator).joined(separator: "&"))
                #expect(one == other && one?.canonicalText == other?.canonicalText)
                #expect(one != nil || pieces.contains { $0.hasPrefix("dpr=") })
            }
        }
    }

    @Test(arguments: 0..<40)
    func `every microCMS request has a picture within the limits`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let sources = [(600, 400), (3, 5000), (4096, 2304), (1, 1)].map { width, height in
            SourceDescription(format: .png, size: PixelSize(width: width, height: height), hasAlpha: width == 600)
        }
        for _ in 0..<25 {
            let query = Self.query(Self.microCMS, &generator).joined(separator: "&")
            guard case .transform(let transform) = try MicroCMSDialect.request(query: query).outcome else { continue }
            #expect(transform.normalised == transform)
            for source in sources {
                let plan = try RenderPlan(transform, of: source)
                #expect(plan.size.width >= 1 && plan.size.height >= 1, "\(query)")
                #expect(max(plan.size.width, plan.size.height) <= 8192, "\(query)")
                #expect(plan.region.x >= 0 && plan.region.x + plan.region.size.width <= plan.stored.width, "\(query)")
                #expect(plan.region.y >= 0 && plan.region.y + plan.region.size.height <= plan.stored.height, "\(query)")
                #expect(try JSONDecoder().decode(Transform.self, from: JSONEncoder().encode(transform)) == transform)
            }
        }
    }

    @Test(arguments: 0..<20)
    func `an overlay of rcache's own is planned as its canonical form`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let source = SourceDescription(
            format: .webp,
            size: PixelSize(width: 601, height: 399),
            frames: 4,
            orientation: 8
        )
        for _ in 0..<50 {
            let query = Self.query(Self.own, &generator).joined(separator: "&")
            guard let overlay = try? OwnDialect.overlay(query: query) else { continue }
            #expect((try? RenderPlan(overlay, of: source)) == (try? RenderPlan(overlay.normalised, of: source)))
        }
    }

    @Test func `a width and a height alone are two pictures`() throws {
        for dialect in TransformDialect.allCases {
            let (width, height) = dialect == .microcms ? ("w=100", "h=100") : ("width=100", "height=100")
            let wide = try dialect.transform(query: width)
            let high = try dialect.transform(query: height)
            #expect(wide.canonicalText != high.canonicalText)
            let source = SourceDescription(format: .jpeg, size: PixelSize(width: 400, height: 200))
            #expect(try RenderPlan(wide, of: source).size == PixelSize(width: 100, height: 50))
            #expect(try RenderPlan(high, of: source).size == PixelSize(width: 200, height: 100))
        }
    }

    @Test(arguments: [
        ("width=640&height=480&quality=85", "width=640&height=480", "w=640&h=480&fit=max&q=85"),
        (
            "width=300&height=200&format=webp&quality=60", "width=300&height=200&format=webply&quality=60",
            "w=300&h=200&fit=max&fm=webp&q=60"
        ),
        (
            "width=300&height=200&format=png&flip=h", "width=300&height=200&format=png&flip=HORIZONTAL",
            "w=300&h=200&fit=max&fm=png&flip=h"
        ),
    ])
    func `equal meaning is one text in all three dialects`(_ own: String, _ aem: String, _ microCMS: String) throws {
        let text = try TransformDialect.own.transform(query: own).canonicalText
        #expect(try TransformDialect.aem.transform(query: aem).canonicalText == text)
        #expect(try TransformDialect.microcms.transform(query: microCMS).canonicalText == text)
    }

    @Test(arguments: 0..<20)
    func `no text makes a reader fail otherwise than by its error`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let names =
            Array(Self.own.keys).sorted() + Array(Self.microCMS.keys).sorted() + [
                "c", "r", "sz", "w64", "auto", "max-quality",
            ]
        let values = [
            "", "-", ".", "1e9", "nan", "inf", "-0", "9999999999999999999999", "0.0000000001", "1,2,3,4", ",,,", "%FF",
            "%", "%00", "p", "1p,1p,1p,1p", "64", ":", "0:0", "1:0", "é", "true",
        ]
        let source = SourceDescription(format: .gif, size: PixelSize(width: 7, height: 3), frames: 2, orientation: 6)
        for _ in 0..<300 {
            let pieces = (0..<Int.random(in: 0..<6, using: &generator)).map { _ in
                (names.randomElement(using: &generator) ?? "") + "=" + (values.randomElement(using: &generator) ?? "")
            }
            for dialect in TransformDialect.allCases {
                guard let transform = try? dialect.transform(query: pieces.joined(separator: "&")) else { continue }
                #expect(transform.normalised.canonicalText == transform.canonicalText)
                _ = try? RenderPlan(transform, of: source)
            }
        }
    }
}
