// Meshes of any layout, their groups, and what a loader does to influences; what is accepted is skinned in ranges.
#include <math.h>
#include <string.h>

#include "fuzz_input.h"

enum { MOST_VERTICES = 40, MOST_PALETTE = 64, MOST_OFFSET = 2000 };

static uint32_t format_bytes(uint32_t format) {
    static const uint8_t bytes[] = {4, 1, 2, 4, 1, 2};
    return format < sizeof bytes ? bytes[format] : 4;
}

/// Bytes of `count` elements that are a stride apart.
static size_t array_bytes(uint32_t count, uint32_t stride, size_t element) {
    const size_t step = stride ? stride : element;
    return count ? (size_t)(count - 1) * step + element : 0;
}

/// A stride: tight, or with room between the elements; now and then below an element.
static uint32_t any_stride(fuzz_input *in, uint32_t element) {
    const uint32_t byte = fuzz_u8(in);
    if (byte < 128) return 0;
    return byte >= 240 ? byte % (element + 1) : element + byte % 9;
}

static sqt_attribute any_floats(fuzz_input *in, uint32_t vertex_count, uint32_t components, uint32_t kind) {
    sqt_attribute attribute = {0};
    const uint32_t element = 4 * components;
    attribute.format = fuzz_rarely(in) ? fuzz_below(in, 8) : SQT_FORMAT_F32;
    attribute.stride_bytes = any_stride(in, element);
    const size_t bytes = array_bytes(vertex_count, attribute.stride_bytes, element);
    unsigned char *const data = fuzz_shifted_block(in, bytes, fuzz_u8(in) % 4);
    const size_t step = attribute.stride_bytes ? attribute.stride_bytes : element;
    for (uint32_t v = 0; v < vertex_count; ++v) {
        float values[4];
        for (uint32_t i = 0; i < components; ++i) values[i] = fuzz_random_float(in, kind);
        if (v == 0) fuzz_patch_floats(in, values, components);
        memcpy(data + v * step, values, element);
    }
    attribute.data = data;
    return attribute;
}

/// `count` elements of `components` joint indices, most of them below the palette's end.
static sqt_attribute any_joints(fuzz_input *in, uint32_t count, uint32_t components, uint32_t palette_count) {
    static const uint32_t formats[] = {SQT_FORMAT_U8, SQT_FORMAT_U16, SQT_FORMAT_U32};
    sqt_attribute attribute = {0};
    const uint32_t choice = fuzz_u8(in);
    attribute.format = choice < 240 ? formats[choice % 3] : choice % 8;
    const uint32_t size = format_bytes(attribute.format), element = components * size;
    attribute.stride_bytes = any_stride(in, element);
    const size_t step = attribute.stride_bytes ? attribute.stride_bytes : element;
    const size_t bytes = array_bytes(count, attribute.stride_bytes, element);
    unsigned char *const data = fuzz_shifted_block(in, bytes, fuzz_u8(in) % 4);
    const uint32_t limit = palette_count ? palette_count : 1, few = choice & 8u ? 3 : limit;
    for (uint32_t v = 0; v < count; ++v) {
        for (uint32_t i = 0; i < components; ++i) {
            const uint32_t joint = fuzz_random(in) % (few < limit ? few : limit);
            const uint16_t half = (uint16_t)joint;
            const uint8_t byte = (uint8_t)joint;
            const void *const from = size == 4 ? (const void *)&joint : size == 2 ? (const void *)&half : &byte;
            memcpy(data + v * step + (size_t)i * size, from, size);
        }
    }
    if (fuzz_rarely(in) && bytes > 0) data[fuzz_below(in, (uint32_t)bytes)] = fuzz_u8(in);
    attribute.data = data;
    return attribute;
}

