import Testing

@Suite struct RenditionServerTests {}
