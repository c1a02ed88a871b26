import CVips
import RenditionModel

extension Raster {
    /// Brings the picture to 8 bits: to sRGB or grey, or by wish with its own profile where it is one of RGB or grey.
    consuming func converted(_ profile: Transform.Profile, notes: inout [String]) throws(StepFailure) -> Raster {
        switch profile {
        case .keep where hasUsableProfile && colour != CVIPS_CMYK: try applying("colour", cvips_to_eight_bits)
        case .keep, .srgb: try inSRGB(notes: &notes)
        }
    }

    /// Brings the picture to 8-bit sRGB or grey: by its profile if that works, else by the kind of its numbers.
    private consuming func inSRGB(notes: inout [String]) throws(StepFailure) -> Raster {
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
}
