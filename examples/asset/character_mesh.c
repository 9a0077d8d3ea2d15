// The skin of the embedded character: capsules that hang on the joints melt into one solid, whose surface is meshed by
// surface nets; the weights follow from where a vertex lies along the limbs.
#include "character_parts.h"

#include <stdlib.h>
#include <string.h>

enum { TRUNK, ARM, LEG, LIMB_COUNT };
enum { SKIN, HAIR, SHIRT, TROUSERS, SHOES, EYES, LIPS };

/// One piece of the body in the frame of its joint, for the trunk and the left side; the right mirrors it.
typedef struct piece {
    uint8_t joint, limb, colour;
    sqt_vec3 from, to;
    float from_radius, to_radius; ///< metres
    float wide, deep;             ///< how much wider than its radius along x and z: 1 or more
    float melt;
} piece;

// clang-format off
static const piece pieces[CHARACTER_FLESH_COUNT] = {
    // Pieces that carry on where another ends have its radius there, and melt little: no bulge marks the joint.
    {PELVIS,    TRUNK, TROUSERS, {0, -0.045f, 0},          {0, 0.055f, 0.004f},       0.103f, 0.103f, 1.36f, 1, 0.03f},
    {SPINE_1,   TRUNK, SHIRT,    {0, -0.03f, 0.004f},      {0, 0.09f, 0.004f},        0.104f, 0.101f, 1.36f, 1, 0.008f},
    {SPINE_2,   TRUNK, SHIRT,    {0, -0.03f, 0.009f},      {0, 0.15f, 0.002f},        0.101f, 0.114f, 1.36f, 1, 0.01f},
    {SPINE_2,   TRUNK, SHIRT,    {0.04f, 0.165f, 0.04f},   {0.085f, 0.17f, 0.036f},   0.05f,  0.047f, 1.2f, 1, 0.07f},
    {SPINE_3,   TRUNK, SHIRT,    {0.075f, 0.03f, -0.055f}, {0.085f, 0.09f, -0.05f},   0.058f, 0.058f, 1.2f, 1, 0.05f},
    {SPINE_3,   TRUNK, SHIRT,    {0.02f, 0.115f, -0.015f}, {0.14f, 0.115f, -0.012f},  0.07f,  0.056f, 1, 1, 0.05f},
    {CLAVICLE,  TRUNK, SHIRT,    {0.02f, 0.0f, -0.02f},    {0.14f, 0.003f, -0.018f},  0.058f, 0.052f, 1, 1, 0.03f},
    {PELVIS,    TRUNK, TROUSERS, {0.07f, -0.055f, -0.05f}, {0.07f, -0.03f, -0.045f},  0.08f,  0.078f, 1, 1, 0.05f},
    {NECK,      TRUNK, SKIN,     {0, -0.03f, -0.005f},     {0, 0.09f, 0.012f},        0.055f, 0.051f, 1, 1, 0.03f},
    {HEAD,      TRUNK, SKIN,     {0, 0.085f, 0.02f},       {0, 0.105f, 0.02f},        0.078f, 0.078f, 1, 1.1f, 0.02f},
    {HEAD,      TRUNK, SKIN,     {0, 0.05f, 0.03f},        {0, 0.008f, 0.046f},       0.062f, 0.04f,  1.08f, 1, 0.025f},
    {HEAD,      TRUNK, SKIN,     {0, 0.08f, 0.1f},         {0, 0.053f, 0.112f},       0.008f, 0.0125f, 1, 1, 0.025f},
    {HEAD,      TRUNK, SKIN,     {0.079f, 0.08f, 0.005f},  {0.077f, 0.058f, 0.01f},   0.015f, 0.012f, 1, 1.3f, 0.012f},
    {HEAD,      TRUNK, EYES,     {0.03f, 0.085f, 0.093f},  {0.03f, 0.085f, 0.093f},   0.009f, 0.009f, 1.2f, 1, 0.004f},
    {HEAD,      TRUNK, LIPS,     {0, 0.02f, 0.0845f},      {0.017f, 0.022f, 0.081f},  0.0045f, 0.003f, 1, 1, 0.002f},
    {HEAD,      TRUNK, HAIR,     {0, 0.107f, -0.004f},     {0, 0.055f, -0.02f},       0.087f, 0.072f, 1, 1.08f, 0.015f},
    {HEAD,      TRUNK, HAIR,     {0, 0.145f, 0.03f},       {0, 0.145f, 0.062f},       0.044f, 0.032f, 1.6f, 1, 0.02f},
    {UPPER_ARM, ARM,   SHIRT,    {0.002f, -0.01f, 0},      {0.004f, -0.075f, 0},      0.059f, 0.055f, 1, 1, 0.04f},
    {UPPER_ARM, ARM,   SHIRT,    {0.004f, -0.075f, 0},     {0, -0.165f, 0.002f},      0.055f, 0.053f, 1, 1, 0.008f},
    {UPPER_ARM, ARM,   SKIN,     {0, -0.15f, 0.002f},      {0, -0.29f, 0},            0.046f, 0.037f, 1, 1, 0.008f},
    {FOREARM,   ARM,   SKIN,     {0, 0, 0},                {0.001f, -0.07f, 0.003f},  0.037f, 0.039f, 1, 1, 0.008f},
    {FOREARM,   ARM,   SKIN,     {0.001f, -0.07f, 0.003f}, {0, -0.25f, 0},            0.039f, 0.024f, 1, 1.12f, 0.008f},
    {HAND,      ARM,   SKIN,     {0, -0.025f, 0.002f},     {0, -0.08f, 0.002f},       0.02f,  0.0175f, 1, 2, 0.025f},
    {FINGERS,   ARM,   SKIN,     {0, 0.005f, 0.002f},      {-0.01f, -0.075f, 0.0f},   0.0175f, 0.014f, 1, 2, 0.01f},
    {THUMB,     ARM,   SKIN,     {0, 0.005f, -0.012f},     {-0.008f, -0.05f, 0.014f}, 0.018f, 0.0135f, 1, 1, 0.012f},
    {THIGH,     LEG,   TROUSERS, {0.002f, 0.0f, 0.004f},   {0, -0.22f, 0.008f},       0.079f, 0.07f,  1, 1.08f, 0.04f},
    {THIGH,     LEG,   TROUSERS, {0, -0.22f, 0.008f},      {0, -0.42f, 0.006f},       0.07f,  0.054f, 1, 1.08f, 0.008f},
    {SHIN,      LEG,   TROUSERS, {0, 0.01f, 0.006f},       {0, -0.08f, -0.004f},      0.054f, 0.051f, 1, 1.06f, 0.008f},
    {SHIN,      LEG,   TROUSERS, {0, -0.08f, -0.004f},     {0, -0.17f, -0.011f},      0.051f, 0.051f, 1, 1.06f, 0.008f},
    {SHIN,      LEG,   TROUSERS, {0, -0.17f, -0.011f},     {0, -0.38f, -0.003f},      0.051f, 0.045f, 1, 1.06f, 0.008f},
    {FOOT,      LEG,   SHOES,    {0, 0.03f, -0.004f},      {0, -0.02f, 0},            0.036f, 0.037f, 1, 1.12f, 0.01f},
    {FOOT,      LEG,   SHOES,    {0, -0.035f, -0.03f},     {0, -0.03f, 0.02f},        0.036f, 0.039f, 1.05f, 1, 0.02f},
    {FOOT,      LEG,   SHOES,    {0, -0.03f, 0.02f},       {0.003f, -0.046f, 0.125f}, 0.039f, 0.029f, 1.2f, 1, 0.015f},
    {FOOT,      LEG,   SHOES,    {0, -0.058f, -0.033f},    {0.003f, -0.058f, 0.125f}, 0.02f,  0.02f,  1.95f, 1, 0.012f},
    {TOES,      LEG,   SHOES,   {0.003f, -0.001f, -0.005f}, {0.006f, -0.006f, 0.052f}, 0.029f, 0.023f, 1.5f, 1, 0.012f},
    {TOES,      LEG,   SHOES,    {0.003f, -0.013f, -0.005f}, {0.006f, -0.013f, 0.058f}, 0.02f, 0.02f, 2.15f, 1, 0.012f},
};
// clang-format on

