#include "fuzz_input.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Promises ----

void fuzz_require(bool holds, const char *what, const char *file, int line) {
    if (holds) return;
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    abort();
}

// ---- Bytes and memory ----

fuzz_input fuzz_begin(const uint8_t *data, size_t bytes) {
    fuzz_set_isa(SQT_ISA_BEST);
    const fuzz_input in = {.data = data, .bytes = bytes, .random = 1};
    return in;
}

void fuzz_end(fuzz_input *in) {
    for (size_t i = 0; i < in->block_count; ++i) free(in->blocks[i]);
    free(in->blocks);
}

void *fuzz_shifted_block(fuzz_input *in, size_t bytes, size_t shift) {
    if (in->block_count == in->block_capacity) {
        in->block_capacity = in->block_capacity ? 2 * in->block_capacity : 64;
        in->blocks = realloc(in->blocks, in->block_capacity * sizeof *in->blocks);
        if (!in->blocks) abort();
    }
    unsigned char *const block = malloc(bytes + shift);
    if (!block) abort();
    memset(block, 0xFF, bytes + shift);
    in->blocks[in->block_count++] = block;
    return block + shift;
}

void *fuzz_block(fuzz_input *in, size_t bytes) { return fuzz_shifted_block(in, bytes, 0); }

uint8_t fuzz_u8(fuzz_input *in) {
    if (in->bytes == 0) return 0;
    --in->bytes;
    return *in->data++;
}

uint16_t fuzz_u16(fuzz_input *in) {
    const uint32_t low = fuzz_u8(in), high = fuzz_u8(in);
    return (uint16_t)(low | high << 8);
}

uint32_t fuzz_u32(fuzz_input *in) {
    const uint32_t low = fuzz_u16(in), high = fuzz_u16(in);
    return low | high << 16;
}

uint32_t fuzz_below(fuzz_input *in, uint32_t limit) {
    return limit <= 256 ? fuzz_u8(in) % limit : limit <= 65536 ? fuzz_u16(in) % limit : fuzz_u32(in) % limit;
}

bool fuzz_rarely(fuzz_input *in) { return fuzz_u8(in) % 16 == 15; }

uint32_t fuzz_count(fuzz_input *in, uint32_t usual, uint32_t most) {
    const uint32_t byte = fuzz_u8(in);
    return byte < 252 ? byte % (usual + 1) : fuzz_u16(in) % (most + 1);
}

// ---- Numbers ----

static float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float fuzz_float(fuzz_input *in) {
    static const float edges[] = {1e15f,      -1e15f,   FLT_MAX,  -FLT_MAX, FLT_MIN,     1e-45f,    -1e-45f,
                                  INFINITY,   NAN,      -0.0f,    1e-30f,   -1e-30f,     0.99e-30f, 1e-15f,
                                  -INFINITY,  1e9f,     1e-7f,    1e7f,     3.14159274f, 1.001f,    0.999f,
                                  16777216.f, 1.00012f, 0.99988f, 1e-3f,    1e18f,       -1e30f,    0x1.fffffep-1f};
    const uint32_t byte = fuzz_u8(in);
    if (byte < 100) return (float)byte / 16.0f;
    if (byte < 200) return (100.0f - (float)byte) / 16.0f;
    const uint32_t edge = byte - 200;
    return edge < sizeof edges / sizeof *edges ? edges[edge] : float_of_bits(fuzz_u32(in));
}

double fuzz_double(fuzz_input *in) {
    static const double edges[] = {1e300, -1e300, DBL_MAX, -DBL_MAX, DBL_MIN, 5e-324, -5e-324,
                                   -1e-9, 1e15,   1e17,    0x1p53,   -1e9,    1e40,   -0.0};
    const uint32_t byte = fuzz_u8(in);
    if (byte < sizeof edges / sizeof *edges) return edges[byte];
    return (double)fuzz_float(in) * (byte % 2 ? 1.0 : 0x1.0000001p0);
}

void fuzz_seed(fuzz_input *in) { in->random = 0x9E3779B9u ^ (fuzz_u16(in) * 0x85EBCA6Bu); }

/// Source: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003).
uint32_t fuzz_random(fuzz_input *in) {
    uint32_t x = in->random ? in->random : 1;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return in->random = x;
}

