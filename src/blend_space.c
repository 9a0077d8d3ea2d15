#include "simd/isa.h"

#include "sqt/blend_space.h"

#include <string.h>

#include "fault.h"
#include "planar.h"

// ---- Points on a line, rectangles, gradient bands ----

static bool finite_point(sqt_vec2 p) { return sqt_finite(p.x) && sqt_finite(p.y); }

static bool same_point(sqt_vec2 a, sqt_vec2 b) { return a.x == b.x && a.y == b.y; }

sqt_result sqt_blend_space_linear(float *weights, const float *points, uint32_t point_count, float x) {
    if (!weights || !points) return SQT_ERROR_NULL;
    if (point_count == 0) return SQT_ERROR_COUNT;
    if (!sqt_finite(x)) return SQT_ERROR_NUMBER;
    uint32_t next = 0; // the first point beyond x
    for (uint32_t i = 0; i < point_count; ++i) {
        if (!sqt_finite(points[i])) return SQT_ERROR_NUMBER;
        if (i > 0 && !(points[i - 1] < points[i])) return SQT_ERROR_ORDER;
        if (points[i] <= x) next = i + 1;
    }
    memset(weights, 0, point_count * sizeof *weights);
    if (next == 0 || next == point_count) {
        weights[next == 0 ? 0 : point_count - 1] = 1.0f;
        return SQT_OK;
    }
    const double a = (double)points[next - 1], b = (double)points[next];
    weights[next - 1] = (float)((b - (double)x) / (b - a));
    weights[next] = (float)(((double)x - a) / (b - a));
    return SQT_OK;
}

