#include "CVips.h"

#include <string.h>
#include <vips/vips.h>

int cvips_strip(VipsImage *image, int with_profile, VipsImage **out) {
    if (vips_copy(image, out, NULL)) return -1;
    char **names = vips_image_get_fields(*out);
    for (char **name = names; *name; name++)
        if (!with_profile || strcmp(*name, VIPS_META_ICC_NAME) != 0) vips_image_remove(*out, *name);
    g_strfreev(names);
    return 0;
}

int cvips_animate(VipsImage *image, int frame_height, const int *delays, int frames, int loop, VipsImage **out) {
    if (vips_copy(image, out, NULL)) return -1;
    vips_image_set_int(*out, VIPS_META_PAGE_HEIGHT, frame_height);
    vips_image_set_int(*out, VIPS_META_N_PAGES, frames);
    vips_image_set_array_int(*out, "delay", delays, frames);
    vips_image_set_int(*out, "loop", loop);
    return 0;
}

int cvips_save_jpeg(VipsImage *image, int quality, int progressive, int keep, void **bytes, size_t *count) {
    return vips_jpegsave_buffer(
        image, bytes, count, "Q", quality, "optimize_coding", TRUE, "interlace", progressive, "strip", !keep, NULL);
}

int cvips_save_png(VipsImage *image, int palette, int quality, int effort, int keep, void **bytes, size_t *count) {
    if (palette)
        return vips_pngsave_buffer(
            image, bytes, count, "compression", 9, "filter", VIPS_FOREIGN_PNG_FILTER_NONE, "palette", TRUE, "Q", quality,
            "effort", effort, "strip", !keep, NULL);
    return vips_pngsave_buffer(
        image, bytes, count, "compression", effort, "filter", VIPS_FOREIGN_PNG_FILTER_ALL, "bitdepth", 8, "strip", !keep,
        NULL);
}

int cvips_save_webp(VipsImage *image, int quality, int lossless, int effort, int keep, void **bytes, size_t *count) {
    return vips_webpsave_buffer(
        image, bytes, count, "Q", quality, "lossless", lossless, "effort", effort, "alpha_q", 100, "strip", !keep, NULL);
}

int cvips_save_avif(VipsImage *image, int quality, int lossless, int effort, int keep, void **bytes, size_t *count) {
    return vips_heifsave_buffer(
        image, bytes, count, "compression", VIPS_FOREIGN_HEIF_COMPRESSION_AV1, "encoder", VIPS_FOREIGN_HEIF_ENCODER_AOM,
        "Q", quality, "lossless", lossless, "effort", effort, "bitdepth", 8, "strip", !keep, NULL);
}

int cvips_save_jxl(VipsImage *image, int quality, int lossless, int effort, int keep, void **bytes, size_t *count) {
    return vips_jxlsave_buffer(
        image, bytes, count, "Q", quality, "lossless", lossless, "effort", effort, "strip", !keep, NULL);
}

int cvips_save_gif(VipsImage *image, double dither, int effort, int keep, void **bytes, size_t *count) {
    return vips_gifsave_buffer(image, bytes, count, "dither", dither, "effort", effort, "strip", !keep, NULL);
}