float fuzz_random_float(fuzz_input *in, uint32_t kind) {
    const uint32_t bits = fuzz_random(in);
    if (kind == FUZZ_FLAT) return (float)(bits % 3) - 1.0f;
    const float small = ((float)(bits >> 8) / 8388608.0f - 1.0f) * 4.0f;
    if (kind != FUZZ_EXTREME || bits % 4 == 0) return small;
    if (bits % 16 == 1) return bits & 64u ? 0.0f : -0.0f;
    const float any = float_of_bits(bits);
    return fabsf(any) <= FUZZ_LARGEST ? any : bits & 16u ? FUZZ_LARGEST : -FUZZ_LARGEST;
}

static sqt_quat random_rotation(fuzz_input *in) {
    double q[4], square = 0.0;
    for (int i = 0; i < 4; ++i) {
        q[i] = (double)(fuzz_random(in) >> 8) / 8388608.0 - 1.0;
        square += q[i] * q[i];
    }
    if (square < 1e-3) return (sqt_quat)SQT_QUAT_IDENTITY;
    const double length = sqrt(square);
    const sqt_quat unit = {(float)(q[0] / length), (float)(q[1] / length), (float)(q[2] / length),
                           (float)(q[3] / length)};
    return unit;
}

void fuzz_fill_pose(fuzz_input *in, sqt_pose_block *pose, uint32_t joint_count, uint32_t kind) {
    sqt_quat last = SQT_QUAT_IDENTITY;
    for (uint32_t j = 0; j < joint_count; ++j) {
        const uint32_t choice = fuzz_random(in) >> 28;
        if (choice == 0) last = (sqt_quat){-last.x, -last.y, -last.z, -last.w};
        if (choice > 2) last = random_rotation(in);
        float rest[6];
        for (int i = 0; i < 6; ++i) rest[i] = fuzz_random_float(in, kind);
        const sqt_transform t = {last, {rest[0], rest[1], rest[2]}, {rest[3], rest[4], rest[5]}};
        sqt_pose_set(pose, j, t);
    }
}

void fuzz_patch_floats(fuzz_input *in, float *values, size_t count) {
    for (uint32_t n = fuzz_u8(in) % 5; n > 0 && count > 0; --n) {
        const uint32_t at = fuzz_below(in, (uint32_t)count);
        values[at] = fuzz_float(in);
    }
}

void fuzz_patch_u16(fuzz_input *in, uint16_t *values, size_t count) {
    for (uint32_t n = fuzz_u8(in) % 5; n > 0 && count > 0; --n) {
        const uint32_t at = fuzz_below(in, (uint32_t)count);
        values[at] = fuzz_u8(in) & 1u ? fuzz_u16(in) : (uint16_t)fuzz_below(in, (uint32_t)count + 1);
    }
}

void fuzz_patch_u32(fuzz_input *in, uint32_t *values, size_t count) {
    for (uint32_t n = fuzz_u8(in) % 5; n > 0 && count > 0; --n) {
        const uint32_t at = fuzz_below(in, (uint32_t)count);
        values[at] = fuzz_u8(in) & 1u ? fuzz_u32(in) : fuzz_u8(in);
    }
}

void fuzz_set_isa(uint32_t isa) {
    static uint32_t current = SQT_ISA_COUNT;
    if (isa == current) return;
    sqt_isa_cap(isa);
    current = isa;
}

void fuzz_cap_isa(fuzz_input *in) {
    const uint32_t byte = fuzz_u8(in);
    if (byte % 8 == 7) fuzz_set_isa(byte / 8 % SQT_ISA_COUNT);
}

// ---- Skeletons ----

static sqt_quat any_rotation(fuzz_input *in) {
    const uint32_t byte = fuzz_u8(in);
    if (byte < 64) return (sqt_quat)SQT_QUAT_IDENTITY;
    const sqt_quat q = {fuzz_float(in), fuzz_float(in), fuzz_float(in), fuzz_float(in)};
    return byte < 224 ? sqt_quat_normalize(q) : q;
}

static sqt_vec3 any_vector(fuzz_input *in, float otherwise) {
    const uint32_t byte = fuzz_u8(in);
    if (byte < 64) return (sqt_vec3){otherwise, otherwise, otherwise};
    const float x = fuzz_float(in);
    if (byte < 128) return (sqt_vec3){x, x, x};
    const sqt_vec3 v = {x, fuzz_float(in), fuzz_float(in)};
    return v;
}