static sqt_attribute any_weights(fuzz_input *in, uint32_t count, uint32_t components) {
    static const uint32_t formats[] = {SQT_FORMAT_F32, SQT_FORMAT_UNORM8, SQT_FORMAT_UNORM16};
    sqt_attribute attribute = {0};
    const uint32_t choice = fuzz_u8(in);
    attribute.format = choice < 240 ? formats[choice % 3] : choice % 8;
    const uint32_t size = format_bytes(attribute.format), element = components * size;
    attribute.stride_bytes = any_stride(in, element);
    const size_t step = attribute.stride_bytes ? attribute.stride_bytes : element;
    const size_t bytes = array_bytes(count, attribute.stride_bytes, element);
    unsigned char *const data = fuzz_shifted_block(in, bytes, fuzz_u8(in) % 4);
    for (uint32_t v = 0; v < count; ++v) {
        for (uint32_t i = 0; i < components; ++i) {
            const uint32_t bits = fuzz_random(in);
            const float weight = bits % 4 == 0 ? 0.0f : bits % 4 == 1 ? 1.0f : (float)(bits >> 8) / 16777216.0f;
            const uint32_t raw = bits % 8 == 2 ? 0xFFFFFFFFu : bits;
            memcpy(data + v * step + (size_t)i * size, size == 4 ? (const void *)&weight : (const void *)&raw, size);
        }
    }
    if (attribute.format == SQT_FORMAT_F32 && bytes >= 4 && fuzz_rarely(in)) {
        const float value = fuzz_float(in);
        const size_t at = fuzz_below(in, count) * step; // a hostile stride may be shorter than a weight
        memcpy(data + (at <= bytes - sizeof value ? at : bytes - sizeof value), &value, sizeof value);
    }
    attribute.data = data;
    return attribute;
}

/// Offsets that ascend, now and then not; the last is no larger than the arrays may be.
static uint32_t *any_offsets(fuzz_input *in, uint32_t vertex_count) {
    uint32_t *const offsets = FUZZ_ARRAY(in, uint32_t, vertex_count + 1);
    uint32_t at = fuzz_rarely(in) ? fuzz_u8(in) : 0;
    const uint32_t choice = fuzz_u8(in);
    for (uint32_t v = 0; v <= vertex_count; ++v) {
        offsets[v] = at;
        at += choice & 1u ? fuzz_u8(in) % 5 : fuzz_random(in) % 4;
        if (choice >= 250 && v == choice % 6) at += 254;
    }
    if (fuzz_rarely(in)) fuzz_patch_u32(in, offsets, vertex_count + 1);
    if (offsets[vertex_count] > MOST_OFFSET) offsets[vertex_count] = MOST_OFFSET;
    return offsets;
}

static void any_influences(fuzz_input *in, sqt_mesh *mesh) {
    const uint32_t form = fuzz_u8(in);
    uint32_t elements = mesh->vertex_count, components = 1;
    if (form & 1u) {
        const uint32_t *const offsets = any_offsets(in, mesh->vertex_count);
        elements = offsets[mesh->vertex_count];
        mesh->influence_offsets = offsets;
        mesh->influence_count = fuzz_rarely(in) ? fuzz_u32(in) : 0; // ignored
    } else {
        components = fuzz_count(in, 12, 260);
        mesh->influence_count = components;
    }
    mesh->joints = any_joints(in, elements, components, mesh->palette_count);
    mesh->weights = any_weights(in, elements, components);
}

/// Groups that nobody made: runs from the input, arrays of exactly the lengths that are stated.
static sqt_mesh_groups any_groups(fuzz_input *in, const sqt_mesh *mesh) {
    sqt_mesh_groups groups = {0};
    groups.run_count = fuzz_u8(in) % 6;
    sqt_mesh_run *const runs = FUZZ_ARRAY(in, sqt_mesh_run, groups.run_count);
    uint32_t vertex = 0, joint = 0, weight = 0;
    for (uint32_t i = 0; i < groups.run_count; ++i) {
        sqt_mesh_run *const run = runs + i;
        const uint32_t left = mesh->vertex_count - vertex, take = i + 1 == groups.run_count ? left : fuzz_u8(in);
        run->first_vertex = vertex;
        run->vertex_count = take < left ? take : left;
        run->kind = (uint16_t)(fuzz_u8(in) % 3);
        run->influence_count = (uint16_t)(run->kind == SQT_RUN_RIGID ? 1 : fuzz_u8(in) % 7);
        run->first_joint = joint;
        run->first_weight = weight;
        const uint32_t every = run->vertex_count * run->influence_count;
        joint += run->kind == SQT_RUN_MIXED ? every : run->influence_count;
        weight += run->kind == SQT_RUN_RIGID ? 0 : every;
        vertex += run->vertex_count;
    }
    if (groups.run_count > 0 && fuzz_rarely(in)) {
        sqt_mesh_run *const run = runs + fuzz_below(in, groups.run_count);
        uint32_t *const members[] = {&run->first_vertex, &run->vertex_count, &run->first_joint, &run->first_weight};
        fuzz_patch_u32(in, members[fuzz_below(in, 4)], 1);
        if (fuzz_rarely(in)) run->influence_count = fuzz_u16(in);
        if (fuzz_rarely(in)) run->kind = fuzz_u16(in);
    }
    groups.joint_count = joint - (fuzz_rarely(in) && joint > 0);
    groups.weight_count = weight - (fuzz_rarely(in) && weight > 0);
    uint16_t *const joints = FUZZ_ARRAY(in, uint16_t, groups.joint_count);
    float *const weights = FUZZ_ARRAY(in, float, groups.weight_count);
    const uint32_t limit = mesh->palette_count ? mesh->palette_count : 1;
    for (uint32_t i = 0; i < groups.joint_count; ++i) joints[i] = (uint16_t)(fuzz_random(in) % limit);
    for (uint32_t i = 0; i < groups.weight_count; ++i) weights[i] = (float)(fuzz_random(in) >> 8) / 16777216.0f;
    if (fuzz_rarely(in)) fuzz_patch_u16(in, joints, groups.joint_count);
    if (fuzz_rarely(in)) fuzz_patch_floats(in, weights, groups.weight_count);
    groups.runs = runs;
    groups.joints = joints;
    groups.weights = weights;
    if (fuzz_rarely(in)) {
        const uint32_t wrong = fuzz_u8(in);
        if (wrong & 1u) groups.runs = NULL;
        if (wrong & 2u) groups.joints = NULL;
        if (wrong & 4u) groups.weights = NULL;
    }
    return groups;
}

