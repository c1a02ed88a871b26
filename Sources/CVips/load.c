#include "CVips.h"

#include <vips/vips.h>

static void set_number(VipsOperation *operation, const char *name, double value) {
    GValue number = G_VALUE_INIT;
    g_value_init(&number, G_TYPE_DOUBLE);
    g_value_set_double(&number, value);
    g_object_set_property(G_OBJECT(operation), name, &number);
    g_value_unset(&number);
}

int cvips_load(
    const char *loader, const void *bytes, size_t count, const cvips_option *options, size_t option_count, VipsImage **out) {
    char name[32];
    g_snprintf(name, sizeof name, "%sload_buffer", loader);
    VipsOperation *operation = vips_operation_new(name);
    if (!operation) return -1;
    VipsBlob *blob = vips_blob_new(NULL, bytes, count);
    g_object_set(operation, "buffer", blob, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_TRUNCATED, NULL);
    vips_area_unref(VIPS_AREA(blob));
    for (size_t index = 0; index < option_count; index++) set_number(operation, options[index].name, options[index].value);
    int failed = vips_cache_operation_buildp(&operation);
    if (!failed) g_object_get(operation, "out", out, NULL);
    vips_object_unref_outputs(VIPS_OBJECT(operation));
    g_object_unref(operation);
    return failed;
}

int cvips_width(const VipsImage *image) { return vips_image_get_width(image); }
int cvips_height(const VipsImage *image) { return vips_image_get_height(image); }
int cvips_bands(const VipsImage *image) { return vips_image_get_bands(image); }
int cvips_has_alpha(VipsImage *image) { return vips_image_hasalpha(image); }
int cvips_has_profile(const VipsImage *image) { return vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0; }

int cvips_has_usable_profile(VipsImage *image) {
    const void *profile;
    size_t count;
    return cvips_has_profile(image) && !vips_image_get_blob(image, VIPS_META_ICC_NAME, &profile, &count) &&
        vips_icc_is_compatible_profile(image, profile, count);
}

int cvips_metadata(const VipsImage *image, const char *name, int otherwise) {
    int value = otherwise;
    if (vips_image_get_typeof(image, name) == G_TYPE_INT) vips_image_get_int(image, name, &value);
    return value;
}

const int *cvips_numbers(VipsImage *image, const char *name, int *count) {
    int *values = NULL;
    *count = 0;
    if (vips_image_get_typeof(image, name) != VIPS_TYPE_ARRAY_INT) return NULL;
    return vips_image_get_array_int(image, name, &values, count) ? NULL : values;
}

char *cvips_text(VipsImage *image, const char *name) {
    char *text = NULL;
    if (!vips_image_get_typeof(image, name) || vips_image_get_as_string(image, name, &text)) return NULL;
    return text;
}

const void *cvips_blob(VipsImage *image, const char *name, size_t *count) {
    const void *block = NULL;
    *count = 0;
    if (!vips_image_get_typeof(image, name) || vips_image_get_blob(image, name, &block, count)) return NULL;
    return block;
}

void cvips_set_text(VipsImage *image, const char *name, const char *value) { vips_image_set_string(image, name, value); }

void cvips_set_blob(VipsImage *image, const char *name, const void *bytes, size_t count) {
    vips_image_set_blob_copy(image, name, bytes, count);
}

int cvips_colour(const VipsImage *image) {
    VipsInterpretation interpretation = vips_image_get_interpretation(image);
    if (interpretation == VIPS_INTERPRETATION_CMYK) return CVIPS_CMYK;
    if (vips_image_get_format(image) != VIPS_FORMAT_UCHAR) return CVIPS_OTHER;
    if (interpretation == VIPS_INTERPRETATION_B_W) return CVIPS_GREY8;
    return interpretation == VIPS_INTERPRETATION_sRGB ? CVIPS_RGB8 : CVIPS_OTHER;
}

int cvips_differs(VipsImage *one, VipsImage *other) {
    VipsImage *difference;
    if (vips_notequal(one, other, &difference, NULL)) return -1;
    double most = 0;
    int failed = vips_max(difference, &most, NULL);
    g_object_unref(difference);
    return failed ? -1 : most > 0;
}

int cvips_copy(VipsImage *image, VipsImage **out) { return vips_copy(image, out, NULL); }

int cvips_materialise(VipsImage *image, VipsImage **out) {
    *out = vips_image_copy_memory(image);
    return *out ? 0 : -1;
}

void *cvips_pixels(VipsImage *image, size_t *count) { return vips_image_write_to_memory(image, count); }
