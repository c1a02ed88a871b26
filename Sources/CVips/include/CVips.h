/* Every libvips call that Swift may make, with the image opaque: no GLib header reaches Swift. */
#ifndef CVIPS_H
#define CVIPS_H

/** Starts libvips once for the process. Returns 0, or -1 with the reason in cvips_error_copy(). */
int cvips_start(const char *program);

#endif
