import TestSupport

/// Writes an EXIF segment with a description and a copyright notice (CIPA DC-008 §4.6).
struct TestEXIF {
    let notice: String
    let description: String

    /// APP1, big end first: two entries of text, the texts behind them.
    var segment: [UInt8] {
        let texts = [(0x010E, description), (0x8298, notice)]
        var offset = 8 + 2 + 12 * texts.count + 4
        var entries: [UInt8] = [], data: [UInt8] = []
        for (tag, text) in texts {
            let value = Array(text.utf8) + [0]
            entries += [UInt8(tag >> 8), UInt8(tag & 255), 0, 2] + bigEndian(value.count) + bigEndian(offset)
            data += value
            offset += value.count
        }
        let tiff = [0x4D, 0x4D, 0, 42] + bigEndian(8) + [0, UInt8(texts.count)] + entries + bigEndian(0) + data
        return TestJPEG.segment(0xE1, Array("Exif".utf8) + [0, 0] + tiff)
    }
}
