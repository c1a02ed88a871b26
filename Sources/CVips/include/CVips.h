/* Every libvips call that Swift may make, with the image opaque: no GLib header reaches Swift. */
#ifndef CVIPS_H
#define CVIPS_H

#include <stddef.h>

/** An image or a pipeline that will yield one; counted by reference, released with cvips_unref. */
typedef struct _VipsImage VipsImage;

/* Functions that return int give 0, or -1 with the reason in cvips_error_copy(); `*out` is then untouched. */

/** Starts libvips once for the process: one thread an image, no operation cache, no loader but those of cvips_load. */
int cvips_start(const char *program);

/** How many threads compute an image from now on; the result does not depend on it. */
void cvips_set_threads(int count);

/** The text of what failed since the last call, copied and cleared at once; released with cvips_free. */
char *cvips_error_copy(void);

void cvips_free(void *memory);
void cvips_unref(VipsImage *image);

/* Loading */

/** A loader's numeric option: shrink, scale, page, n. */
typedef struct {
    const char *name;
    double value;
} cvips_option;

/**
 * Opens `bytes`, which must outlive the image, with the loader `vips_<loader>load_buffer`; pixels are read later, top to bottom.
 * Data that ends early is an error.
 */
int cvips_load(
    const char *loader, const void *bytes, size_t count, const cvips_option *options, size_t option_count, VipsImage **out);

int cvips_width(const VipsImage *image);
int cvips_height(const VipsImage *image);
int cvips_bands(const VipsImage *image);
int cvips_has_alpha(VipsImage *image);
int cvips_has_profile(const VipsImage *image);

/** Whether the profile can be read and is for pictures of this kind. */
int cvips_has_usable_profile(VipsImage *image);

/** The integer `name` of the image's metadata, or `otherwise`. */
int cvips_metadata(const VipsImage *image, const char *name, int otherwise);

/** The list of integers `name` of the image's metadata, valid as long as the image; NULL if there is none. */
const int *cvips_numbers(VipsImage *image, const char *name, int *count);

/** The metadata `name` as text, released with cvips_free; NULL if there is none. */
char *cvips_text(VipsImage *image, const char *name);

/** The block `name` of the metadata, valid as long as the image; NULL if there is none. */
const void *cvips_blob(VipsImage *image, const char *name, size_t *count);

/** Sets a text of the metadata of an image that nobody else has seen. */
void cvips_set_text(VipsImage *image, const char *name, const char *value);

/** Sets a block of the metadata of an image that nobody else has seen, from a copy. */
void cvips_set_blob(VipsImage *image, const char *name, const void *bytes, size_t count);

/** What the numbers of a pixel mean; GREY and RGB with 8 bits a band are ready to be written. */
enum { CVIPS_GREY8, CVIPS_RGB8, CVIPS_CMYK, CVIPS_OTHER };
int cvips_colour(const VipsImage *image);

/** Computes every pixel of both and keeps none: 1 if any differs, 0 if not, -1 on failure. */
int cvips_differs(VipsImage *one, VipsImage *other);

/** The same pixels, as another image. */
int cvips_copy(VipsImage *image, VipsImage **out);

/** Computes every pixel now, into memory. */
int cvips_materialise(VipsImage *image, VipsImage **out);

/** All pixels, rows without gaps; released with cvips_free. NULL on failure. */
void *cvips_pixels(VipsImage *image, size_t *count);

/* Colour */

/** By the embedded profile to 8-bit sRGB. */
int cvips_profile_to_srgb(VipsImage *image, VipsImage **out);

/** By the kind of its numbers alone to 8-bit sRGB or grey. */
int cvips_to_srgb(VipsImage *image, VipsImage **out);

/** CMYK of 8 bits without a profile to sRGB: each colour is what its ink and the black let through. */
int cvips_cmyk_to_srgb(VipsImage *image, VipsImage **out);

/** The same numbers with 8 bits each and the profile they belong to. */
int cvips_to_eight_bits(VipsImage *image, VipsImage **out);

/** The same picture with three colours, and with alpha if asked for. */
int cvips_paintable(VipsImage *image, int with_alpha, VipsImage **out);

/* Geometry; of one frame, never of a stack of them */

/** Scales by two factors; colours are weighted by alpha, so hidden ones do not bleed. */
int cvips_resize(VipsImage *image, double horizontal, double vertical, VipsImage **out);

/** Turns and mirrors the image as EXIF orientation 2...8 asks; it must be in memory. */
int cvips_orient(VipsImage *image, int orientation, VipsImage **out);

