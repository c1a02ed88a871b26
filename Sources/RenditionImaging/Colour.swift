import CVips

extension Raster {
    /// Brings the picture to 8-bit sRGB or grey: by its profile if that works, else by the kind of its numbers.
    consuming func inSRGB(notes: inout [String]) throws(StepFailure) -> Raster {
        if hasProfile {
            if hasUsableProfile, let converted = attempting(cvips_profile_to_srgb) { return converted }
            notes.append("unusable colour profile ignored")
        }
        switch colour {
        case CVIPS_RGB8, CVIPS_GREY8: return self
        case CVIPS_CMYK: return try applying("colour", cvips_cmyk_to_srgb)
        default: return try applying("colour", cvips_to_srgb)
        }
    }

    /// Puts a picture with alpha on white, for formats that have none.
    consuming func flattened() throws(StepFailure) -> Raster {
        guard hasAlpha else { return self }
        return try applying("flatten", cvips_flatten)
    }
}
