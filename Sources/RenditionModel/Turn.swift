/// A turn by quarters and then a mirroring from left to right: what EXIF orientations are made of.
package struct Turn: Hashable {
    /// Clockwise quarter turns, 0…3.
    package var quarters: Int
    /// Whether left and right are exchanged afterwards.
    package var isMirrored: Bool

    /// What makes a picture of this EXIF orientation upright; anything but 2…8 turns nothing.
    package init(orientation: Int) {
        (quarters, isMirrored) =
            switch orientation {
            case 2: (0, true)
            case 3: (2, false)
            case 4: (2, true)
            case 5: (1, true)
            case 6: (1, false)
            case 7: (3, true)
            case 8: (3, false)
            default: (0, false)
            }
    }

    /// The EXIF orientation that this makes upright.
    var orientation: Int {
        switch (quarters, isMirrored) {
        case (0, true): 2
        case (1, false): 6
        case (1, true): 5
        case (2, false): 3
        case (2, true): 4
        case (3, false): 8
        case (3, true): 7
        default: 1
        }
    }

    /// This turn and then another.
    func followed(by rotation: Transform.QuarterTurn) -> Turn {
        var turn = self
        let more = rotation.rawValue / 90
        // A turn after the mirror is the opposite turn before it.
        turn.quarters = (quarters + (isMirrored ? 4 - more : more)) % 4
        return turn
    }

    /// Whether width and height are exchanged.
    var exchangesSides: Bool { quarters % 2 == 1 }

    /// The size of a picture once turned.
    func size(of stored: PixelSize) -> PixelSize { exchangesSides ? stored.exchanged : stored }

    /// Where a rectangle of the turned picture lies in the stored one.
    package func stored(_ rect: PixelRect, in stored: PixelSize) -> PixelRect {
        let turned = size(of: stored)
        let x = isMirrored ? turned.width - rect.x - rect.size.width : rect.x
        let (y, size) = (rect.y, rect.size)
        switch quarters {
        case 1: return PixelRect(x: y, y: stored.height - x - size.width, size: size.exchanged)
        case 2: return PixelRect(x: stored.width - x - size.width, y: stored.height - y - size.height, size: size)
        case 3: return PixelRect(x: stored.width - y - size.height, y: x, size: size.exchanged)
        default: return PixelRect(x: x, y: y, size: size)
        }
    }
}