void character_body_make(character_body *body) {
    for (uint32_t k = 0; k < CHARACTER_FLESH_COUNT; ++k) {
        const piece *const from = &pieces[k];
        struct character_flesh *const to = &body->flesh[k];
        const sqt_transform joint = character_rest(from->joint);
        to->start = sqt_transform_point(joint, from->from);
        to->along = vec3_subtract(sqt_transform_point(joint, from->to), to->start);
        const float square = vec3_dot(to->along, to->along);
        to->inverse_square = square > 0 ? 1 / square : 0;
        to->side = sqt_quat_rotate(joint.rotation, vec3(1, 0, 0));
        to->front = sqt_quat_rotate(joint.rotation, vec3(0, 0, 1));
        to->side_keep = 1 / from->wide;
        to->front_keep = 1 / from->deep;
        to->start_radius = from->from_radius;
        to->end_radius = from->to_radius;
        to->melt = from->melt;
        to->limb = from->limb;
        to->colour = from->colour;
    }
}

/// Distance to one piece, negative inside; across a widened section it is too small, never too large.
static float flesh_distance(const struct character_flesh *flesh, sqt_vec3 p) {
    const sqt_vec3 from_start = vec3_subtract(p, flesh->start);
    const float t = clamp01(vec3_dot(from_start, flesh->along) * flesh->inverse_square);
    sqt_vec3 away = vec3_subtract(from_start, vec3_scale(flesh->along, t));
    away = vec3_subtract(away, vec3_scale(flesh->side, vec3_dot(away, flesh->side) * (1 - flesh->side_keep)));
    away = vec3_subtract(away, vec3_scale(flesh->front, vec3_dot(away, flesh->front) * (1 - flesh->front_keep)));
    return vec3_length(away) - (flesh->start_radius + (flesh->end_radius - flesh->start_radius) * t);
}