static const char *any_name(fuzz_input *in) {
    // The last two have one hash: 32 bits of FNV-1a are few.
    static const char *const names[] = {"", "a", "hand", "thumb", "spine_01", "costarring", "liquid"};
    const uint32_t byte = fuzz_u8(in);
    if (byte == 255) return NULL;
    if (byte < 192) return names[byte % (sizeof names / sizeof *names)];
    const size_t length = byte % 8;
    char *const name = FUZZ_ARRAY(in, char, length + 1);
    for (size_t i = 0; i < length; ++i) name[i] = (char)fuzz_u8(in);
    name[length] = '\0';
    return name;
}

static uint32_t any_parent(fuzz_input *in, uint32_t joint, bool hostile) {
    const uint32_t byte = fuzz_u8(in);
    if (hostile && byte >= 240) return byte >= 248 ? fuzz_u32(in) : byte - 240u;
    if (joint == 0 || byte >= 224) return SQT_NO_JOINT;
    return joint - 1 - byte % joint;
}

sqt_joint *fuzz_joints(fuzz_input *in, uint32_t count, bool hostile) {
    sqt_joint *const joints = FUZZ_ARRAY(in, sqt_joint, count);
    const bool large = count > 48; // large arrays are of one kind, lest they take thousands of bytes
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    for (uint32_t i = 0; i < count; ++i) {
        if (large && i >= 8) {
            joints[i] = joints[i % 8];
            joints[i].parent = i % 8 ? i - i % 8 : i - 1;
            continue;
        }
        joints[i].parent = any_parent(in, i, hostile);
        joints[i].name = any_name(in);
        joints[i].rest = identity;
        if (fuzz_u8(in) < 96) continue;
        joints[i].rest.rotation = any_rotation(in);
        joints[i].rest.translation = any_vector(in, 0.0f);
        joints[i].rest.scale = any_vector(in, 1.0f);
    }
    return joints;
}

bool fuzz_skeleton(fuzz_input *in, sqt_skeleton *skeleton) {
    const uint32_t count = fuzz_count(in, 39, 139) + 1;
    const sqt_joint *const joints = fuzz_joints(in, count, false);
    const size_t bytes = sqt_skeleton_bytes(joints, count);
    void *const memory = fuzz_block(in, bytes);
    sqt_skeleton made;
    if (sqt_skeleton_build(&made, joints, count, memory, bytes, NULL)) return false;
    // Arrays of their own: a read behind one would stay within the memory of all.
    const size_t blocks = SQT_POSE_BLOCKS(count);
    *skeleton = made;
    skeleton->parents = memcpy(FUZZ_ARRAY(in, uint16_t, count), made.parents, count * sizeof(uint16_t));
    skeleton->schedule = memcpy(FUZZ_ARRAY(in, uint16_t, count), made.schedule, count * sizeof(uint16_t));
    skeleton->rest = memcpy(FUZZ_ARRAY(in, sqt_pose_block, blocks), made.rest, blocks * sizeof(sqt_pose_block));
    skeleton->name_hashes = memcpy(FUZZ_ARRAY(in, uint32_t, count), made.name_hashes, count * sizeof(uint32_t));
    skeleton->name_order = memcpy(FUZZ_ARRAY(in, uint16_t, count), made.name_order, count * sizeof(uint16_t));
    skeleton->name_offsets = memcpy(FUZZ_ARRAY(in, uint32_t, count), made.name_offsets, count * sizeof(uint32_t));
    skeleton->names = memcpy(FUZZ_ARRAY(in, char, made.names_bytes), made.names, made.names_bytes);
    return true;
}

sqt_skeleton fuzz_level_of_detail(fuzz_input *in, const sqt_skeleton *skeleton) {
    sqt_skeleton level = *skeleton;
    level.joint_count = skeleton->joint_count - fuzz_below(in, skeleton->joint_count);
    return level;
}

uint16_t *fuzz_joint_list(fuzz_input *in, uint32_t count, uint32_t joint_count) {
    uint16_t *const joints = FUZZ_ARRAY(in, uint16_t, count);
    uint32_t next = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t left = joint_count > next + (count - k) ? joint_count - next - (count - k) : 0;
        next += left ? fuzz_u8(in) % (left + 1) : 0;
        joints[k] = (uint16_t)next++;
    }
    if (fuzz_rarely(in)) fuzz_patch_u16(in, joints, count);
    return joints;
}

