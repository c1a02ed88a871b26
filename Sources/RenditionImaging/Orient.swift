import CVips

extension Raster {
    /// Turns pixels that are in memory upright by their EXIF orientation, 1…8.
    consuming func oriented(_ orientation: Int) throws(StepFailure) -> Raster {
        guard orientation != 1 else { return self }
        return try applying("orient") { cvips_orient($0, Int32(orientation), $1) }
    }
}
