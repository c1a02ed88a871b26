#include "CVips.h"

#include <vips/vips.h>

/* RGB, with alpha if asked for: whatever is painted may be coloured or translucent. */
static int paintable(VipsImage *image, int with_alpha, VipsImage **out) {
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 2);
    int is_grey = vips_image_get_bands(image) - vips_image_hasalpha(image) < 3;
    int failed =
        (is_grey ? vips_colourspace(image, &step[0], VIPS_INTERPRETATION_sRGB, NULL) : vips_copy(image, &step[0], NULL)) ||
        (with_alpha && !vips_image_hasalpha(step[0]) ? vips_addalpha(step[0], &step[1], NULL)
                                                      : vips_copy(step[0], &step[1], NULL)) ||
        vips_cast_uchar(step[1], out, NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

int cvips_paintable(VipsImage *image, int with_alpha, VipsImage **out) { return paintable(image, with_alpha, out); }

int cvips_embed(VipsImage *image, int left, int top, int width, int height, const double rgba[4], VipsImage **out) {
    if (!rgba) return vips_embed(image, out, left, top, width, height, "extend", VIPS_EXTEND_COPY, NULL);
    VipsImage *ready;
    if (paintable(image, rgba[3] < 255, &ready)) return -1;
    VipsArrayDouble *background = vips_array_double_new(rgba, vips_image_get_bands(ready));
    int failed = vips_embed(
        ready, out, left, top, width, height, "extend", VIPS_EXTEND_BACKGROUND, "background", background, NULL);
    vips_area_unref(VIPS_AREA(background));
    g_object_unref(ready);
    return failed;
}

int cvips_place(VipsImage *base, VipsImage *overlay, int left, int top, VipsImage **out) {
    VipsImage *context = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(context), 4);
    int has_alpha = vips_image_hasalpha(base);
    int failed = paintable(base, FALSE, &step[0]) || paintable(overlay, TRUE, &step[1]) ||
        vips_composite2(
            step[0], step[1], &step[2], VIPS_BLEND_MODE_OVER, "x", left, "y", top, "compositing_space",
            VIPS_INTERPRETATION_sRGB, NULL) ||
        (has_alpha ? vips_copy(step[2], &step[3], NULL) : vips_extract_band(step[2], &step[3], 0, "n", 3, NULL)) ||
        vips_cast_uchar(step[3], out, NULL);
    g_object_unref(context);
    return failed ? -1 : 0;
}

int cvips_fade(VipsImage *image, double opacity, VipsImage **out) {
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 2);
    double factors[4] = {1, 1, 1, opacity};
    double halves[4] = {0, 0, 0, 0.5};
    int failed = paintable(image, TRUE, &step[0]) || vips_linear(step[0], &step[1], factors, halves, 4, NULL) ||
        vips_cast_uchar(step[1], out, NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

int cvips_flatten(VipsImage *image, const double rgb[3], VipsImage **out) {
    VipsImage *ready;
    /* A grey picture on a grey ground stays grey. */
    int is_grey = rgb[0] == rgb[1] && rgb[1] == rgb[2];
    if (is_grey ? vips_copy(image, &ready, NULL) : paintable(image, TRUE, &ready)) return -1;
    int colours = vips_image_get_bands(ready) - 1;
    VipsArrayDouble *ground = vips_array_double_new(rgb, colours);
    int failed = vips_flatten(ready, out, "background", ground, NULL);
    vips_area_unref(VIPS_AREA(ground));
    g_object_unref(ready);
    return failed;
}

int cvips_on_ground(VipsImage *image, const double rgba[4], VipsImage **out) {
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 2);
    int failed = paintable(image, TRUE, &step[0]);
    if (!failed) {
        step[1] = vips_image_new_from_image(step[0], rgba, 4);
        failed = !step[1] || cvips_place(step[1], image, 0, 0, out);
    }
    g_object_unref(base);
    return failed ? -1 : 0;
}

