#include "raster.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <cglm/cglm.h>

bool raster_init(raster *r, uint32_t width, uint32_t height) {
    const size_t count = (size_t)width * height;
    r->width = width;
    r->height = height;
    r->depth = malloc(count * sizeof *r->depth);
    r->colour = malloc(count * sizeof *r->colour);
    if (r->depth && r->colour) return true;
    raster_free(r);
    return false;
}

void raster_free(raster *r) {
    const raster none = {0, 0, NULL, NULL};
    free(r->depth);
    free(r->colour);
    *r = none;
}

static sqt_vec3 mix(sqt_vec3 a, sqt_vec3 b, float t) {
    const sqt_vec3 v = {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
    return v;
}
static sqt_vec3 scaled(sqt_vec3 v, float s) {
    const sqt_vec3 w = {v.x * s, v.y * s, v.z * s};
    return w;
}
static sqt_vec3 difference(sqt_vec3 a, sqt_vec3 b) {
    const sqt_vec3 v = {a.x - b.x, a.y - b.y, a.z - b.z};
    return v;
}
static float dot(sqt_vec3 a, sqt_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static sqt_vec3 cross(sqt_vec3 a, sqt_vec3 b) {
    const sqt_vec3 v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}
static sqt_vec3 unit(sqt_vec3 v) { return scaled(v, 1 / sqrtf(fmaxf(dot(v, v), FLT_MIN))); }
static sqt_vec3 load(const float *array, uint32_t index) {
    const sqt_vec3 v = {array[3 * (size_t)index], array[3 * (size_t)index + 1], array[3 * (size_t)index + 2]};
    return v;
}
/// A point given along the camera's axes.
static sqt_vec3 combined(const raster_frame *frame, float right, float up, float back) {
    const sqt_vec3 r = frame->right, u = frame->up, b = frame->back;
    const sqt_vec3 v = {r.x * right + u.x * up + b.x * back, r.y * right + u.y * up + b.y * back,
                        r.z * right + u.z * up + b.z * back};
    return v;
}

raster_frame raster_frame_towards(float azimuth, float elevation) {
    raster_frame frame = {.right = {cosf(azimuth), 0, -sinf(azimuth)},
                          .back = {sinf(azimuth) * cosf(elevation), sinf(elevation), cosf(azimuth) * cosf(elevation)},
                          .low = {FLT_MAX, FLT_MAX, FLT_MAX},
                          .high = {-FLT_MAX, -FLT_MAX, -FLT_MAX},
                          .lowest = FLT_MAX,
                          .highest = -FLT_MAX};
    frame.up = cross(frame.back, frame.right);
    return frame;
}

void raster_frame_add(raster_frame *frame, sqt_vec3 point) {
    const sqt_vec3 p = {dot(point, frame->right), dot(point, frame->up), dot(point, frame->back)};
    const sqt_vec3 low = {fminf(frame->low.x, p.x), fminf(frame->low.y, p.y), fminf(frame->low.z, p.z)};
    const sqt_vec3 high = {fmaxf(frame->high.x, p.x), fmaxf(frame->high.y, p.y), fmaxf(frame->high.z, p.z)};
    frame->low = low;
    frame->high = high;
    frame->lowest = fminf(frame->lowest, point.y);
    frame->highest = fmaxf(frame->highest, point.y);
}

raster_view raster_view_fit(const raster_frame *frame, float aspect) {
    const float half_height = 0.18f, margin = 1.05f; // tangent of half the angle of view; some space all around
    const sqt_vec3 size = difference(frame->high, frame->low), half = mix(frame->low, frame->high, 0.5f);
    const float extent = fmaxf(0.5f * fmaxf(size.x / aspect, size.y), 0.05f * size.z);
    const float distance = 0.5f * size.z + margin * extent / half_height;
    raster_view view = {.radius = 0.5f * sqrtf(dot(size, size))};
    view.centre = combined(frame, half.x, half.y, half.z);
    view.eye = combined(frame, half.x, half.y, half.z + distance);
    // Over the viewer's left shoulder.
    view.light = unit(combined(frame, -0.5f, 1.1f, 0.45f));
    vec3 eye = {view.eye.x, view.eye.y, view.eye.z}, centre = {view.centre.x, view.centre.y, view.centre.z};
    vec3 up = {frame->up.x, frame->up.y, frame->up.z};
    mat4 look, lens, both;
    glm_lookat(eye, centre, up, look);
    glm_perspective(2 * atanf(half_height), aspect, 0.9f * (distance - 0.5f * size.z), distance + 4 * view.radius,
                    lens);
    glm_mat4_mul(lens, look, both);
    for (int k = 0; k < 16; ++k) view.from_model[k] = both[k / 4][k % 4];
    return view;
}

/// A point on the screen: x and y in samples, depth 0..1, and 1 / w of clip space.
typedef struct screen_point {
    float x, y, depth, inverse_w;
} screen_point;

/// False behind the camera.
static bool project(const raster *r, const raster_view *view, sqt_vec3 p, screen_point *s) {
    const float *const m = view->from_model;
    const float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    if (!(w > FLT_MIN)) return false;
    s->inverse_w = 1 / w;
    const float x = (m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12]) * s->inverse_w;
    const float y = (m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13]) * s->inverse_w;
    const float z = (m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]) * s->inverse_w;
    s->x = (0.5f + 0.5f * x) * (float)r->width;
    s->y = (0.5f - 0.5f * y) * (float)r->height;
    s->depth = 0.5f + 0.5f * z;
    return true;
}

