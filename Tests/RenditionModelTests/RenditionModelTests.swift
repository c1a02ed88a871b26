import Testing

@Suite struct RenditionModelTests {}