/// The sum of the largest weights that any vertex may have.
static double weight_bound(const sqt_mesh *mesh) {
    if (mesh->groups) {
        return SQT_MAX_INFLUENCES * fmax(1.0, fuzz_magnitude(mesh->groups->weights, mesh->groups->weight_count));
    }
    double largest = 1.0;
    if (mesh->weights.data && mesh->weights.format == SQT_FORMAT_F32) {
        const bool fixed = !mesh->influence_offsets;
        const uint32_t components = fixed ? mesh->influence_count : 1;
        const uint32_t first = fixed ? 0 : mesh->influence_offsets[0];
        const uint32_t end = fixed ? mesh->vertex_count : mesh->influence_offsets[mesh->vertex_count];
        const size_t step = mesh->weights.stride_bytes ? mesh->weights.stride_bytes : 4 * (size_t)components;
        for (uint32_t e = first; e < end; ++e) {
            for (uint32_t i = 0; i < components; ++i) {
                float weight;
                memcpy(&weight, (const char *)mesh->weights.data + e * step + (size_t)4 * i, sizeof weight);
                largest = fmax(largest, fuzz_magnitude(&weight, 1));
            }
        }
    }
    return SQT_MAX_INFLUENCES * largest;
}

static double attribute_magnitude(const sqt_attribute *attribute, uint32_t components, uint32_t vertex_count) {
    double largest = 0.0;
    const size_t step = attribute->stride_bytes ? attribute->stride_bytes : 4 * (size_t)components;
    for (uint32_t v = 0; attribute->data && v < vertex_count; ++v) {
        float values[4];
        memcpy(values, (const char *)attribute->data + v * step, 4 * (size_t)components);
        largest = fmax(largest, fuzz_magnitude(values, components));
    }
    return largest;
}

/// Outputs in blocks of their own, with strides that may leave room between the vertices.
typedef struct outputs {
    sqt_skinned skinned;
    size_t position_floats, normal_floats, tangent_floats;
} outputs;

static float *any_output(fuzz_input *in, size_t *floats, uint32_t *stride_bytes, uint32_t components, uint32_t gap,
                         const sqt_attribute *attribute, uint32_t vertex_count) {
    if (!attribute->data) return NULL;
    *stride_bytes = gap ? 4 * (components + gap) : 0;
    *floats = array_bytes(vertex_count, *stride_bytes, 4 * (size_t)components) / 4;
    return FUZZ_ARRAY(in, float, *floats);
}

