// A small software rasteriser for pictures of posed characters: triangles with depth, one light with its shadow on the
// ground, lines, and a camera fitted to a box. Several samples a pixel make the edges smooth.
#ifndef RASTER_H
#define RASTER_H

#include "sqt/sqt.h"

/// Samples of one picture.
typedef struct raster {
    uint32_t width, height;
    float *depth;     ///< [width * height] 0 near .. 1 nothing there
    sqt_vec3 *colour; ///< [width * height] linear light
} raster;

/// Allocates; false (and all zero) where memory runs out.
bool raster_init(raster *r, uint32_t width, uint32_t height);
void raster_free(raster *r);

/// What a picture has to show, gathered point by point.
typedef struct raster_frame {
    sqt_vec3 right, up, back; ///< unit: the camera's axes in model space
    sqt_vec3 low, high;       ///< along those axes
    float lowest, highest;    ///< y in model space
} raster_frame;

/// An empty frame for a camera in a direction.
///
/// @param azimuth   radians about +y that the camera is away from +z, towards +x.
/// @param elevation radians above the horizon.
raster_frame raster_frame_towards(float azimuth, float elevation);
void raster_frame_add(raster_frame *frame, sqt_vec3 point);

typedef struct raster_view {
    float from_model[16]; ///< model space -> clip space, column-major
    sqt_vec3 eye, centre; ///< model space: where the camera is, and what it looks at
    sqt_vec3 light;       ///< unit: the direction towards the light
    float radius;         ///< of what is shown
} raster_view;

/// The camera that shows all of the frame, as large as it can.
///
/// @param aspect width / height.
raster_view raster_view_fit(const raster_frame *frame, float aspect);

/// Triangles with colours; nothing here is kept or changed.
typedef struct raster_mesh {
    const float *positions; ///< 3 floats a vertex, model space
    const float *normals;   ///< the same; NULL: flat triangles
    const uint32_t *indices;
    uint32_t index_count; ///< a multiple of 3
    sqt_vec3 colour;      ///< linear light, where paint is NULL
    /// Colour of a surface point, given the vertices' `places` (such as bind positions) interpolated there.
    sqt_vec3 (*paint)(const void *context, sqt_vec3 place);
    const void *context;
    const float *places; ///< 3 floats a vertex; NULL without paint
} raster_mesh;

/// Fills the picture: background, and ground at a height with lines every `spacing`, moved by `scroll` along z.
void raster_ground(raster *r, const raster_view *view, float height, float spacing, float scroll);

/// Darkens the ground where the mesh keeps the light away. Before any raster_triangles.
void raster_shadow(raster *r, const raster_view *view, const raster_mesh *mesh, float height);

void raster_triangles(raster *r, const raster_view *view, const raster_mesh *mesh);

/// A line over everything, `width` samples thick with round ends.
void raster_line(raster *r, const raster_view *view, sqt_vec3 from, sqt_vec3 to, float width, sqt_vec3 colour);

/// Averages blocks of samples * samples into a rectangle of an 8-bit RGB (sRGB) image.
///
/// @param rgb          first pixel of the rectangle.
/// @param stride_bytes from one row of the image to the next.
void raster_resolve(const raster *r, uint32_t samples, uint8_t *rgb, size_t stride_bytes);

#endif
