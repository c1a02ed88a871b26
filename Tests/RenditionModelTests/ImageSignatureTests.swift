import Foundation
import RenditionModel
import Testing

@Suite struct ImageSignatureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let format: ImageFormat?
        var testDescription: String { name }

        init(_ name: String, _ bytes: [UInt8], _ format: ImageFormat?) {
            self.name = name
            self.bytes = bytes
            self.format = format
        }
        init(_ name: String, _ text: String, _ format: ImageFormat?) {
            self.init(name, Array(text.utf8), format)
        }
    }

    static let cases: [Case] = [
        Case("JPEG", [0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        Case("start of JPEG alone", [0xFF, 0xD8], nil),
        Case("PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        Case("GIF", "GIF89a", .gif),
        Case("WebP", "RIFF\u{1}\u{1}\u{1}\u{1}WEBP", .webp),
        Case("WAV", "RIFF\u{1}\u{1}\u{1}\u{1}WAVE", nil),
        Case("AVIF", [0, 0, 0, 0x1C] + Array("ftypavif".utf8), .avif),
        Case("AVIF by a compatible brand", [0, 0, 0, 0x1C] + Array("ftypmif1\0\0\0\0mif1avif".utf8), .avif),
        Case("HEIC", [0, 0, 0, 0x18] + Array("ftypheic".utf8), .heic),
        Case("MP4", [0, 0, 0, 0x18] + Array("ftypisom\0\0\0\0mp41".utf8), nil),
        Case("a box that claims 4 GB", [0xFF, 0xFF, 0xFF, 0xFF] + Array("ftypmif1".utf8), nil),
        Case("JPEG XL codestream", [0xFF, 0x0A], .jxl),
        Case("TIFF, big end first", [0x4D, 0x4D, 0, 0x2A], .tiff),
        Case("SVG", "<svg xmlns='x'>", .svg),
        Case(
            "SVG behind a prologue",
            "\u{FEFF}<?xml version='1.0'?>\n<!-- a -->\n<!DOCTYPE svg PUBLIC 'a' 'b'>\n<svg>",
            .svg
        ),
        Case("SVG behind entities", "<!DOCTYPE svg [ <!ENTITY a 'b'> ]><svg>", .svg),
        Case("HTML", "<!DOCTYPE html><html><svg></svg>", nil),
        Case("JSON", "{\"svg\": \"<svg\"}", nil),
        Case("a comment without end", "<!-- <svg>", nil),
        Case("PDF", "%PDF-1.7", nil),
        Case("nothing", [], nil),
    ]

    @Test(arguments: cases)
    func `content decides what a file is`(_ item: Case) {
        #expect(item.bytes.withUnsafeBytes { ImageFormat(signature: $0) } == item.format)
    }

    static let names: [(String, ImageFormat?)] = [
        ("jpg", .jpeg), ("JPEG", .jpeg), ("Webp", .webp), ("heif", .heic), ("tif", .tiff), ("", nil), ("bmp", nil),
    ]

    @Test(arguments: names)
    func `a name means a format whatever its case`(_ name: String, _ format: ImageFormat?) {
        #expect(ImageFormat(name: name) == format)
    }
}