/// Where x is from low to high, 0..1.
static double unit_position(float low, float high, float x) {
    const double t = ((double)x - (double)low) / ((double)high - (double)low);
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

sqt_result sqt_blend_space_bilinear(float *weights, sqt_vec2 low, sqt_vec2 high, sqt_vec2 p) {
    if (!weights) return SQT_ERROR_NULL;
    if (!finite_point(low) || !finite_point(high) || !finite_point(p)) return SQT_ERROR_NUMBER;
    if (!(low.x < high.x && low.y < high.y)) return SQT_ERROR_ORDER;
    const double u = unit_position(low.x, high.x, p.x), v = unit_position(low.y, high.y, p.y);
    weights[0] = (float)((1.0 - u) * (1.0 - v));
    weights[1] = (float)(u * (1.0 - v));
    weights[2] = (float)((1.0 - u) * v);
    weights[3] = (float)(u * v);
    return SQT_OK;
}

/// The band of a point: 1 at it, 0 at and beyond every other. 0 where an earlier point coincides.
static double gradient_band(const sqt_vec2 *points, uint32_t point_count, uint32_t i, sqt_vec2 p) {
    double band = 1.0;
    for (uint32_t j = 0; j < point_count; ++j) {
        if (same_point(points[i], points[j])) {
            if (j < i) return 0.0;
            continue;
        }
        const double height = 1.0 - sqt_along(points[i], points[j], p);
        if (height <= 0.0) return 0.0;
        if (height < band) band = height;
    }
    return band;
}

sqt_result sqt_blend_space_gradient_band(float *weights, const sqt_vec2 *points, uint32_t point_count, sqt_vec2 p) {
    if (!weights || !points) return SQT_ERROR_NULL;
    if (point_count == 0) return SQT_ERROR_COUNT;
    if (!finite_point(p)) return SQT_ERROR_NUMBER;
    for (uint32_t i = 0; i < point_count; ++i) {
        if (!finite_point(points[i])) return SQT_ERROR_NUMBER;
    }
    double sum = 0.0;
    for (uint32_t i = 0; i < point_count; ++i) {
        weights[i] = (float)gradient_band(points, point_count, i, p);
        sum += (double)weights[i];
    }
    for (uint32_t i = 0; i < point_count; ++i) weights[i] = (float)((double)weights[i] / sum);
    return SQT_OK;
}

// ---- Weights in triangles and on hulls ----

/// What a point of a triangulation comes to: up to three points with weights.
typedef struct mixture {
    uint32_t count;
    uint32_t points[3];
    double weights[3];
} mixture;

/// The order in which points are swept, and in which the ends of a side are taken.
static bool before(sqt_vec2 a, sqt_vec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

/// At the point of a side nearest to p. The ends are ordered by what they are, so that both triangles of the side give
/// the same bits.
static mixture mix_on_side(const sqt_vec2 *points, uint32_t a, uint32_t b, sqt_vec2 p) {
    if (before(points[b], points[a])) {
        const uint32_t swapped = a;
        a = b;
        b = swapped;
    }
    const double along = sqt_along(points[a], points[b], p), t = along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along;
    return (mixture){2, {a, b}, {1.0 - t, t}};
}

/// At a point of a counterclockwise triangle; areas[k] is that of p and the side opposite corner k, >= 0.
static mixture mix_in_triangle(const sqt_vec2 *points, const uint32_t *corners, const double *areas, sqt_vec2 p) {
    for (uint32_t k = 0; k < 3; ++k) {
        if (areas[k] == 0.0) return mix_on_side(points, corners[(k + 1) % 3], corners[(k + 2) % 3], p);
    }
    const double sum = areas[0] + areas[1] + areas[2];
    return (mixture){3, {corners[0], corners[1], corners[2]}, {areas[0] / sum, areas[1] / sum, areas[2] / sum}};
}

/// True where p is strictly outside of a side of a convex polygon.
static bool sees_side(const sqt_vec2 *points, const uint16_t *hull, uint32_t hull_count, uint32_t side, sqt_vec2 p) {
    const uint32_t i = side % hull_count, next = (i + 1) % hull_count;
    return sqt_orient(points[hull[i]], points[hull[next]], p) < 0.0;
}

/// True where p is beyond the end of a side.
static bool is_past_side(const sqt_vec2 *points, const uint16_t *hull, uint32_t hull_count, uint32_t side, sqt_vec2 p) {
    const uint32_t i = side % hull_count, next = (i + 1) % hull_count;
    return sqt_along(points[hull[i]], points[hull[next]], p) >= 1.0;
}

/// At the point of a convex polygon nearest to p, which is outside. The sides that p sees are one run. From its
/// first on, the nearest point is on the first side whose end is not passed (past the run that is a side whose start is
/// the nearest). No distances are compared, which rounding could confuse.
static mixture mix_on_hull(const sqt_vec2 *points, const uint16_t *hull, uint32_t hull_count, sqt_vec2 p) {
    uint32_t side = 0;
    while (side < hull_count && !(sees_side(points, hull, hull_count, side, p) &&
                                  !sees_side(points, hull, hull_count, side + hull_count - 1, p)))
        ++side;
    const uint32_t end = side + hull_count - 1;
    while (side < end && is_past_side(points, hull, hull_count, side, p)) ++side;
    return mix_on_side(points, hull[side % hull_count], hull[(side + 1) % hull_count], p);
}

/// At the point of a chain of points on one line nearest to p.
static mixture mix_on_chain(const sqt_vec2 *points, const uint16_t *chain, uint32_t chain_count, sqt_vec2 p) {
    if (chain_count == 1) return (mixture){1, {chain[0]}, {1.0}};
    uint32_t side = 0;
    while (side + 2 < chain_count && is_past_side(points, chain, chain_count, side, p)) ++side;
    return mix_on_side(points, chain[side], chain[side + 1], p);
}

static void areas_at(double *areas, const sqt_vec2 *points, const uint32_t *corners, sqt_vec2 p) {
    for (uint32_t k = 0; k < 3; ++k)
        areas[k] = sqt_orient(points[corners[(k + 1) % 3]], points[corners[(k + 2) % 3]], p);
}

sqt_result sqt_blend_space_barycentric(float *weights, const sqt_vec2 *corners, sqt_vec2 p) {
    if (!weights || !corners) return SQT_ERROR_NULL;
    if (!finite_point(corners[0]) || !finite_point(corners[1]) || !finite_point(corners[2]) || !finite_point(p))
        return SQT_ERROR_NUMBER;
    const double area = sqt_orient(corners[0], corners[1], corners[2]);
    if (area == 0.0) return SQT_ERROR_NUMBER;

    const uint16_t hull[3] = {0, area > 0.0 ? 1 : 2, area > 0.0 ? 2 : 1};
    const uint32_t order[3] = {hull[0], hull[1], hull[2]};
    double areas[3];
    areas_at(areas, corners, order, p);
    const bool inside = areas[0] >= 0.0 && areas[1] >= 0.0 && areas[2] >= 0.0;
    const mixture mix = inside ? mix_in_triangle(corners, order, areas, p) : mix_on_hull(corners, hull, 3, p);
    float result[3] = {0};
    for (uint32_t k = 0; k < mix.count; ++k) result[mix.points[k]] = (float)mix.weights[k] + 0.0f;
    memcpy(weights, result, sizeof result);
    return SQT_OK;
}

/// Walks to p across sides that p is outside of. In a Delaunay triangulation no triangle is met twice (Edelsbrunner,
/// "An Acyclicity Theorem for Cell Complexes in d Dimensions", 1990). False where the walk does not end.
static bool mix_by_walking(mixture *mix, uint32_t *triangle, const sqt_blend_space *space, sqt_vec2 p) {
    for (uint32_t step = 0; step < space->triangle_count; ++step) {
        const sqt_blend_triangle *const at = &space->triangles[*triangle];
        const uint32_t corners[3] = {at->points[0], at->points[1], at->points[2]};
        double areas[3];
        areas_at(areas, space->points, corners, p);
        const uint32_t out = areas[0] < 0.0 ? 0 : areas[1] < 0.0 ? 1 : areas[2] < 0.0 ? 2 : 3;
        if (out == 3) {
            *mix = mix_in_triangle(space->points, corners, areas, p);
            return true;
        }
        if (at->neighbours[out] == SQT_NO_TRIANGLE) {
            *mix = mix_on_hull(space->points, space->hull, space->hull_count, p);
            return true;
        }
        *triangle = at->neighbours[out];
    }
    return false;
}

sqt_result sqt_blend_space_delaunay(float *weights, const sqt_blend_space *space, uint32_t *cursor, sqt_vec2 p) {
    if (!weights || !space || !space->points || !space->hull) return SQT_ERROR_NULL;
    if (space->triangle_count > 0 && !space->triangles) return SQT_ERROR_NULL;
    if (space->point_count == 0 || space->hull_count == 0) return SQT_ERROR_COUNT;
    if (!finite_point(p)) return SQT_ERROR_NUMBER;

    mixture mix;
    if (space->triangle_count == 0) {
        mix = mix_on_chain(space->points, space->hull, space->hull_count, p);
    } else {
        uint32_t triangle = cursor && *cursor < space->triangle_count ? *cursor : 0;
        if (!mix_by_walking(&mix, &triangle, space, p)) return SQT_ERROR_ORDER;
        if (cursor) *cursor = triangle;
    }
    memset(weights, 0, space->point_count * sizeof *weights);
    for (uint32_t k = 0; k < mix.count; ++k) weights[mix.points[k]] = (float)mix.weights[k] + 0.0f; // no -0
    return SQT_OK;
}

// ---- Building ----

/// The parts of the caller's memory, and how far the build has come.
typedef struct builder {
    sqt_vec2 *points;
    sqt_blend_triangle *triangles;
    uint16_t *hull;
    uint32_t triangle_count;
    // Scratch. The hull while it grows is a ring of points, counterclockwise.
    uint16_t *order;         ///< [point_count] the distinct points, swept by x, then y
    uint16_t *next, *before; ///< [point_count] in the ring
    uint16_t *side_triangle; ///< [point_count] inside the side from a point of the ring to the next
} builder;

/// n points have at most 2 n - 5 triangles, for n >= 3.
static size_t triangle_capacity(uint32_t point_count) { return 2 * (size_t)point_count; }

static size_t layout_bytes(uint32_t point_count) {
    return point_count * (sizeof(sqt_vec2) + 5 * sizeof(uint16_t)) +
           triangle_capacity(point_count) * sizeof(sqt_blend_triangle);
}

size_t sqt_blend_space_bytes(uint32_t point_count) {
    if (point_count == 0 || point_count > SQT_BLEND_SPACE_MAX_POINTS) return 0;
    return layout_bytes(point_count) + sizeof(float) - 1; // to align by
}

static builder builder_in(void *memory, uint32_t point_count) {
    const size_t past = (uintptr_t)memory % sizeof(float);
    builder b = {.points = (sqt_vec2 *)(void *)((unsigned char *)memory + (past ? sizeof(float) - past : 0))};
    b.triangles = (sqt_blend_triangle *)(void *)(b.points + point_count);
    b.hull = (uint16_t *)(void *)(b.triangles + triangle_capacity(point_count));
    b.order = b.hull + point_count;
    b.next = b.order + point_count;
    b.before = b.next + point_count;
    b.side_triangle = b.before + point_count;
    return b;
}

/// Whether one point is swept before another; of points that coincide the first is.
static bool is_swept_before(const sqt_vec2 *points, uint32_t a, uint32_t b) {
    return before(points[a], points[b]) || (same_point(points[a], points[b]) && a < b);
}

/// Lets order[root] sink in the heap of the first `count` points, the last swept on top.
static void sink(uint16_t *order, const sqt_vec2 *points, uint32_t root, uint32_t count) {
    for (uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && is_swept_before(points, order[child], order[child + 1])) ++child;
        if (is_swept_before(points, order[child], order[root])) return;
        const uint16_t risen = order[child];
        order[child] = order[root];
        order[root] = risen;
        root = child;
    }
}

/// Heap sort, then without points that coincide with an earlier one. Returns the count of distinct points.
static uint32_t fill_order(uint16_t *order, const sqt_vec2 *points, uint32_t point_count) {
    for (uint32_t i = 0; i < point_count; ++i) order[i] = (uint16_t)i;
    for (uint32_t root = point_count / 2; root-- > 0;) sink(order, points, root, point_count);
    for (uint32_t last = point_count; last-- > 1;) {
        const uint16_t top = order[0];
        order[0] = order[last];
        order[last] = top;
        sink(order, points, 0, last);
    }
    uint32_t count = 1;
    for (uint32_t i = 1; i < point_count; ++i) {
        if (!same_point(points[order[i]], points[order[count - 1]])) order[count++] = order[i];
    }
    return count;
}

/// The corner of a triangle whose opposite side is that between points a and b.
static uint32_t corner_off_side(const sqt_blend_triangle *triangle, uint32_t a, uint32_t b) {
    uint32_t k = 0;
    while (k < 2 && (triangle->points[k] == a || triangle->points[k] == b)) ++k;
    return k;
}

/// The corner of a triangle that looks across at a neighbour.
static uint32_t corner_off_neighbour(const sqt_blend_triangle *triangle, uint32_t neighbour) {
    return triangle->neighbours[0] == neighbour ? 0 : triangle->neighbours[1] == neighbour ? 1 : 2;
}

static bool is_left(const builder *b, uint32_t from, uint32_t to, uint32_t point) {
    return sqt_orient(b->points[from], b->points[to], b->points[point]) > 0.0;
}

/// Adds the triangle of the hull's side from `from` and a point that sees the side; `last` is the triangle added before
/// it for the same point, on the side before.
static uint16_t add_triangle(builder *b, uint32_t from, uint32_t point, uint32_t last) {
    const uint16_t added = (uint16_t)b->triangle_count++, to = b->next[from], inner = b->side_triangle[from];
    b->triangles[added] =
        (sqt_blend_triangle){{to, (uint16_t)from, (uint16_t)point}, {(uint16_t)last, SQT_NO_TRIANGLE, inner}};
    if (last != SQT_NO_TRIANGLE) b->triangles[last].neighbours[1] = added;
    if (inner != SQT_NO_TRIANGLE) {
        sqt_blend_triangle *const triangle = &b->triangles[inner];
        triangle->neighbours[corner_off_side(triangle, from, to)] = added;
    }
    return added;
}

/// Joins a point to every side of the ring that it sees, a run of sides about `near`, and lets it take their place.
static void add_point(builder *b, uint32_t near, uint32_t point) {
    uint32_t start = near, end = near;
    while (is_left(b, start, b->before[start], point)) start = b->before[start];
    while (is_left(b, b->next[end], end, point)) end = b->next[end];
    uint16_t first = SQT_NO_TRIANGLE, last = SQT_NO_TRIANGLE;
    for (uint32_t v = start; v != end; v = b->next[v]) {
        last = add_triangle(b, v, point, last);
        if (first == SQT_NO_TRIANGLE) first = last;
    }
    b->next[start] = b->before[end] = (uint16_t)point;
    b->before[point] = (uint16_t)start;
    b->next[point] = (uint16_t)end;
    b->side_triangle[start] = first;
    b->side_triangle[point] = last;
}

/// The first `count` points of the order are on one line and the next is not: it makes a triangle with each step of the
/// line, and with the line the first ring.
static void start_ring(builder *b, uint32_t count) {
    const uint16_t apex = b->order[count];
    if (is_left(b, b->order[0], b->order[1], apex)) { // the line is walked with the apex on its right, as in add_point
        for (uint32_t i = 0; i < count / 2; ++i) {
            const uint16_t swapped = b->order[i];
            b->order[i] = b->order[count - 1 - i];
            b->order[count - 1 - i] = swapped;
        }
    }
    const uint16_t *const line = b->order;
    uint32_t last = SQT_NO_TRIANGLE;
    for (uint32_t i = 0; i + 1 < count; ++i) {
        b->next[line[i]] = line[i + 1];
        b->side_triangle[line[i]] = SQT_NO_TRIANGLE;
        last = add_triangle(b, line[i], apex, last);
    }
    for (uint32_t i = 1; i < count; ++i) { // the ring takes the line's other side, back to its start
        b->next[line[i]] = line[i - 1];
        b->before[line[i - 1]] = line[i];
        b->side_triangle[line[i]] = (uint16_t)(i - 1);
    }
    b->next[line[0]] = b->before[line[count - 1]] = apex;
    b->before[apex] = line[0];
    b->next[apex] = line[count - 1];
    b->side_triangle[line[0]] = 0;
    b->side_triangle[apex] = (uint16_t)last;
}

/// Makes the other diagonal of the quadrilateral of triangle t and its neighbour off corner k, if the neighbour's far
/// corner is inside the circle of t. Then the quadrilateral is convex.
static bool flip(builder *b, uint32_t t, uint32_t k) {
    sqt_blend_triangle *const near = &b->triangles[t];
    const uint16_t u = near->neighbours[k];
    if (u == SQT_NO_TRIANGLE) return false;
    sqt_blend_triangle *const far = &b->triangles[u];
    const uint32_t k1 = (k + 1) % 3, k2 = (k + 2) % 3, m = corner_off_neighbour(far, t), m1 = (m + 1) % 3,
                   m2 = (m + 2) % 3;
    const uint16_t p = near->points[k], q = near->points[k1], r = near->points[k2], s = far->points[m]; // far: s, r, q
    if (!(sqt_in_circle(b->points[p], b->points[q], b->points[r], b->points[s]) > 0.0)) return false;

    const uint16_t over_pq = near->neighbours[k2], over_rp = near->neighbours[k1];
    const uint16_t over_qs = far->neighbours[m1], over_sr = far->neighbours[m2];
    *near = (sqt_blend_triangle){{p, q, s}, {over_qs, u, over_pq}};
    *far = (sqt_blend_triangle){{p, s, r}, {over_sr, over_rp, (uint16_t)t}};
    if (over_qs != SQT_NO_TRIANGLE) {
        sqt_blend_triangle *const moved = &b->triangles[over_qs];
        moved->neighbours[corner_off_side(moved, q, s)] = (uint16_t)t;
    }
    if (over_rp != SQT_NO_TRIANGLE) {
        sqt_blend_triangle *const moved = &b->triangles[over_rp];
        moved->neighbours[corner_off_side(moved, r, p)] = u;
    }
    return true;
}

/// Lawson's flips: each lowers the surface that the triangles make over the plane once lifted to z = x^2 + y^2, so they
/// come to an end, and where none is left the triangulation is Delaunay's.
static void flip_all(builder *b) {
    for (bool flipped = true; flipped;) {
        flipped = false;
        for (uint32_t t = 0; t < b->triangle_count; ++t) {
            for (uint32_t k = 0; k < 3; ++k) flipped = flip(b, t, k) || flipped;
        }
    }
}

/// Sweeps the distinct points: each is outside of the hull of those before it. Returns the count of the hull.
static uint32_t triangulate(builder *b, uint32_t distinct_count) {
    uint32_t line_count = distinct_count < 2 ? distinct_count : 2;
    while (line_count < distinct_count &&
           sqt_orient(b->points[b->order[0]], b->points[b->order[1]], b->points[b->order[line_count]]) == 0.0)
        ++line_count;
    if (line_count == distinct_count) {
        memcpy(b->hull, b->order, distinct_count * sizeof *b->hull);
        return distinct_count;
    }
    start_ring(b, line_count);
    for (uint32_t i = line_count + 1; i < distinct_count; ++i) add_point(b, b->order[i - 1], b->order[i]);
    flip_all(b);

    uint32_t hull_count = 0;
    const uint16_t start = b->order[distinct_count - 1]; // swept last, so it is on the hull
    uint16_t point = start;
    do {
        b->hull[hull_count++] = point;
        point = b->next[point];
    } while (point != start);
    return hull_count;
}

sqt_result sqt_blend_space_build(sqt_blend_space *space, const sqt_vec2 *points, uint32_t point_count, void *memory,
                                 size_t memory_bytes, sqt_fault *fault) {
    if (!space) return sqt_fail(fault, SQT_ERROR_NULL, "space", 0, 0);
    if (!points) return sqt_fail(fault, SQT_ERROR_NULL, "points", 0, 0);
    if (!memory) return sqt_fail(fault, SQT_ERROR_NULL, "memory", 0, 0);
    if (point_count == 0 || point_count > SQT_BLEND_SPACE_MAX_POINTS)
        return sqt_fail(fault, SQT_ERROR_COUNT, "point_count", 0, 0);
    for (uint32_t i = 0; i < point_count; ++i) {
        if (!finite_point(points[i])) return sqt_fail(fault, SQT_ERROR_NUMBER, "points", i, sqt_finite(points[i].x));
    }
    if (memory_bytes < sqt_blend_space_bytes(point_count))
        return sqt_fail(fault, SQT_ERROR_SPACE, "memory_bytes", 0, 0);

    builder b = builder_in(memory, point_count);
    memcpy(b.points, points, point_count * sizeof *points);
    sqt_snap(&b.points[0].x, 2 * (size_t)point_count);
    const uint32_t hull_count = triangulate(&b, fill_order(b.order, b.points, point_count));
    *space = (sqt_blend_space){
        .point_count = point_count,
        .triangle_count = b.triangle_count,
        .hull_count = hull_count,
        .points = b.points,
        .triangles = b.triangles,
        .hull = b.hull,
    };
    return SQT_OK;
}

// ---- Validating ----

static sqt_result check_members(const sqt_blend_space *s, sqt_fault *fault) {
    if (s->point_count == 0 || s->point_count > SQT_BLEND_SPACE_MAX_POINTS)
        return sqt_fail(fault, SQT_ERROR_COUNT, "point_count", 0, 0);
    if (s->triangle_count > triangle_capacity(s->point_count))
        return sqt_fail(fault, SQT_ERROR_COUNT, "triangle_count", 0, 0);
    if (s->hull_count == 0 || s->hull_count > s->point_count || (s->triangle_count > 0 && s->hull_count < 3))
        return sqt_fail(fault, SQT_ERROR_COUNT, "hull_count", 0, 0);
    if (!s->points) return sqt_fail(fault, SQT_ERROR_NULL, "points", 0, 0);
    if (!s->triangles && s->triangle_count > 0) return sqt_fail(fault, SQT_ERROR_NULL, "triangles", 0, 0);
    if (!s->hull) return sqt_fail(fault, SQT_ERROR_NULL, "hull", 0, 0);
    return SQT_OK;
}

static sqt_result check_indices(const sqt_blend_space *s, sqt_fault *fault) {
    for (uint32_t i = 0; i < s->point_count; ++i) {
        if (!finite_point(s->points[i]))
            return sqt_fail(fault, SQT_ERROR_NUMBER, "points", i, sqt_finite(s->points[i].x));
    }
    for (uint32_t i = 0; i < s->hull_count; ++i) {
        if (s->hull[i] >= s->point_count) return sqt_fail(fault, SQT_ERROR_COUNT, "hull", i, 0);
    }
    for (uint32_t t = 0; t < s->triangle_count; ++t) {
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t point = s->triangles[t].points[k], neighbour = s->triangles[t].neighbours[k];
            if (point >= s->point_count || (neighbour >= s->triangle_count && neighbour != SQT_NO_TRIANGLE))
                return sqt_fail(fault, SQT_ERROR_COUNT, "triangles", t, k);
        }
    }
    return SQT_OK;
}