int cvips_blur(VipsImage *image, double sigma, VipsImage **out) {
    if (!vips_image_hasalpha(image)) return vips_gaussblur(image, out, sigma, NULL);
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 4);
    int failed = vips_premultiply(image, &step[0], NULL) || vips_gaussblur(step[0], &step[1], sigma, NULL) ||
        vips_unpremultiply(step[1], &step[2], NULL) || vips_rint(step[2], &step[3], NULL) ||
        vips_cast(step[3], out, vips_image_get_format(image), NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

int cvips_sharpen(VipsImage *image, double sigma, double amount, VipsImage **out) {
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 3);
    VipsInterpretation before = vips_image_get_interpretation(image);
    int failed = vips_sharpen(image, &step[0], "sigma", sigma, "m1", 0.0, "m2", amount, NULL) ||
        vips_colourspace(step[0], &step[1], before, NULL) || vips_cast_uchar(step[1], out, NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

/* Runs `operation` on the colours and puts the alpha back behind them. */
static int on_colours(
    VipsImage *image, int (*operation)(VipsImage *, const void *, VipsImage **), const void *with, VipsImage **out) {
    if (!vips_image_hasalpha(image)) return operation(image, with, out);
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 3);
    int colours = vips_image_get_bands(image) - 1;
    int failed = vips_extract_band(image, &step[0], 0, "n", colours, NULL) || operation(step[0], with, &step[1]) ||
        vips_extract_band(image, &step[2], colours, NULL) || vips_bandjoin2(step[1], step[2], out, NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

static int map(VipsImage *image, const void *table, VipsImage **out) {
    VipsImage *curve = vips_image_new_from_memory_copy(table, 256, 256, 1, 1, VIPS_FORMAT_UCHAR);
    if (!curve) return -1;
    int failed = vips_maplut(image, out, curve, NULL);
    g_object_unref(curve);
    return failed;
}

int cvips_map(VipsImage *image, const unsigned char table[256], VipsImage **out) { return on_colours(image, map, table, out); }

static int recombine(VipsImage *image, const void *matrix, VipsImage **out) {
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 4);
    step[0] = vips_image_new_matrix_from_array(3, 3, matrix, 9);
    int failed = !step[0] || vips_recomb(image, &step[1], step[0], NULL) || vips_rint(step[1], &step[2], NULL) ||
        vips_cast_uchar(step[2], &step[3], NULL) ||
        vips_copy(step[3], out, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

int cvips_recombine(VipsImage *image, const double matrix[9], VipsImage **out) {
    VipsImage *ready;
    if (paintable(image, FALSE, &ready)) return -1;
    int failed = on_colours(ready, recombine, matrix, out);
    g_object_unref(ready);
    return failed;
}

static int vibrance(VipsImage *image, const void *strength, VipsImage **out) {
    /* Chroma C becomes C + s C (1 - C / 128): dull colours gain most. */
    double amount = *(const double *)strength;
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 10);
    int failed = vips_colourspace(image, &step[0], VIPS_INTERPRETATION_LCH, NULL) ||
        vips_extract_band(step[0], &step[1], 0, NULL) || vips_extract_band(step[0], &step[2], 1, NULL) ||
        vips_extract_band(step[0], &step[3], 2, NULL) ||
        vips_linear1(step[2], &step[4], -amount / 128, 1 + amount, NULL) ||
        vips_multiply(step[2], step[4], &step[5], NULL) || vips_bandjoin2(step[1], step[5], &step[6], NULL) ||
        vips_bandjoin2(step[6], step[3], &step[7], NULL) ||
        vips_copy(step[7], &step[8], "interpretation", VIPS_INTERPRETATION_LCH, NULL) ||
        vips_colourspace(step[8], &step[9], VIPS_INTERPRETATION_sRGB, NULL) || vips_cast_uchar(step[9], out, NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

int cvips_vibrance(VipsImage *image, double strength, VipsImage **out) {
    VipsImage *ready;
    if (paintable(image, FALSE, &ready)) return -1;
    int failed = on_colours(ready, vibrance, &strength, out);
    g_object_unref(ready);
    return failed;
}

int cvips_keep_where(VipsImage *image, VipsImage *shape, VipsImage **out) {
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 7);
    int failed = paintable(image, TRUE, &step[0]) || vips_extract_band(step[0], &step[1], 0, "n", 3, NULL) ||
        vips_extract_band(step[0], &step[2], 3, NULL) ||
        vips_extract_band(shape, &step[3], vips_image_get_bands(shape) - 1, NULL) ||
        vips_multiply(step[2], step[3], &step[4], NULL) || vips_linear1(step[4], &step[5], 1.0 / 255, 0.5, NULL) ||
        vips_cast_uchar(step[5], &step[6], NULL) || vips_bandjoin2(step[1], step[6], out, NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

int cvips_average(VipsImage *image, double rgb[3]) {
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 3);
    double white[3] = {255, 255, 255};
    int failed = paintable(image, FALSE, &step[0]) ||
        (vips_image_hasalpha(image) ? cvips_flatten(step[0], white, &step[1]) : vips_copy(step[0], &step[1], NULL));
    for (int band = 0; band < 3 && !failed; band++) {
        VipsImage *one;
        failed = vips_extract_band(step[1], &one, band, NULL);
        if (failed) break;
        failed = vips_avg(one, &rgb[band], NULL);
        g_object_unref(one);
    }
    g_object_unref(base);
    return failed ? -1 : 0;
}
