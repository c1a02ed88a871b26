/// What to do to a source, as a value: which part, how large, how altered, which format, how good.
///
/// It is what the three dialects mean, whichever wrote it. `canonicalText` is equal for equal meaning and is part of every
/// cache key; `RenderPlan` turns the transform into exact steps for one source. Fields stand in the order in which they are
/// applied. Coordinates are those of the upright picture, first pixel upper left.
public struct Transform: Codable, Hashable, Sendable {
    /// Which frames of an animation are kept; more than one only where the output format can be animated.
    public var frames = Frames.all
    /// The border of the corner's colour is removed first, within this tolerance, 1…255; nil removes none.
    public var trim: Int?
    /// The EXIF orientation, 1…8, that counts instead of the stored one; nil for the stored one.
    public var orientation: Int?
    /// The clockwise turn of the upright picture, before the crop.
    public var rotation = QuarterTurn.none
    /// The upright picture is held to fit a square of this many pixels before anything is measured; nil holds nothing.
    ///
    /// AEM works from a rendition of at most 2048 pixels (spec AEM §6.3); a crop is still cut from the full-size pixels.
    public var base: Int?
    /// The part that is kept.
    public var crop: Crop?
    /// The size.
    public var resize: Resize
    /// A counter-clockwise turn inside the frame, in degrees, 0 ..< 360, magnified so that no corner is empty.
    public var tilt = 0.0
    /// Mirroring, after the crop and the resize.
    public var flip = Flip.none
    /// Changes of colour and tone.
    public var adjustments = Adjustments()
    /// Sharpening and blurring.
    public var effects = Effects()
    /// Pixels added around the resized picture.
    public var padding = Padding()
    /// What everything transparent is painted with; nil is white where alpha cannot stay, and nothing where it can.
    public var background: Background?
    /// The shape outside of which everything is transparent.
    public var mask: Mask?
    /// A line of text on top.
    public var text: Text?
    /// Another picture on top of that.
    public var mark: Mark?
    /// A frame on top of that.
    public var border: Border?
    /// The output format.
    public var format: Format
    /// The encoder's quality; nil is the format's default (JPEG 80, WebP 80, AVIF 55, JPEG XL 80).
    public var quality: Quality?
    /// A way of writing the format that the format alone does not say.
    public var variant: Variant?
    /// What is kept of the source's metadata.
    public var metadata = Metadata.none
    /// What becomes of the colours.
    public var profile = Profile.srgb
    /// What happens where the output would be larger than the limits.
    public var oversize = Oversize.refused

    /// A transform; without arguments, the source in its own size and format.
    public init(resize: Resize = .none, format: Format = .source, quality: Quality? = nil) {
        self.resize = resize
        self.format = format
        self.quality = quality
    }
}

extension Transform {
    /// Which frames are kept.
    public enum Frames: Codable, Hashable, Sendable {
        case all
        case first
        /// One, counted from 1; the last where there are fewer.
        case only(Int)
    }

    /// A clockwise turn in steps of 90°.
    public enum QuarterTurn: Int, Codable, Hashable, Sendable {
        case none = 0
        case right = 90
        case half = 180
        case left = 270

        /// Whether width and height are exchanged.
        public var exchangesSides: Bool { self == .right || self == .left }
    }

    /// Mirroring.
    public struct Flip: Codable, Hashable, Sendable {
        /// Left and right are exchanged.
        public var horizontal: Bool
        /// Top and bottom are exchanged.
        public var vertical: Bool

        /// Mirroring along the given axes.
        public init(horizontal: Bool = false, vertical: Bool = false) {
            self.horizontal = horizontal
            self.vertical = vertical
        }

        /// No mirroring.
        public static let none = Flip()
    }

    /// What is kept of EXIF, XMP and IPTC.
    public enum Metadata: String, Codable, Hashable, Sendable {
        case none
        /// The rights fields alone, never a position.
        case copyright
    }

    /// What becomes of an embedded profile.
    public enum Profile: String, Codable, Hashable, Sendable {
        /// Colours are converted to sRGB and the profile is dropped.
        case srgb
        /// Colours and profile stay as they are.
        case keep
    }

    /// What happens where the output would pass a limit on its sides or pixels.
    public enum Oversize: String, Codable, Hashable, Sendable {
        /// No picture is made.
        case refused
        /// Everything shrinks in proportion until it fits.
        case reduced
    }
}