static uint32_t clamped(float x, uint32_t limit) { return x <= 0 ? 0 : x >= (float)limit ? limit : (uint32_t)x; }

/// A triangle on the screen, and which of its samples to visit.
typedef struct screen_triangle {
    screen_point p[3];
    float inverse_area;
    uint32_t left, right, top, bottom;
} screen_triangle;

static bool triangle_project(const raster *r, const raster_view *view, const sqt_vec3 p[3], screen_triangle *t) {
    for (int k = 0; k < 3; ++k)
        if (!project(r, view, p[k], &t->p[k])) return false;
    const screen_point a = t->p[0], b = t->p[1], c = t->p[2];
    const float area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (!(fabsf(area) > 1e-12f)) return false;
    t->inverse_area = 1 / area;
    t->left = clamped(fminf(a.x, fminf(b.x, c.x)) - 0.5f, r->width);
    t->right = clamped(fmaxf(a.x, fmaxf(b.x, c.x)) + 1.5f, r->width);
    t->top = clamped(fminf(a.y, fminf(b.y, c.y)) - 0.5f, r->height);
    t->bottom = clamped(fmaxf(a.y, fmaxf(b.y, c.y)) + 1.5f, r->height);
    return true;
}

/// Shares of the three corners at the centre of a sample; false outside.
static bool triangle_shares(const screen_triangle *t, uint32_t x, uint32_t y, float share[3]) {
    const float px = (float)x + 0.5f, py = (float)y + 0.5f;
    for (int k = 0; k < 3; ++k) {
        const screen_point a = t->p[(k + 1) % 3], b = t->p[(k + 2) % 3];
        share[k] = ((b.x - a.x) * (py - a.y) - (px - a.x) * (b.y - a.y)) * t->inverse_area;
        if (share[k] < 0) return false;
    }
    return true;
}

static sqt_vec3 weighted(const sqt_vec3 v[3], const float share[3]) {
    const sqt_vec3 sum = {v[0].x * share[0] + v[1].x * share[1] + v[2].x * share[2],
                          v[0].y * share[0] + v[1].y * share[1] + v[2].y * share[2],
                          v[0].z * share[0] + v[1].z * share[1] + v[2].z * share[2]};
    return sum;
}

