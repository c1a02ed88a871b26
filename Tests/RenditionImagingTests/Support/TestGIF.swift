import RenditionModel

/// Writes GIF files of solid rectangles, so that tests decide about places, disposal, delays and plays.
struct TestGIF {
    /// A rectangle of one of the four colours.
    struct Frame {
        var rect: PixelRect
        /// 0 red, 1 green, 2 blue, 3 grey.
        var colour: Int
        /// 1 leaves it, 2 clears its rectangle, 3 brings back what was there before.
        ///
        /// A frame that is cleared says that grey is transparent: only then does the decoder clear to nothing and not to the
        /// background colour, which browsers ignore.
        var disposal = 1
        /// Hundredths of a second.
        var delay = 10
    }

    var canvas: PixelSize
    var frames: [Frame]
    /// How often all are repeated; nil for no word about it.
    var repeats: Int?

    static let colours: [[Int]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [128, 128, 128]]

    /// The file.
    var bytes: [UInt8] {
        var file = Array("GIF89a".utf8) + short(canvas.width) + short(canvas.height) + [0x81, 3, 0]
        file += Self.colours.flatMap { $0.map(UInt8.init) }
        if let repeats { file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + short(repeats) + [0] }
        return file + frames.flatMap(block) + [0x3B]
    }

    private func block(_ frame: Frame) -> [UInt8] {
        let rect = frame.rect
        let control =
            [0x21, 0xF9, 4, UInt8(frame.disposal << 2 | (frame.disposal == 2 ? 1 : 0))] + short(frame.delay) + [3, 0]
        let place = short(rect.x) + short(rect.y) + short(rect.size.width) + short(rect.size.height)
        return control + [0x2C] + place + [0, 2] + pixels(rect.size.width * rect.size.height, frame.colour) + [0]
    }

    /// Clearing the table before every second pixel keeps all codes at three bits.
    private func pixels(_ count: Int, _ colour: Int) -> [UInt8] {
        let codes = (0..<count).flatMap { $0 % 2 == 0 ? [4, colour] : [colour] } + [5]
        var bits = codes.flatMap { code in (0..<3).map { code >> $0 & 1 } }
        while bits.count % 8 != 0 { bits.append(0) }
        let data = stride(from: 0, to: bits.count, by: 8).map { start in
            UInt8((0..<8).reduce(0) { $0 | bits[start + $1] << $1 })
        }
        return stride(from: 0, to: data.count, by: 255).flatMap { start -> [UInt8] in
            let part = data[start..<min(data.count, start + 255)]
            return [UInt8(part.count)] + part
        }
    }

    private func short(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
}
