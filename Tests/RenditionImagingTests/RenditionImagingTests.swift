import Testing

@Suite struct RenditionImagingTests {}