sqt_base_pose fuzz_base_pose(fuzz_input *in, const sqt_skeleton *skeleton) {
    sqt_base_pose base = {0};
    const uint32_t byte = fuzz_u8(in);
    if (byte < 128) return base;
    const uint32_t joint_count = skeleton->full_joint_count;
    base.joint_count = byte % 2 ? joint_count : fuzz_below(in, joint_count + 1);
    if (fuzz_rarely(in)) base.joint_count = fuzz_count(in, 60, 300);
    sqt_pose_block *const pose = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(base.joint_count));
    fuzz_fill_pose(in, pose, base.joint_count, byte % FUZZ_KINDS);
    fuzz_patch_floats(in, &pose->rx[0], SQT_POSE_BLOCKS(base.joint_count) * (sizeof *pose / sizeof(float)));
    base.pose = pose;
    if (byte >= 192) base.joints = fuzz_joint_list(in, base.joint_count, joint_count);
    return base;
}

double fuzz_seconds(fuzz_input *in, float duration_seconds) {
    const double duration = (double)duration_seconds, other = fuzz_double(in);
    switch (fuzz_u8(in) % 8) {
    case 0:
        return duration * ((double)fuzz_u8(in) / 255.0);
    case 1:
        return duration;
    case 2:
        return -duration;
    case 3:
        return 2.0 * duration;
    case 4:
        return duration * (double)fuzz_u32(in);
    case 5:
        return nextafter(duration, -1.0);
    case 6:
        return isfinite(other) ? other : 0.0;
    default:
        return isfinite(other) ? other * 1e-3 : 0.5;
    }
}

// ---- Checks ----

double fuzz_magnitude(const float *values, size_t count) {
    double largest = 0.0;
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) return HUGE_VAL;
        const double size = fabs((double)values[i]);
        if (size > largest) largest = size;
    }
    return largest;
}

bool fuzz_is_finite(const float *values, size_t count) { return fuzz_magnitude(values, count) < HUGE_VAL; }

double fuzz_pose_magnitude(const sqt_pose_block *pose, uint32_t joint_count) {
    double largest = 0.0;
    for (uint32_t j = 0; j < joint_count; ++j) {
        const sqt_transform t = sqt_pose_get(pose, j);
        const double size = fuzz_magnitude(&t.rotation.x, sizeof t / sizeof(float));
        if (size > largest) largest = size;
    }
    return largest;
}

static double quat_length(sqt_quat q) {
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    return sqrt(x * x + y * y + z * z + w * w);
}

/// Identity in the lanes behind the last joint.
static void check_lanes(const sqt_pose_block *pose, uint32_t joint_count) {
    static const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    for (uint32_t j = joint_count; j < SQT_POSE_BLOCKS(joint_count) * SQT_POSE_LANES; ++j) {
        const sqt_transform t = sqt_pose_get(pose, j);
        FUZZ_REQUIRE(memcmp(&t, &identity, sizeof t) == 0);
    }
}

void fuzz_check_pose(const sqt_pose_block *pose, uint32_t joint_count, double tolerance, bool is_bounded) {
    for (uint32_t j = 0; j < joint_count; ++j) {
        const sqt_transform t = sqt_pose_get(pose, j);
        FUZZ_REQUIRE(fabs(quat_length(t.rotation) - 1.0) <= tolerance);
        FUZZ_REQUIRE(!is_bounded || fuzz_is_finite(&t.rotation.x, sizeof t / sizeof(float)));
    }
    check_lanes(pose, joint_count);
}

/// Bounds of the elements of a global matrix: of its 3x3 part, and of its translation.
typedef struct bound {
    double axes, translation;
} bound;

/// No larger than what rounding leaves room for, so that each intermediate result is a float too.
static bool is_safe(bound b) { return b.axes < 1e36 && b.translation < 1e36; }

static bound bound_of(const sqt_pose_block *pose, uint32_t joint, const bound *above) {
    const sqt_transform t = sqt_pose_get(pose, joint);
    const bound own = {2.0 * fuzz_magnitude(&t.scale.x, 3), fuzz_magnitude(&t.translation.x, 3)};
    if (!above || !is_safe(own)) return own;
    if (!is_safe(*above)) return *above; // what has overflowed stays so, whatever it is scaled by
    const bound product = {3.0 * above->axes * own.axes, 3.0 * above->axes * own.translation + above->translation};
    return product;
}