static outputs any_outputs(fuzz_input *in, const sqt_mesh *mesh, uint32_t gap, uint32_t wanted) {
    outputs out = {0};
    sqt_skinned *const s = &out.skinned;
    const uint32_t n = mesh->vertex_count;
    if (wanted & 1u) {
        s->positions = any_output(in, &out.position_floats, &s->position_stride_bytes, 3, gap, &mesh->positions, n);
    }
    if (wanted & 2u) {
        s->normals = any_output(in, &out.normal_floats, &s->normal_stride_bytes, 3, gap, &mesh->normals, n);
    }
    if (wanted & 4u) {
        s->tangents = any_output(in, &out.tangent_floats, &s->tangent_stride_bytes, 4, gap, &mesh->tangents, n);
    }
    return out;
}

static void check_same(const outputs *a, const outputs *b) {
    FUZZ_REQUIRE(memcmp(a->skinned.positions ? a->skinned.positions : (const float *)"",
                        b->skinned.positions ? b->skinned.positions : (const float *)"",
                        a->position_floats * sizeof(float)) == 0);
    FUZZ_REQUIRE(memcmp(a->skinned.normals ? a->skinned.normals : (const float *)"",
                        b->skinned.normals ? b->skinned.normals : (const float *)"",
                        a->normal_floats * sizeof(float)) == 0);
    FUZZ_REQUIRE(memcmp(a->skinned.tangents ? a->skinned.tangents : (const float *)"",
                        b->skinned.tangents ? b->skinned.tangents : (const float *)"",
                        a->tangent_floats * sizeof(float)) == 0);
}

/// Unit, or zero where nothing was left of it.
static void check_directions(const float *vectors, uint32_t stride_bytes, uint32_t components, uint32_t vertex_count) {
    const size_t step = stride_bytes ? stride_bytes / 4 : components;
    for (uint32_t v = 0; vectors && v < vertex_count; ++v) {
        const float *const at = vectors + v * step;
        const double x = (double)at[0], y = (double)at[1], z = (double)at[2], square = x * x + y * y + z * z;
        FUZZ_REQUIRE(square == 0.0 || fabs(sqrt(square) - 1.0) <= 1e-5);
    }
}

static void check_finite(const outputs *out, const sqt_mesh *mesh) {
    const sqt_skinned *const s = &out->skinned;
    const size_t step = s->position_stride_bytes ? s->position_stride_bytes / 4 : 3;
    for (uint32_t v = 0; s->positions && v < mesh->vertex_count; ++v) {
        FUZZ_REQUIRE(fuzz_is_finite(s->positions + v * step, 3));
    }
}

/// However a mesh is cut, and on every set of instructions, each vertex gets the same bits.
static void skin(fuzz_input *in, const sqt_mesh *mesh, const sqt_mat4 *palette) {
    const uint32_t n = mesh->vertex_count, choice = fuzz_u8(in);
    const uint32_t flags = choice & (SQT_PLAIN_NORMALS | SQT_RAW_NORMALS), gap = choice & 3u;
    const uint32_t wanted = choice & 128u ? fuzz_u8(in) : 7;
    const outputs whole = any_outputs(in, mesh, gap, wanted), parts = any_outputs(in, mesh, gap, wanted);
    FUZZ_REQUIRE(sqt_skin_vertices(&whole.skinned, mesh, palette, mesh->palette_count, 0, n, flags) == SQT_OK);
    fuzz_cap_isa(in);
    for (uint32_t at = 0; at < n;) {
        const uint32_t left = n - at, byte = fuzz_u8(in) % 24 + 1, count = byte < left ? byte : left;
        FUZZ_REQUIRE(sqt_skin_vertices(&parts.skinned, mesh, palette, mesh->palette_count, at, count, flags) == SQT_OK);
        at += count;
    }
    const uint32_t beyond = fuzz_u32(in);
    const sqt_result result =
        sqt_skin_vertices(&parts.skinned, mesh, palette, mesh->palette_count, fuzz_below(in, n + 2), beyond, flags);
    FUZZ_REQUIRE(result == SQT_OK || result == SQT_ERROR_COUNT);

    double matrix = fuzz_magnitude(palette->m, (size_t)16 * mesh->palette_count) * weight_bound(mesh);
    matrix = fmax(matrix, 1.0);
    const double vector = fmax(attribute_magnitude(&mesh->normals, 3, n), attribute_magnitude(&mesh->tangents, 4, n));
    // Cofactors are products of two elements, the test for a mirror one of three, the length that of a square.
    const double direction = 20.0 * matrix * matrix * fmax(matrix, vector);
    if (direction >= 1e18) return;
    if (matrix * 4.0 * fmax(attribute_magnitude(&mesh->positions, 3, n), 1.0) >= 1e37) return;
    check_finite(&whole, mesh);
    check_same(&whole, &parts);
    if (flags & SQT_RAW_NORMALS) return;
    check_directions(whole.skinned.normals, whole.skinned.normal_stride_bytes, 3, n);
    check_directions(whole.skinned.tangents, whole.skinned.tangent_stride_bytes, 4, n);
}

