import Testing

@Suite struct RenditionCacheTests {}