static sqt_result check_chain(const sqt_blend_space *s, sqt_fault *fault) {
    for (uint32_t i = 1; i < s->hull_count; ++i) {
        const sqt_vec2 point = s->points[s->hull[i]];
        if (!before(s->points[s->hull[i - 1]], point) ||
            sqt_orient(s->points[s->hull[0]], s->points[s->hull[1]], point) != 0.0)
            return sqt_fail(fault, SQT_ERROR_ORDER, "hull", i, 0);
    }
    return SQT_OK;
}

/// A convex polygon, counterclockwise, once around: it turns left or goes on straight everywhere, and goes forth and
/// back once, where it turns.
static sqt_result check_hull(const sqt_blend_space *s, sqt_fault *fault) {
    uint32_t turn_count = 0;
    for (uint32_t i = 0; i < s->hull_count; ++i) {
        const sqt_vec2 last = s->points[s->hull[(i + s->hull_count - 1) % s->hull_count]];
        const sqt_vec2 point = s->points[s->hull[i]], next = s->points[s->hull[(i + 1) % s->hull_count]];
        const bool turns = before(last, point) != before(point, next);
        turn_count += turns;
        if (same_point(point, next) || sqt_orient(last, point, next) < 0.0 || turn_count > 2)
            return sqt_fail(fault, SQT_ERROR_ORDER, "hull", i, 0);
    }
    return SQT_OK;
}