static void reduce(fuzz_input *in, const sqt_mesh *mesh) {
    const uint32_t count = fuzz_rarely(in) ? fuzz_u8(in) : fuzz_u8(in) % 8 + 1, n = mesh->vertex_count;
    const size_t places = (size_t)n * count;
    uint16_t *const joints = FUZZ_ARRAY(in, uint16_t, places);
    float *const weights = FUZZ_ARRAY(in, float, places);
    const sqt_result result = sqt_mesh_reduce_influences(joints, weights, mesh, count, NULL);
    FUZZ_REQUIRE(result == (count == 0 ? SQT_ERROR_COUNT : SQT_OK));
    if (result) return;
    for (uint32_t v = 0; v < n; ++v) {
        double sum = 0.0;
        for (uint32_t i = 0; i < count; ++i) {
            const size_t at = (size_t)v * count + i;
            FUZZ_REQUIRE(joints[at] < mesh->palette_count || joints[at] == 0);
            FUZZ_REQUIRE(weights[at] >= 0.0f && (i == 0 || weights[at] <= weights[at - 1]));
            sum += (double)weights[at];
        }
        FUZZ_REQUIRE(fabs(sum - 1.0) <= 1e-5);
    }
    uint8_t *const quantized = FUZZ_ARRAY(in, uint8_t, places);
    FUZZ_REQUIRE(sqt_mesh_quantize_weights(quantized, weights, n, count, NULL) == SQT_OK);
    for (uint32_t v = 0; v < n; ++v) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < count; ++i) sum += quantized[(size_t)v * count + i];
        FUZZ_REQUIRE(sum == 255);
    }
    fuzz_patch_floats(in, weights, places);
    (void)!sqt_mesh_quantize_weights(quantized, weights, n, count, NULL);
}

/// A vertex buffer in the order of the groups, in a block of its own.
static sqt_attribute permuted(fuzz_input *in, const sqt_attribute *attribute, uint32_t components,
                              const uint32_t *permutation, uint32_t vertex_count) {
    sqt_attribute moved = *attribute;
    if (!attribute->data) return moved;
    const size_t element = 4 * (size_t)components, step = attribute->stride_bytes ? attribute->stride_bytes : element;
    unsigned char *const tight = fuzz_block(in, vertex_count * element);
    unsigned char *const out = fuzz_block(in, vertex_count * element);
    for (uint32_t v = 0; v < vertex_count; ++v) {
        memcpy(tight + v * element, (const char *)attribute->data + v * step, element);
    }
    FUZZ_REQUIRE(sqt_mesh_permute(out, tight, element, permutation, vertex_count, NULL) == SQT_OK);
    moved.data = out;
    moved.stride_bytes = 0;
    return moved;
}

static void check_renumber(fuzz_input *in, const uint32_t *permutation, uint32_t vertex_count) {
    static const uint32_t formats[] = {SQT_FORMAT_U8, SQT_FORMAT_U16, SQT_FORMAT_U32};
    uint32_t *const new_of_old = FUZZ_ARRAY(in, uint32_t, vertex_count);
    FUZZ_REQUIRE(sqt_mesh_invert_permutation(new_of_old, permutation, vertex_count, NULL) == SQT_OK);
    for (uint32_t v = 0; v < vertex_count; ++v) FUZZ_REQUIRE(new_of_old[permutation[v]] == v);
    const uint32_t format = formats[fuzz_u8(in) % 3], size = format_bytes(format), count = fuzz_u8(in) % 8;
    unsigned char *const indices = fuzz_shifted_block(in, (size_t)count * size, fuzz_u8(in) % 4);
    for (uint32_t i = 0; i < count * size; ++i) indices[i] = i % size ? 0 : fuzz_u8(in);
    if (fuzz_rarely(in)) fuzz_patch_u32(in, new_of_old, vertex_count);
    (void)!sqt_mesh_renumber(indices, indices, format, count, new_of_old, vertex_count, NULL);
}

