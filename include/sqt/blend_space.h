/// @file blend_space.h
/// Blend spaces: how much each of a set of clips weighs at a parameter (speed, slope, speed and turn, ...), each clip
/// standing at a point of its own. The weights are those of sqt_blend_many.
///
/// Of every kind here: at its own point a clip weighs exactly 1 and the others 0; weights are >= 0 and their sum is 1
/// within 1e-6; when the parameter moves by a distance d, no weight changes by more than L d + 2e-7, with the L stated.
/// This holds for all finite points and parameters, however far away or close together: what cancels is computed
/// exactly. Parameters have whatever unit the caller gives them, but both axes of a plane count alike in distances:
/// scale them to the same range.
///
///     float weights[CLIPS];
///     sqt_blend_space_linear(weights, speeds, CLIPS, speed);
///     for (uint32_t i = 0; i < CLIPS; ++i) inputs[i].weight = weights[i];
///     sqt_blend_many(pose, &skeleton, inputs, CLIPS, 0, SQT_NLERP);
///
/// Which to take: a Delaunay space for points placed anywhere: at most three clips weigh at a time, and whatever is
/// linear over a triangle, such as a speed, comes out as asked for. Gradient bands are smoother and depend on no
/// triangulation, but many clips weigh at a time, each costing its sample, and speeds come out only roughly. Either way
/// that is the weighted sum of speeds: clips that are kept in step (sync.h) travel at another one, and at the one asked
/// for only at the rate that sqt_sync_speed gives.
#ifndef SQT_BLEND_SPACE_H
#define SQT_BLEND_SPACE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A point or parameter in the plane.
typedef struct sqt_vec2 {
    float x, y;
} sqt_vec2;

/// LERP over points on a line: between two neighbours a and b the weights are (b - x) / (b - a) and (x - a) / (b - a);
/// before the first point and after the last that one weighs 1.
///
/// L = 1 / (smallest distance between neighbours).
///
/// @param weights     [point_count] out.
/// @param points      [point_count] ascending, no two equal.
/// @param point_count >= 1.
/// @param x           finite.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT, SQT_ERROR_NUMBER, SQT_ERROR_ORDER (points that do not ascend).
/// Source: Gregory, "Game Engine Architecture", chapter 11, generalised one-dimensional LERP blending.
sqt_result sqt_blend_space_linear(float *weights, const float *points, uint32_t point_count, float x);

/// Bilinear over the corners of a rectangle: with u, v the position of p, 0..1 along each side and clamped to it,
///
///     (1 - u)(1 - v) at low,   u (1 - v) at (high.x, low.y),   (1 - u) v at (low.x, high.y),   u v at high.
///
/// L = sqrt(1 / width^2 + 1 / height^2).
///
/// @param weights [4] out, in that order.
/// @param low     the corner of the least x and y: (0, 0) and (1, 1) for the unit square.
/// @param high    above low in both.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_NUMBER (not finite), SQT_ERROR_ORDER (high not above low).
/// Source: Gregory, "Game Engine Architecture", chapter 11, two-dimensional LERP blending.
sqt_result sqt_blend_space_bilinear(float *weights, sqt_vec2 low, sqt_vec2 high, sqt_vec2 p);

/// Barycentric in a triangle: each corner weighs the area of the triangle that p and the side opposite the corner span,
/// as a share of the whole. Outside it is the weights at the nearest point of the triangle.
///
/// L = 1 / (smallest altitude).
///
/// @param weights [3] out.
/// @param corners [3] either way round.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_NUMBER (not finite, or corners on one line: sqt_blend_space_build).
/// Source: Gregory, "Game Engine Architecture", chapter 11, triangular two-dimensional LERP blending.
sqt_result sqt_blend_space_barycentric(float *weights, const sqt_vec2 *corners, sqt_vec2 p);

/// The gradient band interpolation of points in the plane, no triangulation needed:
///
///     h_i = min over j of clamp(1 - (p - p_i).(p_j - p_i) / |p_j - p_i|^2, 0, 1),   weight_i = h_i / sum of h
///
/// Points that coincide: the first counts, the others weigh 0. O(point_count^2). The order of the points changes the
/// weights by rounding only.
///
/// L = 2 (n - 1) / (smallest distance between two of the n distinct points): each h_i is Lipschitz with 1 / distance,
/// and the sum is never below 1/2, because the nearest point has h >= 1/2.
///
/// The cartesian kind alone: the polar one (direction and speed) jumps at speed 0 and opposite to each point, so no L
/// holds for it.
///
/// @param weights     [point_count] out; must not overlap points.
/// @param points      [point_count] finite.
/// @param point_count >= 1.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT, SQT_ERROR_NUMBER.
/// Source: Rune Skovbo Johansen, "Automated Semi-Procedural Animation for Character Locomotion", 2009, chapter 6.
sqt_result sqt_blend_space_gradient_band(float *weights, const sqt_vec2 *points, uint32_t point_count, sqt_vec2 p);

