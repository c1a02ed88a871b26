#include "CVips.h"

#include <math.h>
#include <vips/vips.h>

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

int cvips_crop(VipsImage *image, int left, int top, int width, int height, VipsImage **out) {
    return vips_extract_area(image, out, left, top, width, height, NULL);
}

int cvips_smart_crop(VipsImage *image, int width, int height, int interest, VipsImage **out) {
    VipsInteresting wanted = interest == CVIPS_ENTROPY ? VIPS_INTERESTING_ENTROPY : VIPS_INTERESTING_ATTENTION;
    return vips_smartcrop(image, out, width, height, "interesting", wanted, NULL);
}

int cvips_find_trim(VipsImage *image, double tolerance, int *left, int *top, int *width, int *height) {
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 2);
    int last = vips_image_get_bands(image) - 1;
    double *corner;
    int bands, failed = vips_getpoint(image, &corner, &bands, 0, 0, NULL);
    if (!failed) {
        /* Around what is transparent at the corner, opacity is the picture; else all is looked at on white. */
        double white[3] = {255, 255, 255};
        if (!vips_image_hasalpha(image)) failed = vips_copy(image, &step[0], NULL);
        else if (corner[last] == 0) failed = vips_extract_band(image, &step[0], last, NULL);
        else failed = cvips_flatten(image, white, &step[0]);
        g_free(corner);
    }
    if (!failed) failed = vips_getpoint(step[0], &corner, &bands, 0, 0, NULL);
    if (!failed) {
        VipsArrayDouble *background = vips_array_double_new(corner, bands);
        g_free(corner);
        failed = vips_find_trim(
            step[0], left, top, width, height, "threshold", tolerance, "background", background, NULL);
        vips_area_unref(VIPS_AREA(background));
    }
    g_object_unref(base);
    return failed ? -1 : 0;
}

/* Turns about the centre; the outermost pixels go on beyond the edge, so that no corner is blended with nothing. */
static int turn(VipsImage *image, double degrees, int width, int height, VipsImage **out) {
    enum { margin = 2 };
    double sine = sin(degrees * VIPS_PI / 180), cosine = cos(degrees * VIPS_PI / 180);
    int across = image->Xsize + 2 * margin, down = image->Ysize + 2 * margin;
    VipsImage *wider;
    if (vips_embed(image, &wider, margin, margin, across, down, "extend", VIPS_EXTEND_COPY, NULL)) return -1;
    VipsInterpolate *interpolation = vips_interpolate_new("bicubic");
    VipsArrayInt *area = vips_array_int_newv(4, -(width / 2), -(height / 2), width, height);
    int failed = !interpolation ||
        vips_affine(
            wider, out, cosine, -sine, sine, cosine, "interpolate", interpolation, "oarea", area, "idx", -across / 2.0,
            "idy", -down / 2.0, "odx", -(width % 2) / 2.0, "ody", -(height % 2) / 2.0, "extend", VIPS_EXTEND_COPY, NULL);
    vips_area_unref(VIPS_AREA(area));
    if (interpolation) g_object_unref(interpolation);
    g_object_unref(wider);
    return failed ? -1 : 0;
}

static int turn_quarters(VipsImage *image, int quarters, int width, int height, VipsImage **out) {
    static const VipsAngle angles[] = {VIPS_ANGLE_D0, VIPS_ANGLE_D90, VIPS_ANGLE_D180, VIPS_ANGLE_D270};
    VipsImage *turned;
    if (vips_rot(image, &turned, angles[quarters], NULL)) return -1;
    int left = (turned->Xsize - width) / 2, top = (turned->Ysize - height) / 2;
    int failed = vips_extract_area(turned, out, VIPS_MAX(0, left), VIPS_MAX(0, top), width, height, NULL);
    g_object_unref(turned);
    return failed;
}

int cvips_rotate_inside(VipsImage *image, double degrees, int width, int height, VipsImage **out) {
    double quarters = fmod(fmod(degrees, 360) + 360, 360) / 90;
    if (quarters == floor(quarters)) return turn_quarters(image, (int)quarters % 4, width, height, out);
    if (!vips_image_hasalpha(image)) return turn(image, degrees, width, height, out);
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 4);
    int failed = vips_premultiply(image, &step[0], NULL) || turn(step[0], degrees, width, height, &step[1]) ||
        vips_unpremultiply(step[1], &step[2], NULL) || vips_rint(step[2], &step[3], NULL) ||
        vips_cast(step[3], out, vips_image_get_format(image), NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

int cvips_pixelate(VipsImage *image, int side, VipsImage **out) {
    VipsImage *base = vips_image_new();
    VipsImage **step = (VipsImage **)vips_object_local_array(VIPS_OBJECT(base), 4);
    int width = image->Xsize, height = image->Ysize;
    int across = (width + side - 1) / side * side, down = (height + side - 1) / side * side;
    int failed = vips_embed(image, &step[0], 0, 0, across, down, "extend", VIPS_EXTEND_COPY, NULL) ||
        vips_shrink(step[0], &step[1], side, side, NULL) || vips_zoom(step[1], &step[2], side, side, NULL) ||
        vips_extract_area(step[2], out, 0, 0, width, height, NULL);
    g_object_unref(base);
    return failed ? -1 : 0;
}

struct cvips_list {
    int count, capacity;
    VipsImage *images[];
};

cvips_list *cvips_list_new(int capacity) {
    cvips_list *list = g_malloc0(sizeof *list + (size_t)capacity * sizeof *list->images);
    list->capacity = capacity;
    return list;
}

void cvips_list_append(cvips_list *list, VipsImage *image) {
    g_object_ref(image);
    list->images[list->count++] = image;
}

int cvips_list_stack(cvips_list *list, VipsImage **out) {
    return vips_arrayjoin(list->images, out, list->count, "across", 1, NULL);
}

void cvips_list_free(cvips_list *list) {
    for (int index = 0; index < list->count; index++) g_object_unref(list->images[index]);
    g_free(list);
}