/// Light from the sun, softly round the edge of the shadow, from the sky and from the ground.
static sqt_vec3 shade(const raster_view *view, sqt_vec3 colour, sqt_vec3 normal, sqt_vec3 place) {
    sqt_vec3 n = unit(normal);
    const sqt_vec3 to_eye = unit(difference(view->eye, place));
    if (dot(n, to_eye) < 0) n = scaled(n, -1);
    const float facing = (dot(n, view->light) + 0.25f) / 1.25f, sun = fmaxf(facing, 0), sky = 0.5f + 0.5f * n.y;
    const float edge = 1 - fmaxf(dot(n, to_eye), 0), rim = 0.12f * edge * edge * edge;
    const sqt_vec3 light = {1.0f * sun + 0.26f * sky + 0.12f, 0.97f * sun + 0.29f * sky + 0.11f,
                            0.9f * sun + 0.34f * sky + 0.1f};
    const sqt_vec3 lit = {colour.x * light.x + rim * sky, colour.y * light.y + rim * sky,
                          colour.z * light.z + rim * sky};
    return lit;
}

static void triangle_corners(const raster_mesh *mesh, const float *array, uint32_t first, sqt_vec3 corner[3]) {
    for (uint32_t k = 0; k < 3; ++k) corner[k] = load(array, mesh->indices[first + k]);
}

void raster_triangles(raster *r, const raster_view *view, const raster_mesh *mesh) {
    for (uint32_t first = 0; first + 2 < mesh->index_count; first += 3) {
        sqt_vec3 corner[3], normal[3], place[3];
        screen_triangle t;
        triangle_corners(mesh, mesh->positions, first, corner);
        if (!triangle_project(r, view, corner, &t)) continue;
        const sqt_vec3 face = cross(difference(corner[1], corner[0]), difference(corner[2], corner[0]));
        for (int k = 0; k < 3; ++k) normal[k] = face;
        if (mesh->normals) triangle_corners(mesh, mesh->normals, first, normal);
        triangle_corners(mesh, mesh->paint ? mesh->places : mesh->positions, first, place);
        for (uint32_t y = t.top; y < t.bottom; ++y) {
            for (uint32_t x = t.left; x < t.right; ++x) {
                float share[3];
                if (!triangle_shares(&t, x, y, share)) continue;
                const size_t at = (size_t)y * r->width + x;
                const float depth = share[0] * t.p[0].depth + share[1] * t.p[1].depth + share[2] * t.p[2].depth;
                if (!(depth >= 0 && depth < r->depth[at])) continue;
                // Depth is linear on the screen; everything else only after the division by w.
                float sum = 0;
                for (int k = 0; k < 3; ++k) sum += share[k] *= t.p[k].inverse_w;
                for (int k = 0; k < 3; ++k) share[k] /= sum;
                const sqt_vec3 colour = mesh->paint ? mesh->paint(mesh->context, weighted(place, share)) : mesh->colour;
                r->depth[at] = depth;
                r->colour[at] = shade(view, colour, weighted(normal, share), weighted(corner, share));
            }
        }
    }
}

// Shadows stand as far away as a sample can, so that any triangle still covers them but no second shadow does.
static const float shadow_depth = 0.99999f;

void raster_shadow(raster *r, const raster_view *view, const raster_mesh *mesh, float height) {
    for (uint32_t first = 0; first + 2 < mesh->index_count; first += 3) {
        sqt_vec3 corner[3];
        screen_triangle t;
        triangle_corners(mesh, mesh->positions, first, corner);
        for (int k = 0; k < 3; ++k)
            corner[k] = difference(corner[k], scaled(view->light, (corner[k].y - height) / view->light.y));
        if (!triangle_project(r, view, corner, &t)) continue;
        for (uint32_t y = t.top; y < t.bottom; ++y) {
            for (uint32_t x = t.left; x < t.right; ++x) {
                float share[3];
                const size_t at = (size_t)y * r->width + x;
                if (r->depth[at] <= shadow_depth || !triangle_shares(&t, x, y, share)) continue;
                r->depth[at] = shadow_depth;
                r->colour[at] = scaled(r->colour[at], 0.62f);
            }
        }
    }
}

static float smooth(float from, float to, float x) {
    const float t = fminf(fmaxf((x - from) / (to - from), 0), 1);
    return t * t * (3 - 2 * t);
}

/// How much of a line lies at a coordinate, lines being a cell apart.
static float grid_line(float coordinate, float spacing) {
    const float off = coordinate / spacing - floorf(coordinate / spacing + 0.5f);
    return 1 - smooth(0.012f, 0.028f, fabsf(off));
}