/// Distance to the body, negative inside. The ground cuts the soles flat.
///
/// @param limbs optional: [LIMB_COUNT] out: the distance to each limb alone.
static float body_distance(const character_body *body, sqt_vec3 p, float *limbs) {
    const sqt_vec3 mirrored = vec3(p.x < 0 ? -p.x : p.x, p.y, p.z);
    float nearest[LIMB_COUNT] = {1e3f, 1e3f, 1e3f}, distance = 1e3f;
    for (uint32_t k = 0; k < CHARACTER_FLESH_COUNT; ++k) {
        const struct character_flesh *const flesh = &body->flesh[k];
        const float d = flesh_distance(flesh, mirrored);
        // The smooth minimum of two distances: a parabola where they are closer than `melt`.
        // Source: Quilez, "Smooth minimum", the quadratic polynomial.
        const float apart = d < distance ? distance - d : d - distance;
        const float h = apart < flesh->melt ? flesh->melt - apart : 0;
        distance = (d < distance ? d : distance) - h * h / (4 * flesh->melt);
        if (d < nearest[flesh->limb]) nearest[flesh->limb] = d;
    }
    if (limbs) memcpy(limbs, nearest, sizeof nearest);
    return distance > -p.y ? distance : -p.y;
}

static sqt_vec3 body_normal(const character_body *body, sqt_vec3 p) {
    const float e = 0.002f;
    const sqt_vec3 n = {
        body_distance(body, vec3(p.x + e, p.y, p.z), NULL) - body_distance(body, vec3(p.x - e, p.y, p.z), NULL),
        body_distance(body, vec3(p.x, p.y + e, p.z), NULL) - body_distance(body, vec3(p.x, p.y - e, p.z), NULL),
        body_distance(body, vec3(p.x, p.y, p.z + e), NULL) - body_distance(body, vec3(p.x, p.y, p.z - e), NULL)};
    return vec3_unit(n);
}

