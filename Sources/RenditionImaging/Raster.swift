import CVips
import RenditionModel

/// Owns one libvips image or pipeline; steps consume it and give the next one.
///
/// Pixels are computed late, from source bytes that must outlive it.
struct Raster: ~Copyable {
    private let pointer: OpaquePointer

    /// Opens source bytes with one loader and numeric options of it.
    init(
        loading bytes: UnsafeRawBufferPointer,
        loader: String,
        options: [LoadOption] = []
    ) throws(StepFailure) {
        var opened: OpaquePointer?
        let values = options.map { cvips_option(name: $0.pointer, value: $0.value) }
        let code = cvips_load(loader, bytes.baseAddress, bytes.count, values, values.count, &opened)
        guard code == 0, let opened else { throw StepFailure("decode") }
        pointer = opened
    }

    /// Takes over the caller's reference.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { cvips_unref(pointer) }

    /// Its stored size; orientation is not applied.
    var size: PixelSize { PixelSize(width: Int(cvips_width(pointer)), height: Int(cvips_height(pointer))) }
    /// Bands a pixel, alpha included.
    var bands: Int { Int(cvips_bands(pointer)) }
    /// Whether the last band is alpha.
    var hasAlpha: Bool { cvips_has_alpha(pointer) != 0 }
    /// Whether a colour profile is embedded, readable or not.
    var hasProfile: Bool { cvips_has_profile(pointer) != 0 }
    /// Whether the profile can be read and is for pictures of this kind.
    var hasUsableProfile: Bool { cvips_has_usable_profile(pointer) != 0 }
    /// What its numbers mean: one of the `CVIPS_` constants.
    var colour: Int { Int(cvips_colour(pointer)) }

    /// An integer of the metadata.
    func metadata(_ name: String) -> Int? {
        let value = cvips_metadata(pointer, name, .min)
        return value == .min ? nil : Int(value)
    }

    /// A list of integers of the metadata; empty if there is none.
    func numbers(_ name: String) -> [Int] {
        var count: Int32 = 0
        guard let values = cvips_numbers(pointer, name, &count) else { return [] }
        return UnsafeBufferPointer(start: values, count: Int(count)).map(Int.init)
    }

    /// Replaces the image by what `operation` makes of it.
    consuming func applying(
        _ step: String,
        _ operation: (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) throws(StepFailure) -> Raster {
        Raster(owning: try derived(step, operation))
    }

    /// The same, or nil where the operation fails; the image stays.
    func attempting(
        _ operation: (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) -> Raster? {
        // Losing the reason is right here: the caller goes on without the step and says so.
        (try? derived("attempt", operation)).map { Raster(owning: $0) }
    }

    /// What `operation` makes of the image, which stays.
    func deriving(
        _ step: String,
        _ operation: (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) throws(StepFailure) -> Raster {
        Raster(owning: try derived(step, operation))
    }

    private func derived(
        _ step: String,
        _ operation: (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) throws(StepFailure) -> OpaquePointer {
        var result: OpaquePointer?
        guard operation(pointer, &result) == 0, let result else { throw StepFailure(step) }
        return result
    }

    /// Lends the image for a call that makes no other image of it.
    func borrowing<T>(_ body: (OpaquePointer) -> T) -> T { body(pointer) }

    /// Computes every pixel now; whatever the source hides comes out here, not in the encoder.
    consuming func materialised() throws(StepFailure) -> Raster { try applying("decode", cvips_materialise) }

    /// Whether every pixel is the same; decodes both pictures and keeps neither.
    func isSame(as other: borrowing Raster) throws(StepFailure) -> Bool {
        let answer = cvips_differs(pointer, other.pointer)
        guard answer >= 0 else { throw StepFailure("decode") }
        return answer == 0
    }

    /// Every pixel, row by row; for comparing pictures.
    func pixels() -> [UInt8] {
        var count = 0
        guard let memory = cvips_pixels(pointer, &count) else { return [] }
        defer { cvips_free(memory) }
        return Array(UnsafeRawBufferPointer(start: memory, count: count))
    }
}

/// A loader's numeric option and its value.
struct LoadOption {
    /// The option's name; static, because C keeps looking at it.
    let name: StaticString
    let value: Double

    fileprivate var pointer: UnsafePointer<CChar> {
        UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// The page to begin with, counted from 0.
    static func page(_ index: Int) -> LoadOption { LoadOption(name: "page", value: Double(index)) }
    /// Every page from there on, one below the other.
    static let allPages = LoadOption(name: "n", value: -1)
}

/// A step that libvips could not do.
struct StepFailure: Error, Equatable {
    /// The step's name.
    let step: String
    /// libvips' last line, what went before may be a remark; on a process with several threads it may be another one's.
    let hint: String

    /// The failure that libvips has just reported.
    init(_ step: String) {
        let text = cvips_error_copy()
        defer { cvips_free(text) }
        let lines = text.map { String(cString: $0) } ?? ""
        self.init(step, hint: lines.split(separator: "\n").last.map(String.init) ?? "no reason given")
    }

    init(_ step: String, hint: String) {
        self.step = step
        self.hint = "\(step): \(hint.prefix(200))"
    }
}
