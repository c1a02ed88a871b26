import CVips

/// Owns pictures of one size until they are stacked, top to bottom, as libvips wants the frames of an animation.
struct FrameStack: ~Copyable {
    private let list: OpaquePointer

    /// An empty stack for at most so many pictures.
    init(capacity: Int) { list = cvips_list_new(Int32(capacity)) }

    deinit { cvips_list_free(list) }

    /// Puts a picture below the others.
    mutating func append(_ picture: consuming Raster) {
        picture.borrowing { cvips_list_append(list, $0) }
    }

    /// All of them as one picture.
    consuming func stacked() throws(StepFailure) -> Raster {
        var result: OpaquePointer?
        guard cvips_list_stack(list, &result) == 0, let result else { throw StepFailure("stack") }
        return Raster(owning: result)
    }
}