sqt_vec3 character_colour(const character_body *body, sqt_vec3 p) {
    static const sqt_vec3 colours[] = {
        [SKIN] = {0.62f, 0.36f, 0.24f},    [HAIR] = {0.06f, 0.035f, 0.02f},   [SHIRT] = {0.72f, 0.2f, 0.1f},
        [TROUSERS] = {0.07f, 0.11f, 0.2f}, [SHOES] = {0.045f, 0.045f, 0.05f}, [EYES] = {0.015f, 0.015f, 0.02f},
        [LIPS] = {0.4f, 0.16f, 0.12f}};
    const sqt_vec3 mirrored = vec3(p.x < 0 ? -p.x : p.x, p.y, p.z);
    uint32_t nearest = 0;
    float distance = 1e3f;
    for (uint32_t k = 0; k < CHARACTER_FLESH_COUNT; ++k) {
        const float d = flesh_distance(&body->flesh[k], mirrored);
        if (d < distance) {
            distance = d;
            nearest = k;
        }
    }
    return colours[body->flesh[nearest].colour];
}

// ---- The surface: naive surface nets. One vertex for each cell of a grid that the surface passes, one quad for each
// edge of the grid that it crosses. The result is closed.
// Source: Gibson, "Constrained Elastic Surface Nets" (MICCAI 1998), without the relaxation: vertices slide along the
// gradient onto the surface instead.

enum { NX = 70, NY = 92, NZ = 22, CELLS = NX * NY * NZ };
static const float cell = 0.02f;
static const uint32_t strides[3] = {1, NX, NX *NY};

static sqt_vec3 grid_point(uint32_t index) {
    const uint32_t x = index % NX, y = index / NX % NY, z = index / (NX * NY);
    return vec3(((float)x - 0.5f * (NX - 1)) * cell, ((float)y - 1.5f) * cell, ((float)z - 8.3f) * cell);
}

typedef struct surface {
    float *distances;   ///< [CELLS] at grid points; far from the surface only the sign counts
    uint32_t *vertices; ///< [CELLS] the vertex in the cell above a grid point
    sqt_vec3 *points;   ///< [point_count]
    uint32_t *indices;  ///< [index_count]
    uint32_t point_count, index_count;
} surface;

static void surface_sample(surface *s, const character_body *body) {
    for (uint32_t row = 0; row < CELLS; row += NX) {
        for (uint32_t x = 0; x < NX;) {
            // Nothing of the surface lies nearer than the distance: the next points along the row are alike.
            const float d = body_distance(body, grid_point(row + x), NULL);
            const uint32_t alike = (uint32_t)((d < 0 ? -d : d) / cell);
            const uint32_t end = x + 1 + alike < NX ? x + 1 + alike : NX;
            while (x < end) s->distances[row + x++] = d;
        }
    }
}

/// Mean of the crossings on the cell's twelve edges, then two of Newton's steps along the gradient.
static bool surface_vertex(const surface *s, const character_body *body, uint32_t index, sqt_vec3 *point) {
    sqt_vec3 sum = {0, 0, 0};
    float crossings = 0;
    for (uint32_t corner = 0; corner < 8; ++corner) {
        for (uint32_t axis = 0; axis < 3; ++axis) {
            if (corner >> axis & 1) continue;
            const uint32_t a =
                index + (corner & 1) * strides[0] + (corner >> 1 & 1) * strides[1] + (corner >> 2) * strides[2];
            const uint32_t b = a + strides[axis];
            const float da = s->distances[a], db = s->distances[b];
            if ((da < 0) == (db < 0)) continue;
            const sqt_vec3 pa = grid_point(a), pb = grid_point(b);
            sum = vec3_add(sum, vec3_add(pa, vec3_scale(vec3_subtract(pb, pa), da / (da - db))));
            crossings += 1;
        }
    }
    if (crossings <= 0) return false;
    *point = vec3_scale(sum, 1 / crossings);
    for (int step = 0; step < 2; ++step) {
        const sqt_vec3 normal = body_normal(body, *point);
        *point = vec3_subtract(*point, vec3_scale(normal, body_distance(body, *point, NULL)));
    }
    return true;
}

static void surface_vertices(surface *s, const character_body *body) {
    for (uint32_t index = 0; index < CELLS; ++index) {
        const uint32_t x = index % NX, y = index / NX % NY, z = index / (NX * NY);
        if (x + 1 == NX || y + 1 == NY || z + 1 == NZ) continue;
        if (surface_vertex(s, body, index, &s->points[s->point_count])) s->vertices[index] = s->point_count++;
    }
}