static bool is_hull_side(const sqt_blend_space *s, uint32_t from, uint32_t to) {
    uint32_t i = 0;
    while (i + 1 < s->hull_count && s->hull[i] != from) ++i;
    return s->hull[i] == from && s->hull[(i + 1) % s->hull_count] == to;
}

/// The neighbour off corner k of triangle t names it too and has an end of their side where it should be (the check of
/// the neighbour sees to the other end), and its far corner is not within the circle of t.
static bool meets_neighbour(const sqt_blend_space *s, uint32_t t, uint32_t k) {
    const sqt_blend_triangle *const near = &s->triangles[t], *const far = &s->triangles[near->neighbours[k]];
    const uint32_t m = corner_off_neighbour(far, t);
    return far->neighbours[m] == t && far->points[(m + 1) % 3] == near->points[(k + 2) % 3] &&
           sqt_in_circle(s->points[near->points[0]], s->points[near->points[1]], s->points[near->points[2]],
                         s->points[far->points[m]]) <= 0.0;
}

/// With all triangles counterclockwise, sides that meet in pairs, and the others those of the hull once each, the
/// triangles cover the hull, once everywhere.
static sqt_result check_triangles(const sqt_blend_space *s, sqt_fault *fault) {
    uint32_t hull_side_count = 0;
    for (uint32_t t = 0; t < s->triangle_count; ++t) {
        const sqt_blend_triangle *const triangle = &s->triangles[t];
        const uint16_t *const points = triangle->points;
        if (!(sqt_orient(s->points[points[0]], s->points[points[1]], s->points[points[2]]) > 0.0))
            return sqt_fail(fault, SQT_ERROR_ORDER, "triangles", t, 0);
        for (uint32_t k = 0; k < 3; ++k) {
            const bool is_outer = triangle->neighbours[k] == SQT_NO_TRIANGLE;
            hull_side_count += is_outer;
            if (is_outer ? !is_hull_side(s, points[(k + 1) % 3], points[(k + 2) % 3]) : !meets_neighbour(s, t, k))
                return sqt_fail(fault, SQT_ERROR_ORDER, "triangles", t, k);
        }
    }
    return hull_side_count == s->hull_count ? SQT_OK : sqt_fail(fault, SQT_ERROR_ORDER, "hull", 0, 0);
}

