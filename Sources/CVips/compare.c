#include "CVips.h"

#include <vips/vips.h>

static int square(VipsImage *one, VipsImage *other, VipsImage **out) {
    VipsImage *product;
    if (vips_multiply(one, other, &product, NULL)) return -1;
    int failed = vips_gaussblur(product, out, 1.5, "precision", VIPS_PRECISION_FLOAT, NULL);
    g_object_unref(product);
    return failed;
}

static int lightness(VipsImage *image, VipsImage **out) {
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 3);
    double white[3] = {255, 255, 255};
    int failed = (vips_image_hasalpha(image) ? cvips_flatten(image, white, &step[0]) : vips_copy(image, &step[0], NULL)) ||
        vips_colourspace(step[0], &step[1], VIPS_INTERPRETATION_B_W, NULL) ||
        vips_extract_band(step[1], &step[2], 0, NULL) || vips_cast_float(step[2], out, NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

/* Wang, Bovik, Sheikh, Simoncelli: Image quality assessment, 2004; Gaussian window of 1.5 pixels. */
int cvips_similarity(VipsImage *one, VipsImage *other, double *similarity) {
    const double c1 = 0.01 * 255 * 0.01 * 255, c2 = 0.03 * 255 * 0.03 * 255;
    VipsImage *base = vips_image_new();
    VipsImage **t = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 24);
    int failed = lightness(one, &t[0]) || lightness(other, &t[1]) ||
        vips_gaussblur(t[0], &t[2], 1.5, "precision", VIPS_PRECISION_FLOAT, NULL) ||
        vips_gaussblur(t[1], &t[3], 1.5, "precision", VIPS_PRECISION_FLOAT, NULL) || square(t[0], t[0], &t[4]) ||
        square(t[1], t[1], &t[5]) || square(t[0], t[1], &t[6]) || vips_multiply(t[2], t[2], &t[7], NULL) ||
        vips_multiply(t[3], t[3], &t[8], NULL) || vips_multiply(t[2], t[3], &t[9], NULL) ||
        vips_subtract(t[4], t[7], &t[10], NULL) || vips_subtract(t[5], t[8], &t[11], NULL) ||
        vips_subtract(t[6], t[9], &t[12], NULL) || vips_linear1(t[9], &t[13], 2, c1, NULL) ||
        vips_linear1(t[12], &t[14], 2, c2, NULL) || vips_add(t[7], t[8], &t[15], NULL) ||
        vips_linear1(t[15], &t[16], 1, c1, NULL) || vips_add(t[10], t[11], &t[17], NULL) ||
        vips_linear1(t[17], &t[18], 1, c2, NULL) || vips_multiply(t[13], t[14], &t[19], NULL) ||
        vips_multiply(t[16], t[18], &t[20], NULL) || vips_divide(t[19], t[20], &t[21], NULL) ||
        vips_avg(t[21], similarity, NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}
