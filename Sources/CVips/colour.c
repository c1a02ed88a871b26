#include "CVips.h"

#include <vips/vips.h>

static int transform(VipsImage *image, VipsImage **out) {
    return vips_icc_transform(
        image, out, "srgb", "embedded", TRUE, "intent", VIPS_INTENT_RELATIVE, "black_point_compensation", TRUE,
        "depth", 8, NULL);
}

int cvips_profile_to_srgb(VipsImage *image, VipsImage **out) {
    if (!vips_image_hasalpha(image) || vips_image_get_format(image) != VIPS_FORMAT_USHORT) return transform(image, out);
    /* libvips 8.14 would cut 16-bit alpha off at 255. */
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 4);
    int last = vips_image_get_bands(image) - 1;
    int failed = vips_extract_band(image, &step[0], 0, "n", last, NULL) || transform(step[0], &step[1]) ||
        vips_extract_band(image, &step[2], last, NULL) || vips_cast_uchar(step[2], &step[3], "shift", TRUE, NULL) ||
        vips_bandjoin2(step[1], step[3], out, NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

int cvips_to_srgb(VipsImage *image, VipsImage **out) {
    int colours = vips_image_get_bands(image) - vips_image_hasalpha(image);
    VipsImage *converted;
    if (vips_colourspace(image, &converted, colours < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB, NULL))
        return -1;
    int failed = vips_cast_uchar(converted, out, NULL);
    g_object_unref(converted);
    return failed;
}

int cvips_cmyk_to_srgb(VipsImage *image, VipsImage **out) {
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 7);
    int failed = vips_cast_uchar(image, &step[0], NULL) || vips_invert(step[0], &step[1], NULL) ||
        vips_extract_band(step[1], &step[2], 0, "n", 3, NULL) || vips_extract_band(step[1], &step[3], 3, NULL) ||
        vips_multiply(step[2], step[3], &step[4], NULL) || vips_linear1(step[4], &step[5], 1.0 / 255, 0.5, NULL) ||
        vips_cast_uchar(step[5], &step[6], NULL) ||
        vips_copy(step[6], out, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

int cvips_to_eight_bits(VipsImage *image, VipsImage **out) {
    VipsBandFormat format = vips_image_get_format(image);
    if (format == VIPS_FORMAT_UCHAR) return vips_copy(image, out, NULL);
    VipsImage *cut;
    if (vips_cast_uchar(image, &cut, "shift", format == VIPS_FORMAT_USHORT, NULL)) return -1;
    int is_grey = vips_image_get_bands(image) - vips_image_hasalpha(image) < 3;
    int failed = vips_copy(
        cut, out, "interpretation", is_grey ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB, NULL);
    g_object_unref(cut);
    return failed;
}
