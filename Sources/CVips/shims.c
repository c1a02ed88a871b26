#define _GNU_SOURCE
#include "CVips.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <vips/vips.h>

/* GLib would print the remarks of hostile files to standard error; what matters comes back as an error. */
static void drop(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
    (void)domain, (void)level, (void)message, (void)data;
}

/*
 * Debian's libvips opens every module it finds beside it, ImageMagick, Poppler and OpenSlide among them: 17 ms of a start, and
 * decoders that must never be reached. A home without modules makes it open none; these two are then opened by name. Where they
 * are part of the library there is nothing to open.
 */
static void open_modules(void) {
    static const char *const names[] = {"heif", "jxl"};
    Dl_info library;
    if (!dladdr((void *)vips_init, &library)) return;
    char *folder = g_path_get_dirname(library.dli_fname);
    for (size_t index = 0; index < G_N_ELEMENTS(names); index++) {
        char *path = g_strdup_printf(
            "%s/vips-modules-%d.%d/vips-%s.so", folder, vips_version(0), vips_version(1), names[index]);
        GModule *module = g_module_open(path, G_MODULE_BIND_LAZY);
        if (module) g_module_make_resident(module);
        g_free(path);
    }
    g_free(folder);
}

int cvips_start(const char *program) {
    setenv("VIPSHOME", "/nonexistent", 1);
    if (vips_init(program)) return -1;
    open_modules();
    g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING | G_LOG_LEVEL_MESSAGE | G_LOG_LEVEL_INFO, drop, NULL);
    vips_cache_set_max(0);
    vips_concurrency_set(1);
    vips_block_untrusted_set(TRUE);
    vips_operation_block_set("VipsForeignLoad", TRUE);
    static const char *const allowed[] = {
        "VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer",  "VipsForeignLoadWebpBuffer",
        "VipsForeignLoadNsgifBuffer", "VipsForeignLoadHeifBuffer", "VipsForeignLoadTiffBuffer",
        "VipsForeignLoadJxlBuffer",  "VipsForeignLoadSvgBuffer"};
    for (size_t index = 0; index < G_N_ELEMENTS(allowed); index++) vips_operation_block_set(allowed[index], FALSE);
    return 0;
}

char *cvips_error_copy(void) { return vips_error_buffer_copy(); }
void cvips_free(void *memory) { g_free(memory); }
void cvips_unref(VipsImage *image) { g_object_unref(image); }

int cvips_load(
    const char *loader, const void *bytes, size_t count, const char *option, double value, VipsImage **out) {
    char name[32];
    g_snprintf(name, sizeof name, "%sload_buffer", loader);
    VipsOperation *operation = vips_operation_new(name);
    if (!operation) return -1;
    VipsBlob *blob = vips_blob_new(NULL, bytes, count);
    g_object_set(operation, "buffer", blob, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_TRUNCATED, NULL);
    vips_area_unref(VIPS_AREA(blob));
    if (option) {
        GValue number = G_VALUE_INIT;
        g_value_init(&number, G_TYPE_DOUBLE);
        g_value_set_double(&number, value);
        g_object_set_property(G_OBJECT(operation), option, &number);
        g_value_unset(&number);
    }
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

int cvips_colour(const VipsImage *image) {
    VipsInterpretation interpretation = vips_image_get_interpretation(image);
    if (interpretation == VIPS_INTERPRETATION_CMYK) return CVIPS_CMYK;
    if (vips_image_get_format(image) != VIPS_FORMAT_UCHAR) return CVIPS_OTHER;
    if (interpretation == VIPS_INTERPRETATION_B_W) return CVIPS_GREY8;
    return interpretation == VIPS_INTERPRETATION_sRGB ? CVIPS_RGB8 : CVIPS_OTHER;
}

int cvips_resize(VipsImage *image, double horizontal, double vertical, VipsImage **out) {
    if (!vips_image_hasalpha(image)) return vips_resize(image, out, horizontal, "vscale", vertical, NULL);
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 4);
    /* A cast to integers cuts off, so round first. */
    int failed = vips_premultiply(image, &step[0], NULL) ||
        vips_resize(step[0], &step[1], horizontal, "vscale", vertical, NULL) ||
        vips_unpremultiply(step[1], &step[2], NULL) || vips_rint(step[2], &step[3], NULL) ||
        vips_cast(step[3], out, vips_image_get_format(image), NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

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

int cvips_flatten(VipsImage *image, VipsImage **out) {
    VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
    int failed = vips_flatten(image, out, "background", white, NULL);
    vips_area_unref(VIPS_AREA(white));
    return failed;
}

int cvips_differs(VipsImage *one, VipsImage *other) {
    VipsImage *difference;
    if (vips_notequal(one, other, &difference, NULL)) return -1;
    double most = 0;
    int failed = vips_max(difference, &most, NULL);
    g_object_unref(difference);
    return failed ? -1 : most > 0;
}

int cvips_materialise(VipsImage *image, VipsImage **out) {
    *out = vips_image_copy_memory(image);
    return *out ? 0 : -1;
}

int cvips_orient(VipsImage *image, int orientation, VipsImage **out) {
    static const VipsAngle angles[] = {
        [3] = VIPS_ANGLE_D180, [5] = VIPS_ANGLE_D90, [6] = VIPS_ANGLE_D90, [7] = VIPS_ANGLE_D270, [8] = VIPS_ANGLE_D270};
    switch (orientation) {
    case 2: return vips_flip(image, out, VIPS_DIRECTION_HORIZONTAL, NULL);
    case 4: return vips_flip(image, out, VIPS_DIRECTION_VERTICAL, NULL);
    case 3: case 6: case 8: return vips_rot(image, out, angles[orientation], NULL);
    case 5: case 7: {
        VipsImage *turned;
        if (vips_rot(image, &turned, angles[orientation], NULL)) return -1;
        int failed = vips_flip(turned, out, VIPS_DIRECTION_HORIZONTAL, NULL);
        g_object_unref(turned);
        return failed;
    }
    default: return vips_copy(image, out, NULL);
    }
}

int cvips_strip(VipsImage *image, VipsImage **out) {
    if (vips_copy(image, out, NULL)) return -1;
    char **names = vips_image_get_fields(*out);
    for (char **name = names; *name; name++) vips_image_remove(*out, *name);
    g_strfreev(names);
    return 0;
}

int cvips_save_jpeg(VipsImage *image, int quality, void **bytes, size_t *count) {
    return vips_jpegsave_buffer(image, bytes, count, "Q", quality, "optimize_coding", TRUE, "strip", TRUE, NULL);
}

int cvips_save_png(VipsImage *image, void **bytes, size_t *count) {
    return vips_pngsave_buffer(
        image, bytes, count, "compression", 6, "filter", VIPS_FOREIGN_PNG_FILTER_ALL, "bitdepth", 8, "strip", TRUE, NULL);
}

int cvips_save_webp(VipsImage *image, int quality, void **bytes, size_t *count) {
    return vips_webpsave_buffer(image, bytes, count, "Q", quality, "effort", 4, "alpha_q", 100, "strip", TRUE, NULL);
}

int cvips_save_avif(VipsImage *image, int quality, int effort, void **bytes, size_t *count) {
    return vips_heifsave_buffer(
        image, bytes, count, "compression", VIPS_FOREIGN_HEIF_COMPRESSION_AV1, "encoder", VIPS_FOREIGN_HEIF_ENCODER_AOM,
        "Q", quality, "effort", effort, "bitdepth", 8, "strip", TRUE, NULL);
}

void *cvips_pixels(VipsImage *image, size_t *count) { return vips_image_write_to_memory(image, count); }