void raster_ground(raster *r, const raster_view *view, float height, float spacing, float scroll) {
    const sqt_vec3 sky = {0.72f, 0.75f, 0.78f}, ground = {0.5f, 0.51f, 0.5f}, line = {0.36f, 0.37f, 0.37f};
    const sqt_vec3 centre = view->centre;
    mat4 from_model, to_model;
    for (int k = 0; k < 16; ++k) from_model[k / 4][k % 4] = view->from_model[k];
    glm_mat4_inv(from_model, to_model);
    for (uint32_t y = 0; y < r->height; ++y) {
        for (uint32_t x = 0; x < r->width; ++x) {
            const size_t at = (size_t)y * r->width + x;
            vec4 clip = {2 * ((float)x + 0.5f) / (float)r->width - 1, 1 - 2 * ((float)y + 0.5f) / (float)r->height, 1,
                         1};
            vec4 far_point;
            glm_mat4_mulv(to_model, clip, far_point);
            const sqt_vec3 end = {far_point[0] / far_point[3], far_point[1] / far_point[3],
                                  far_point[2] / far_point[3]};
            const sqt_vec3 ray = difference(end, view->eye);
            r->depth[at] = 1;
            r->colour[at] = sky;
            const float t = (height - view->eye.y) / ray.y;
            if (!(ray.y < 0 && t > 0)) continue;
            const float px = view->eye.x + ray.x * t, pz = view->eye.z + ray.z * t;
            const float away =
                sqrtf((px - centre.x) * (px - centre.x) + (pz - centre.z) * (pz - centre.z)) / view->radius;
            const float lines = fmaxf(grid_line(px, spacing), grid_line(pz + scroll, spacing));
            r->colour[at] = mix(mix(ground, line, lines), sky, smooth(0.6f, 3.2f, away));
        }
    }
}

void raster_line(raster *r, const raster_view *view, sqt_vec3 from, sqt_vec3 to, float width, sqt_vec3 colour) {
    screen_point a, b;
    if (!project(r, view, from, &a) || !project(r, view, to, &b)) return;
    const float half = 0.5f * width, dx = b.x - a.x, dy = b.y - a.y, square = fmaxf(dx * dx + dy * dy, FLT_MIN);
    const uint32_t right = clamped(fmaxf(a.x, b.x) + half + 1, r->width),
                   bottom = clamped(fmaxf(a.y, b.y) + half + 1, r->height);
    for (uint32_t y = clamped(fminf(a.y, b.y) - half, r->height); y < bottom; ++y) {
        for (uint32_t x = clamped(fminf(a.x, b.x) - half, r->width); x < right; ++x) {
            const float px = (float)x + 0.5f - a.x, py = (float)y + 0.5f - a.y;
            const float t = fminf(fmaxf((px * dx + py * dy) / square, 0), 1);
            const float off_x = px - dx * t, off_y = py - dy * t;
            if (off_x * off_x + off_y * off_y <= half * half) r->colour[(size_t)y * r->width + x] = colour;
        }
    }
}

static uint8_t encoded(float linear) {
    const float x = fminf(fmaxf(linear, 0), 1);
    const float s = x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
    return (uint8_t)(s * 255 + 0.5f);
}

void raster_resolve(const raster *r, uint32_t samples, uint8_t *rgb, size_t stride_bytes) {
    const float share = 1 / (float)(samples * samples);
    for (uint32_t y = 0; y < r->height / samples; ++y) {
        for (uint32_t x = 0; x < r->width / samples; ++x) {
            sqt_vec3 sum = {0, 0, 0};
            for (uint32_t k = 0; k < samples * samples; ++k) {
                const size_t row = (size_t)y * samples + k / samples;
                sum = difference(sum, scaled(r->colour[row * r->width + x * samples + k % samples], -share));
            }
            uint8_t *const pixel = rgb + y * stride_bytes + 3 * (size_t)x;
            pixel[0] = encoded(sum.x);
            pixel[1] = encoded(sum.y);
            pixel[2] = encoded(sum.z);
        }
    }
}
