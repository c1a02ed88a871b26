/// One thing to do to pixels, with exact whole-pixel geometry.
///
/// Each step works on what the step before it left; for an animation, on every frame.
public enum RenderStep: Codable, Hashable, Sendable {
    /// Cuts a part out of the stored pixels, not yet upright; a decoder that shrinks takes `RenderPlan.region(in:)` of it.
    case extract(PixelRect)
    /// Scales to exactly this size.
    case resize(PixelSize)
    /// Converts to 8-bit sRGB, or keeps the profile.
    case convertColours(Transform.Profile)
    /// Turns and mirrors as the EXIF orientation of this number, 2…8, asks for.
    case orient(Int)
    /// Cuts a part out.
    case crop(PixelRect)
    /// Cuts out the part of this size that matters most.
    case cropToInterest(PixelSize, Interest)
    /// Turns counter-clockwise by degrees: the picture is enlarged to this size first, turned, and cut to its former frame.
    case tilt(degrees: Double, enlarged: PixelSize)
    case flip(Transform.Flip)
    case adjust(Transform.Adjustments)
    /// Sharpens the lightness, 0…10.
    case sharpen(Double)
    /// Sharpens, or softens where negative, the lightness: −100…100 with a radius in pixels.
    case unsharp(amount: Double, radius: Double)
    /// Blurs with this standard deviation in pixels.
    case blur(Double)
    /// Makes blocks of so many pixels' side.
    case pixelate(Int)
    /// 0…100.
    case sepia(Double)
    /// One colour; its alpha is the strength.
    case monochrome(Transform.Colour)
    /// Puts the picture into a canvas of `size` with its upper left corner at `x`, `y`.
    case embed(PixelSize, x: Int, y: Int, Surround)
    /// Makes transparent what is outside.
    case mask(MaskShape)
    /// Paints everything transparent; where the colour is opaque no alpha channel is left.
    case paintBehind(Transform.Background)
    /// Adds an opaque alpha channel where there is none.
    case addAlpha
    /// Writes a line that stays within a part of the picture.
    case write(Transform.Text, in: PixelRect)
    /// Lays the mark that came with the job over a picture of this size, in the size and at the place that it has there.
    case stamp(Transform.Mark, on: PixelSize)
    /// Paints a frame of so many pixels over the edge.
    case border(Int, Transform.Colour)

    /// What makes a part matter.
    public enum Interest: String, Codable, Hashable, Sendable {
        case entropy, attention
    }

    /// What a canvas shows around the picture.
    public enum Surround: Codable, Hashable, Sendable {
        case colour(Transform.Colour)
        case average
        /// The picture, covering the canvas, blurred.
        case blur
        /// The outermost pixels, repeated.
        case edges
    }

    /// What stays visible.
    public enum MaskShape: Codable, Hashable, Sendable {
        case ellipse
        /// Radii in pixels: upper left, upper right, lower right, lower left.
        case corners([Double])
    }
}

/// How the finished pixels are written.
public struct Encoding: Codable, Hashable, Sendable {
    /// The format.
    public var format: ImageFormat
    /// 1…100; nil where the format has no such choice, and for `lossless`.
    public var quality: Int?
    /// Whether the quality is the lowest that meets the perceptual target, `quality` being where the search begins.
    public var findsQuality = false
    /// Whether every pixel is kept.
    public var isLossless = false
    /// A way of writing the format.
    public var variant: Transform.Variant?

    /// A format in its default quality.
    public init(_ format: ImageFormat) {
        self.format = format
        quality = format.defaultQuality
    }
}