/// Two triangles for each crossed edge, or only their number where s->indices is NULL. The grid is larger than the
/// body: no edge at its border is crossed, so every cell looked up here exists.
static void surface_mesh(surface *s) {
    s->index_count = 0;
    for (uint32_t index = 0; index + strides[2] < CELLS; ++index) {
        for (uint32_t axis = 0; axis < 3; ++axis) {
            const bool inside = s->distances[index] < 0;
            if (inside == (s->distances[index + strides[axis]] < 0)) continue;
            const uint32_t u = strides[(axis + 1) % 3], v = strides[(axis + 2) % 3];
            const uint32_t quad[4] = {s->vertices[index - u - v], s->vertices[index - v], s->vertices[index],
                                      s->vertices[index - u]};
            static const uint8_t outward[6] = {0, 1, 2, 0, 2, 3}, inward[6] = {0, 2, 1, 0, 3, 2};
            for (uint32_t k = 0; k < 6 && s->indices; ++k)
                s->indices[s->index_count + k] = quad[inside ? outward[k] : inward[k]];
            s->index_count += 6;
        }
    }
}

// ---- Weights.

/// A joint takes over from its parent along an axis in its own rest frame, within `reach` on both sides of itself.
typedef struct bend {
    uint8_t joint;
    sqt_vec3 axis;      ///< unit
    float reach, shift; ///< metres
} bend;

static const bend bends[] = {
    {SPINE_1, {0, 1, 0}, 0.07f, 0},
    {SPINE_2, {0, 1, 0}, 0.08f, 0},
    {SPINE_3, {0, 1, 0}, 0.08f, 0},
    {NECK, {0, 1, 0}, 0.05f, 0.01f},
    {HEAD, {0, 1, 0}, 0.04f, 0},
    {CLAVICLE, {0.98f, 0.2f, 0}, 0.07f, 0.04f},
    {FOREARM, {0, -1, 0}, 0.045f, 0},
    {FOREARM_TWIST, {0, -1, 0}, 0.09f, 0},
    {HAND, {0, -1, 0}, 0.035f, 0},
    {FINGERS, {0, -1, 0}, 0.03f, 0},
    {THUMB, {0, -0.28f, 0.96f}, 0.025f, 0},
    {SHIN, {0, -1, 0}, 0.07f, 0},
    {FOOT, {0, -0.8f, 0.6f}, 0.045f, 0},
    {TOES, {0, 0, 1}, 0.035f, 0},
};
enum { BEND_COUNT = sizeof bends / sizeof *bends };

/// Model space -> the frame of each bend's joint in the rest pose.
typedef struct bend_frames {
    sqt_transform from_model[BEND_COUNT];
} bend_frames;

/// Weights of every joint at a point, of sum 1: the limbs share the body by how near each is, then each joint takes its
/// part from its parent, from the trunk outwards. The right side is weighed as the left one in a mirror.
static void weigh(const character_body *body, const bend_frames *frames, sqt_vec3 p, float *weights) {
    memset(weights, 0, JOINT_COUNT * sizeof *weights);
    float limbs[LIMB_COUNT];
    (void)body_distance(body, p, limbs);
    const bool right = p.x < 0;
    const uint32_t near_side = right ? RIGHT : 0, far_side = right ? 0 : RIGHT;
    const float arm = smooth_step(-0.05f, 0.05f, limbs[TRUNK] - limbs[ARM]);
    const float leg = smooth_step(-0.06f, 0.06f, limbs[TRUNK] - limbs[LEG]);
    const float middle = smooth_step(-0.03f, 0.03f, right ? -p.x : p.x); // between the legs
    weights[UPPER_ARM + near_side] = arm;
    weights[PELVIS] = (1 - arm) * (1 - leg);
    weights[THIGH + near_side] = (1 - arm) * leg * middle;
    weights[THIGH + far_side] = (1 - arm) * leg * (1 - middle);
    for (uint32_t k = 0; k < BEND_COUNT; ++k) {
        const bend *const b = &bends[k];
        for (uint32_t side = 0; side <= (b->joint >= CLAVICLE ? RIGHT : 0); side += RIGHT) {
            const sqt_vec3 local = sqt_transform_point(frames->from_model[k], vec3(side ? -p.x : p.x, p.y, p.z));
            const float share = smooth_step(-b->reach, b->reach, vec3_dot(local, b->axis) - b->shift);
            const uint32_t joint = b->joint + side, parent = character_rig[joint].parent;
            weights[joint] = weights[parent] * share;
            weights[parent] -= weights[joint];
        }
    }
}