/// Every point is where it or one before it weighs 1.
static sqt_result check_points(const sqt_blend_space *s, sqt_fault *fault) {
    uint32_t triangle = 0;
    for (uint32_t i = 0; i < s->point_count; ++i) {
        mixture mix;
        if (s->triangle_count == 0) {
            mix = mix_on_chain(s->points, s->hull, s->hull_count, s->points[i]);
        } else if (!mix_by_walking(&mix, &triangle, s, s->points[i])) {
            return sqt_fail(fault, SQT_ERROR_ORDER, "triangles", triangle, 0);
        }
        uint32_t own = s->point_count;
        for (uint32_t k = 0; k < mix.count; ++k) {
            if (mix.weights[k] == 1.0 && same_point(s->points[mix.points[k]], s->points[i])) own = mix.points[k];
        }
        if (own > i) return sqt_fail(fault, SQT_ERROR_ORDER, "points", i, 0);
    }
    return SQT_OK;
}

sqt_result sqt_blend_space_validate(const sqt_blend_space *space, sqt_fault *fault) {
    if (!space) return sqt_fail(fault, SQT_ERROR_NULL, "space", 0, 0);
    sqt_result result = check_members(space, fault);
    if (!result) result = check_indices(space, fault);
    if (!result) result = space->triangle_count == 0 ? check_chain(space, fault) : check_hull(space, fault);
    if (!result && space->triangle_count > 0) result = check_triangles(space, fault);
    if (!result) result = check_points(space, fault);
    return result;
}
