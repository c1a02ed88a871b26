/* Carries the pkg-config flags of libvips to CVips; no Swift file imports it. */