int cvips_crop(VipsImage *image, int left, int top, int width, int height, VipsImage **out);

/** Cuts out the part of that size with most detail, or the one that draws the eye. */
enum { CVIPS_ENTROPY, CVIPS_ATTENTION };
int cvips_smart_crop(VipsImage *image, int width, int height, int interest, VipsImage **out);

/** The rectangle inside a border of 8-bit pixels within `tolerance` of the upper left corner; 0 wide if all is border. */
int cvips_find_trim(VipsImage *image, double tolerance, int *left, int *top, int *width, int *height);

/** Turns the picture clockwise about its centre and cuts a frame of that size out of its middle. */
int cvips_rotate_inside(VipsImage *image, double degrees, int width, int height, VipsImage **out);

/** Squares of `side` pixels, each in its average colour. */
int cvips_pixelate(VipsImage *image, int side, VipsImage **out);

/** Places the picture on a larger canvas of that colour; NULL repeats its edges. Translucent colours bring alpha. */
int cvips_embed(VipsImage *image, int left, int top, int width, int height, const double rgba[4], VipsImage **out);

/** Owns images until they are stacked. */
typedef struct cvips_list cvips_list;
cvips_list *cvips_list_new(int capacity);
/** Adds a reference; never more than the capacity. */
void cvips_list_append(cvips_list *list, VipsImage *image);
/** One image, top to bottom. */
int cvips_list_stack(cvips_list *list, VipsImage **out);
void cvips_list_free(cvips_list *list);

/* Style */

/** Puts the picture on an opaque ground; no alpha is left. */
int cvips_flatten(VipsImage *image, const double rgb[3], VipsImage **out);

/** Puts the picture on a ground that may be translucent. */
int cvips_on_ground(VipsImage *image, const double rgba[4], VipsImage **out);

/** Lays `overlay` over the picture at that place; alpha only where the picture has it. */
int cvips_place(VipsImage *base, VipsImage *overlay, int left, int top, VipsImage **out);

/** Multiplies the alpha, which is added where there is none, by 0…1. */
int cvips_fade(VipsImage *image, double opacity, VipsImage **out);

int cvips_blur(VipsImage *image, double sigma, VipsImage **out);

/** Sharpens lightness alone; `amount` is libvips' slope for jagged areas, `sigma` in pixels. */
int cvips_sharpen(VipsImage *image, double sigma, double amount, VipsImage **out);

/** Replaces each colour sample by what the table has for it; alpha stays. */
int cvips_map(VipsImage *image, const unsigned char table[256], VipsImage **out);

/** Multiplies each RGB pixel by a matrix, row by row; alpha stays. */
int cvips_recombine(VipsImage *image, const double matrix[9], VipsImage **out);

/** More (up to 1) or less (down to -1) chroma where there is little of it. */
int cvips_vibrance(VipsImage *image, double strength, VipsImage **out);

/** Multiplies alpha by the last band of `shape`, which has the same size. */
int cvips_keep_where(VipsImage *image, VipsImage *shape, VipsImage **out);

/** The average colour, on white where there is alpha. */
int cvips_average(VipsImage *image, double rgb[3]);

/** How alike two pictures of one size are, by the mean structural similarity of their lightness; 1 for equal ones. */
int cvips_similarity(VipsImage *one, VipsImage *other, double *similarity);

/* Saving */

/** The same pixels without any metadata but, if asked for, the profile. */
int cvips_strip(VipsImage *image, int with_profile, VipsImage **out);

/** The same stack of frames with what a player needs: milliseconds each, and how often all are played, 0 for ever. */
int cvips_animate(VipsImage *image, int frame_height, const int *delays, int frames, int loop, VipsImage **out);

/* Encode; `*bytes` is released with cvips_free. Quality is 1...100; an image with a frame height comes out animated.
 * `keep` writes the profile and the rights that the image carries. */
int cvips_save_jpeg(VipsImage *image, int quality, int progressive, int keep, void **bytes, size_t *count);
int cvips_save_png(VipsImage *image, int palette, int quality, int effort, int keep, void **bytes, size_t *count);
int cvips_save_webp(VipsImage *image, int quality, int lossless, int effort, int keep, void **bytes, size_t *count);
int cvips_save_avif(VipsImage *image, int quality, int lossless, int effort, int keep, void **bytes, size_t *count);
int cvips_save_jxl(VipsImage *image, int quality, int lossless, int effort, int keep, void **bytes, size_t *count);
int cvips_save_gif(VipsImage *image, double dither, int effort, int keep, void **bytes, size_t *count);

#endif