/// Global poses of a pose whose bound keeps them finite are finite; the subtree update gives the same bits.
static void check_matrices(fuzz_input *in, const sqt_skeleton *skeleton, const sqt_pose_block *pose) {
    const uint32_t count = skeleton->joint_count;
    sqt_mat4 *const global = FUZZ_ARRAY(in, sqt_mat4, count), *const again = FUZZ_ARRAY(in, sqt_mat4, count);
    FUZZ_REQUIRE(sqt_global_from_local(global, skeleton, pose, NULL) == SQT_OK);
    bound *const bounds = FUZZ_ARRAY(in, bound, count);
    bool all_safe = true;
    for (uint32_t j = 0; j < count; ++j) {
        const uint32_t parent = skeleton->parents[j];
        const bound *const above = parent == SQT_NO_JOINT ? NULL : bounds + parent;
        bounds[j] = bound_of(pose, j, above);
        if (is_safe(bounds[j])) {
            FUZZ_REQUIRE(fuzz_is_finite(global[j].m, 16));
        } else {
            all_safe = false;
        }
    }
    memcpy(again, global, count * sizeof *global);
    const uint32_t joint = fuzz_below(in, count);
    for (uint32_t j = joint; j < count; ++j) {
        if (sqt_skeleton_is_below(skeleton, joint, j)) memset(&again[j], 0xA5, sizeof again[j]);
    }
    FUZZ_REQUIRE(sqt_global_from_local_below(again, skeleton, pose, NULL, joint) == SQT_OK);
    FUZZ_REQUIRE(!all_safe || memcmp(again, global, count * sizeof *global) == 0);

    sqt_pose_block *const local = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(count));
    FUZZ_REQUIRE(sqt_local_from_global(local, skeleton, global, fuzz_u8(in) & 1u ? &again[0] : NULL) == SQT_OK);
    fuzz_check_pose(local, count, 1e-5, false);
}

static void check_transforms(fuzz_input *in, const sqt_skeleton *skeleton, const sqt_pose_block *pose) {
    const uint32_t count = skeleton->joint_count;
    sqt_transform *const global = FUZZ_ARRAY(in, sqt_transform, count);
    sqt_mat4 *const matrices = FUZZ_ARRAY(in, sqt_mat4, count);
    const sqt_transform root = sqt_pose_get(pose, fuzz_below(in, count));
    const bool with_root = fuzz_u8(in) & 1u, with_matrices = fuzz_u8(in) & 1u;
    FUZZ_REQUIRE(sqt_global_transforms(global, with_matrices ? matrices : NULL, skeleton, pose,
                                       with_root ? &root : NULL) == SQT_OK);
    sqt_pose_block *const local = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(count));
    FUZZ_REQUIRE(sqt_local_from_transforms(local, skeleton, global, with_root ? &root : NULL) == SQT_OK);
    check_lanes(local, count);
}

static void check_blend(fuzz_input *in, const sqt_skeleton *skeleton, const sqt_pose_block *pose, double tolerance) {
    const uint32_t count = skeleton->joint_count;
    sqt_pose_block *const other = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(count));
    sqt_pose_block *const mixed = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(count));
    fuzz_fill_pose(in, other, count, fuzz_u8(in) % FUZZ_KINDS);
    float *const mask = FUZZ_ARRAY(in, float, count);
    FUZZ_REQUIRE(sqt_mask_subtree(mask, skeleton, fuzz_below(in, count), (float)fuzz_u8(in) / 64.0f, NULL) == SQT_OK);
    fuzz_patch_floats(in, mask, count);
    const float weight = fuzz_float(in);
    const bool with_mask = fuzz_u8(in) & 1u;
    const uint32_t flags = fuzz_u8(in) & 1u ? SQT_SLERP : SQT_NLERP;
    const sqt_result result = sqt_blend_pair(mixed, skeleton, pose, other, with_mask ? mask : NULL, weight, flags);
    FUZZ_REQUIRE(result == (isfinite(weight) ? SQT_OK : SQT_ERROR_NUMBER));
    if (result) return;
    const double largest = fmax(fuzz_pose_magnitude(pose, count), fuzz_pose_magnitude(other, count));
    const double factor = (with_mask ? fuzz_magnitude(mask, count) : 1.0) * fabs((double)weight);
    check_lanes(mixed, count);
    const bool is_bounded = largest <= 1e15 && factor <= 1e15;
    if (is_bounded) fuzz_check_pose(mixed, count, fmax(tolerance, 1e-5), true);
}

void fuzz_play_pose(fuzz_input *in, const sqt_skeleton *skeleton, const sqt_pose_block *pose, double tolerance) {
    check_matrices(in, skeleton, pose);
    check_transforms(in, skeleton, pose);
    check_blend(in, skeleton, pose, tolerance);
}