static void group(fuzz_input *in, const sqt_mesh *mesh, const sqt_mat4 *palette) {
    const uint32_t n = mesh->vertex_count;
    const size_t bytes = sqt_mesh_group_bytes(mesh);
    const bool is_short = fuzz_rarely(in) && bytes > 0;
    void *const memory = fuzz_shifted_block(in, bytes - is_short, fuzz_u8(in) % 64);
    uint32_t *const permutation = FUZZ_ARRAY(in, uint32_t, n);
    sqt_mesh_groups groups;
    sqt_fault fault = {0};
    const sqt_result result = sqt_mesh_group(&groups, permutation, mesh, memory, bytes - is_short, &fault);
    if (result) {
        FUZZ_REQUIRE(result == (is_short ? SQT_ERROR_SPACE : SQT_ERROR_NUMBER) && fault.field != NULL);
        return;
    }
    check_renumber(in, permutation, n);
    sqt_mesh grouped = {.vertex_count = n, .palette_count = mesh->palette_count, .groups = &groups};
    grouped.positions = permuted(in, &mesh->positions, 3, permutation, n);
    grouped.normals = permuted(in, &mesh->normals, 3, permutation, n);
    grouped.tangents = permuted(in, &mesh->tangents, 4, permutation, n);
    // Arrays of their own: a read behind one would stay within the memory of all.
    const size_t runs = groups.run_count * sizeof *groups.runs, joints = groups.joint_count * sizeof *groups.joints;
    const size_t weights = groups.weight_count * sizeof *groups.weights;
    groups.runs = n ? memcpy(fuzz_block(in, runs), groups.runs, runs) : NULL;
    groups.joints = n ? memcpy(fuzz_block(in, joints), groups.joints, joints) : NULL;
    groups.weights = n ? memcpy(fuzz_block(in, weights), groups.weights, weights) : NULL;
    FUZZ_REQUIRE(sqt_mesh_validate(&grouped, NULL) == SQT_OK);
    skin(in, &grouped, palette);
}

static void play(fuzz_input *in) {
    sqt_mesh mesh = {0};
    mesh.vertex_count = fuzz_count(in, MOST_VERTICES, 150);
    const uint32_t palette_count = fuzz_u8(in);
    mesh.palette_count = palette_count < 240 ? palette_count % 20 + 1 : palette_count == 255 ? fuzz_u32(in) : 0;
    const uint32_t present = fuzz_u8(in), kind = fuzz_u8(in) % FUZZ_KINDS;
    fuzz_seed(in);
    mesh.positions = any_floats(in, mesh.vertex_count, 3, kind);
    if (present & 1u) mesh.normals = any_floats(in, mesh.vertex_count, 3, kind);
    if (present & 2u) mesh.tangents = any_floats(in, mesh.vertex_count, 4, kind);
    sqt_mesh_groups groups;
    if (present & 4u) {
        groups = any_groups(in, &mesh);
        mesh.groups = &groups;
    }
    if (!mesh.groups || present & 8u) any_influences(in, &mesh);
    if (fuzz_rarely(in)) {
        const uint32_t wrong = fuzz_u8(in);
        if (wrong & 1u) mesh.positions.data = NULL;
        if (wrong & 2u) mesh.joints.data = NULL;
        if (wrong & 4u) mesh.weights.data = NULL;
    }
    sqt_fault fault = {0};
    if (sqt_mesh_validate(&mesh, &fault)) {
        FUZZ_REQUIRE(fault.field != NULL);
        return;
    }
    if (mesh.palette_count > MOST_PALETTE) return;
    sqt_mat4 *const palette = FUZZ_ARRAY(in, sqt_mat4, mesh.palette_count);
    const uint32_t numbers = fuzz_u8(in) % FUZZ_KINDS;
    for (uint32_t k = 0; k < mesh.palette_count; ++k) {
        for (uint32_t i = 0; i < 16; ++i) {
            palette[k].m[i] = i % 4 == 3 ? (i == 15 ? 1.0f : 0.0f) : fuzz_random_float(in, numbers);
        }
    }
    fuzz_patch_floats(in, (float *)(void *)palette, (size_t)16 * mesh.palette_count);
    skin(in, &mesh, palette);
    if (mesh.groups) return;
    reduce(in, &mesh);
    group(in, &mesh, palette);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    fuzz_input in = fuzz_begin(data, bytes);
    play(&in);
    fuzz_end(&in);
    return 0;
}