// ---- Points anywhere, triangulated

/// The most points of a Delaunay space.
#define SQT_BLEND_SPACE_MAX_POINTS 4096u

/// "No neighbour": the side is on the hull.
#define SQT_NO_TRIANGLE 0xFFFFu

/// A triangle of a Delaunay space.
typedef struct sqt_blend_triangle {
    uint16_t points[3];     ///< counterclockwise (x to the right, y up)
    uint16_t neighbours[3]; ///< [k]: the triangle across the side opposite points[k], or SQT_NO_TRIANGLE
} sqt_blend_triangle;

/// The Delaunay triangulation of points. A view: the arrays hold indices, no pointers, so they can be copied, stored
/// and mapped, with a view made anew over them.
typedef struct sqt_blend_space {
    uint32_t point_count;                ///< 1..SQT_BLEND_SPACE_MAX_POINTS
    uint32_t triangle_count;             ///< 0 where all points are on one line
    uint32_t hull_count;                 ///< the distinct points on the hull, also those inside its sides
    const sqt_vec2 *points;              ///< [point_count]
    const sqt_blend_triangle *triangles; ///< [triangle_count]
    const uint16_t *hull;                ///< [hull_count] counterclockwise; on one line: from end to end, each once,
                                         ///< ascending by x, then y
} sqt_blend_space;

/// Bytes of memory that sqt_blend_space_build needs; 0 where point_count is 0 or too large.
size_t sqt_blend_space_bytes(uint32_t point_count);

/// Triangulates points: no point lies inside the circle through the corners of a triangle.
///
/// Any points will do. Those that coincide are merged: the first counts, the others always weigh 0. Points on one line,
/// or one or two points, make a chain. Four or more on a circle with none inside (grids) are split one way or another,
/// as their coordinates alone decide. Signs are never wrong by rounding: doubles decide where their error is within
/// bounds, exact arithmetic where it is not. The order of points changes nothing but their indices.
///
/// A tool's or loader's call: O(n log n) and then one pass over the triangles after another, until none is flipped.
///
/// @param space        out.
/// @param points       [point_count] finite; copied, tiny values snapped to 0 (sqt_snap). They must not lie in memory.
/// @param point_count  1..SQT_BLEND_SPACE_MAX_POINTS.
/// @param memory       any alignment; kept by the space.
/// @param memory_bytes at least sqt_blend_space_bytes(point_count).
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT, SQT_ERROR_NUMBER ("points": index, element 0 or 1),
///         SQT_ERROR_SPACE.
/// Sources: Lawson, "Software for C1 Surface Interpolation", 1977 (the flips); Shewchuk, "Adaptive Precision
/// Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997.
SQT_NODISCARD sqt_result sqt_blend_space_build(sqt_blend_space *space, const sqt_vec2 *points, uint32_t point_count,
                                               void *memory, size_t memory_bytes, sqt_fault *fault);

/// Checks a space that came from elsewhere (a file): everything that the comments of its members promise, that the
/// triangles are Delaunay's and cover the hull once, and that every point is a corner or merged with one before it.
///
/// @return SQT_OK, or the error with the field's name: SQT_ERROR_NULL, SQT_ERROR_COUNT ("point_count",
///         "triangle_count", "hull_count", or an index out of range), SQT_ERROR_NUMBER ("points"), SQT_ERROR_ORDER
///         ("triangles", "hull": neighbours that do not meet, sides that are not those of the hull, clockwise, or not
///         Delaunay; "points": not a corner).
SQT_NODISCARD sqt_result sqt_blend_space_validate(const sqt_blend_space *space, sqt_fault *fault);

/// The weights at p: barycentric in the triangle that holds p, on a side the LERP of its two ends; outside the hull
/// those at the nearest point of the hull. On one line: those at the nearest point of the chain.
///
/// Linear functions are reproduced: inside the hull, sum of weight_i f(p_i) = f(p) within 2e-7 times the largest
/// |f| at the three corners.
///
/// L = 1 / (smallest altitude of the triangles), of a chain 1 / (shortest step). Slim triangles make it large: points
/// that are meant to be on one line should be so exactly.
///
/// @param weights [point_count] out; must not overlap the space's arrays.
/// @param space   as built or validated.
/// @param cursor  optional: a triangle to start from, updated. Any content is allowed and none changes the result: it
///                saves the walk through the triangulation when p has moved a little.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT, SQT_ERROR_NUMBER (p), SQT_ERROR_ORDER (triangles in which the walk
///         does not end: no space that was built or validated).
sqt_result sqt_blend_space_delaunay(float *weights, const sqt_blend_space *space, uint32_t *cursor, sqt_vec2 p);

#ifdef __cplusplus
}
#endif

#endif
