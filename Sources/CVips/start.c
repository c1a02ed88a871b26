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
    /* It is counted among what is untrusted, though it only ever sees our own pixels. */
    vips_operation_block_set("VipsForeignSaveJxlBuffer", FALSE);
    return 0;
}

void cvips_set_threads(int count) { vips_concurrency_set(count); }
char *cvips_error_copy(void) { return vips_error_buffer_copy(); }
void cvips_free(void *memory) { g_free(memory); }
void cvips_unref(VipsImage *image) { g_object_unref(image); }