/// Vertex attributes. Influences are first written for every joint, then the library keeps the four heaviest.
static bool geometry_make(asset *a, sqt_mesh *mesh, const surface *s, const character_body *body) {
    const uint32_t count = s->point_count;
    float *const positions = asset_alloc(a, count, 3 * sizeof(float));
    float *const normals = asset_alloc(a, count, 3 * sizeof(float));
    float *const tangents = asset_alloc(a, count, 4 * sizeof(float));
    uint16_t *const joints = asset_alloc(a, count, 4 * sizeof(uint16_t));
    float *const weights = asset_alloc(a, count, 4 * sizeof(float));
    float *const all_weights = malloc(count * JOINT_COUNT * sizeof(float));
    uint16_t *const all_joints = malloc(count * JOINT_COUNT * sizeof(uint16_t));
    bend_frames frames;
    for (uint32_t k = 0; k < BEND_COUNT; ++k)
        frames.from_model[k] = sqt_transform_invert(character_rest(bends[k].joint));
    bool made = positions && normals && tangents && joints && weights && all_weights && all_joints;
    for (uint32_t v = 0; made && v < count; ++v) {
        const sqt_vec3 p = s->points[v], n = body_normal(body, p);
        // Tangents run around the limbs and the trunk.
        const sqt_vec3 around = n.x * n.x + n.z * n.z > 1e-6f ? vec3_unit(vec3(n.z, 0, -n.x)) : vec3(1, 0, 0);
        const float tangent[4] = {around.x, around.y, around.z, 1};
        memcpy(positions + 3 * v, &p, sizeof p);
        memcpy(normals + 3 * v, &n, sizeof n);
        memcpy(tangents + 4 * v, tangent, sizeof tangent);
        weigh(body, &frames, p, all_weights + v * JOINT_COUNT);
        for (uint32_t j = 0; j < JOINT_COUNT; ++j) all_joints[v * JOINT_COUNT + j] = (uint16_t)j;
    }
    const sqt_mesh all = {.vertex_count = count,
                          .influence_count = JOINT_COUNT,
                          .palette_count = JOINT_COUNT,
                          .positions = {positions, 0, SQT_FORMAT_F32},
                          .joints = {all_joints, 0, SQT_FORMAT_U16},
                          .weights = {all_weights, 0, SQT_FORMAT_F32}};
    made = made && sqt_mesh_reduce_influences(joints, weights, &all, 4, NULL) == SQT_OK;
    free(all_joints);
    free(all_weights);
    *mesh = all;
    mesh->influence_count = 4;
    mesh->normals.data = normals;
    mesh->tangents.data = tangents;
    mesh->joints.data = joints;
    mesh->weights.data = weights;
    return made;
}

bool character_mesh_make(asset *a) {
    character_body body;
    character_body_make(&body);
    surface s = {.distances = malloc(CELLS * sizeof(float)),
                 .vertices = malloc(CELLS * sizeof(uint32_t)),
                 .points = malloc(CELLS * sizeof(sqt_vec3))};
    a->prims = asset_alloc(a, 1, sizeof *a->prims);
    bool made = s.distances && s.vertices && s.points && a->prims;
    if (made) {
        surface_sample(&s, &body);
        surface_vertices(&s, &body);
        surface_mesh(&s);
        s.indices = asset_alloc(a, s.index_count, sizeof *s.indices);
        made = s.indices && geometry_make(a, &a->prims->geometry, &s, &body);
    }
    if (made) {
        surface_mesh(&s);
        a->prim_count = 1;
        a->prims->joint_set_count = 1;
        a->prims->indices = s.indices;
        a->prims->index_count = s.index_count;
    }
    free(s.points);
    free(s.vertices);
    free(s.distances);
    return made;
}
