/* Every libvips call that Swift may make, with the image opaque: no GLib header reaches Swift. */
#ifndef CVIPS_H
#define CVIPS_H

#include <stddef.h>

/** An image or a pipeline that will yield one; counted by reference, released with cvips_unref. */
typedef struct _VipsImage VipsImage;

/* Functions that return int give 0, or -1 with the reason in cvips_error_copy(); `*out` is then untouched. */

/** Starts libvips once for the process: one thread an image, no operation cache, no loader but those of cvips_load. */
int cvips_start(const char *program);

/** The text of what failed since the last call, copied and cleared at once; released with cvips_free. */
char *cvips_error_copy(void);

void cvips_free(void *memory);
void cvips_unref(VipsImage *image);

/**
 * Opens `bytes`, which must outlive the image, with the loader `vips_<loader>load_buffer`; pixels are read later, top to bottom.
 * `option` is one of the loader's numeric options (shrink, scale, page) or NULL. Data that ends early is an error.
 */
int cvips_load(
    const char *loader, const void *bytes, size_t count, const char *option, double value, VipsImage **out);

int cvips_width(const VipsImage *image);
int cvips_height(const VipsImage *image);
int cvips_bands(const VipsImage *image);
int cvips_has_alpha(VipsImage *image);
int cvips_has_profile(const VipsImage *image);

/** Whether the profile can be read and is for pictures of this kind. */
int cvips_has_usable_profile(VipsImage *image);

/** The integer `name` of the image's metadata, or `otherwise`. */
int cvips_metadata(const VipsImage *image, const char *name, int otherwise);

/** What the numbers of a pixel mean; GREY and RGB with 8 bits a band are ready to be written. */
enum { CVIPS_GREY8, CVIPS_RGB8, CVIPS_CMYK, CVIPS_OTHER };
int cvips_colour(const VipsImage *image);

/** Scales by two factors; colours are weighted by alpha, so hidden ones do not bleed. */
int cvips_resize(VipsImage *image, double horizontal, double vertical, VipsImage **out);

/** By the embedded profile to 8-bit sRGB. */
int cvips_profile_to_srgb(VipsImage *image, VipsImage **out);

/** By the kind of its numbers alone to 8-bit sRGB or grey. */
int cvips_to_srgb(VipsImage *image, VipsImage **out);

/** CMYK of 8 bits without a profile to sRGB: each colour is what its ink and the black let through. */
int cvips_cmyk_to_srgb(VipsImage *image, VipsImage **out);

/** Puts the picture on a white ground; no alpha is left. */
int cvips_flatten(VipsImage *image, VipsImage **out);

/** Computes every pixel of both and keeps none: 1 if any differs, 0 if not, -1 on failure. */
int cvips_differs(VipsImage *one, VipsImage *other);

/** Computes every pixel now, into memory. */
int cvips_materialise(VipsImage *image, VipsImage **out);

/** Turns and mirrors the image as EXIF orientation 2...8 asks; it must be in memory. */
int cvips_orient(VipsImage *image, int orientation, VipsImage **out);

/** The same pixels without profile or any other metadata. */
int cvips_strip(VipsImage *image, VipsImage **out);

/** Encodes; `*bytes` is released with cvips_free. */
int cvips_save_jpeg(VipsImage *image, int quality, void **bytes, size_t *count);
int cvips_save_png(VipsImage *image, void **bytes, size_t *count);
int cvips_save_webp(VipsImage *image, int quality, void **bytes, size_t *count);
int cvips_save_avif(VipsImage *image, int quality, int effort, void **bytes, size_t *count);

/** All pixels, rows without gaps; released with cvips_free. NULL on failure. */
void *cvips_pixels(VipsImage *image, size_t *count);

#endif
