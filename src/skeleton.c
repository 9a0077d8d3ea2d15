#include "simd/isa.h"

#include "sqt/skeleton.h"

#include <math.h>
#include <string.h>

#include "affine.h"
#include "fault.h"
#include "pose_lanes.h"

/// Names may fill this much, so that the size of a skeleton fits a size_t of 32 bits and names_bytes its field.
static const uint64_t names_bytes_limit = 0x7FFFFFFF;

/// Joints as bits: 8 KiB on the stack cover every skeleton.
typedef struct joint_set {
    uint32_t words[(SQT_MAX_JOINTS + 31u) / 32u];
} joint_set;

static void joint_set_flip(joint_set *set, uint32_t joint) { set->words[joint / 32] ^= 1u << (joint % 32); }

static bool joint_set_has(const joint_set *set, uint32_t joint) { return set->words[joint / 32] >> (joint % 32) & 1u; }

// ---- Joints as people write them ----

static bool is_parent(uint32_t parent, uint32_t joint_count) { return parent == SQT_NO_JOINT || parent < joint_count; }

static sqt_result check_parents_exist(const sqt_joint *joints, uint32_t joint_count, const char *field,
                                      sqt_fault *fault) {
    for (uint32_t i = 0; i < joint_count; ++i) {
        if (!is_parent(joints[i].parent, joint_count)) return sqt_fail(fault, SQT_ERROR_COUNT, field, i, 0);
    }
    return SQT_OK;
}

/// The lowest joint of the cycle that goes through a joint, so that the report does not depend on where it was met.
static uint32_t lowest_of_cycle(const sqt_joint *joints, uint32_t joint) {
    uint32_t lowest = joint;
    for (uint32_t i = joints[joint].parent; i != joint; i = joints[i].parent) {
        if (i < lowest) lowest = i;
    }
    return lowest;
}

/// Gives new indices to a joint and to all its ancestors that have none, ancestors first. Joints in order are thus met
/// after their parents and keep their index.
static sqt_result place_chain(uint16_t *remap, const sqt_joint *joints, uint32_t joint, uint32_t unplaced_count,
                              uint32_t first_free, sqt_fault *fault) {
    uint32_t length = 0;
    for (uint32_t i = joint; i != SQT_NO_JOINT && remap[i] == SQT_NO_JOINT; i = joints[i].parent) {
        if (length == unplaced_count) { // more steps than joints: i lies on a cycle
            return sqt_fail(fault, SQT_ERROR_ORDER, "parent", lowest_of_cycle(joints, i), 0);
        }
        ++length;
    }
    for (uint32_t i = joint; length > 0; i = joints[i].parent) remap[i] = (uint16_t)(first_free + --length);
    return SQT_OK;
}

sqt_result sqt_joint_sort(sqt_joint *sorted, uint16_t *remap, const sqt_joint *joints, uint32_t joint_count,
                          sqt_fault *fault) {
    if (!sorted) return sqt_fail(fault, SQT_ERROR_NULL, "sorted", 0, 0);
    if (!remap) return sqt_fail(fault, SQT_ERROR_NULL, "remap", 0, 0);
    if (!joints) return sqt_fail(fault, SQT_ERROR_NULL, "joints", 0, 0);
    if (joint_count == 0 || joint_count > SQT_MAX_JOINTS) return sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
    sqt_result result = check_parents_exist(joints, joint_count, "parent", fault);
    if (result) return result;

    for (uint32_t i = 0; i < joint_count; ++i) remap[i] = SQT_NO_JOINT;
    uint32_t placed_count = 0;
    for (uint32_t i = 0; i < joint_count; ++i) {
        if (remap[i] != SQT_NO_JOINT) continue;
        result = place_chain(remap, joints, i, joint_count - placed_count, placed_count, fault);
        if (result) return result;
        placed_count = remap[i] + 1u; // the joint itself is the last of its chain
    }
    for (uint32_t i = 0; i < joint_count; ++i) {
        const uint32_t parent = joints[i].parent;
        sorted[remap[i]] = joints[i];
        sorted[remap[i]].parent = parent == SQT_NO_JOINT ? SQT_NO_JOINT : remap[parent];
    }
    return SQT_OK;
}

sqt_result sqt_joint_append(sqt_joint *joints, uint32_t joint_count, uint32_t joint_capacity, const sqt_joint *other,
                            uint32_t other_count, uint32_t parent, sqt_fault *fault) {
    if (!joints) return sqt_fail(fault, SQT_ERROR_NULL, "joints", 0, 0);
    if (!other && other_count > 0) return sqt_fail(fault, SQT_ERROR_NULL, "other", 0, 0);
    const uint64_t sum = (uint64_t)joint_count + other_count;
    if (sum > SQT_MAX_JOINTS) return sqt_fail(fault, SQT_ERROR_COUNT, "other_count", 0, 0);
    if (sum > joint_capacity) return sqt_fail(fault, SQT_ERROR_SPACE, "joint_capacity", 0, 0);
    if (!is_parent(parent, joint_count)) return sqt_fail(fault, SQT_ERROR_COUNT, "parent", 0, 0);
    const sqt_result result = check_parents_exist(other, other_count, "other", fault);
    if (result) return result;

    for (uint32_t i = 0; i < other_count; ++i) {
        const uint32_t own = other[i].parent;
        joints[joint_count + i] = other[i];
        joints[joint_count + i].parent = own == SQT_NO_JOINT ? parent : joint_count + own;
    }
    return SQT_OK;
}

/// Index of the first component that is not finite (0-3 rotation, 4-6 translation, 7-9 scale), or 10.
static uint32_t first_not_finite(sqt_transform t) {
    const float components[10] = {t.rotation.x,    t.rotation.y,    t.rotation.z, t.rotation.w, t.translation.x,
                                  t.translation.y, t.translation.z, t.scale.x,    t.scale.y,    t.scale.z};
    uint32_t i = 0;
    while (i < 10 && sqt_finite(components[i])) ++i;
    return i;
}

/// inverse(global of the parent) * global of the joint, split; false where the parent's is singular or so nearly that
/// the result is too large for floats.
static bool rest_from_global(sqt_transform *rest, const sqt_mat4 *global, uint32_t joint, uint32_t parent) {
    sqt_affine local = sqt_affine_from_mat4(global[joint]);
    if (parent != SQT_NO_JOINT) {
        sqt_affine inverse;
        if (!sqt_affine_invert(&inverse, sqt_affine_from_mat4(global[parent]))) return false;
        local = sqt_affine_multiply(inverse, local);
    }
    if (!sqt_affine_fits_float(local)) return false;
    *rest = sqt_transform_from_affine(local);
    return first_not_finite(*rest) == 10; // a column can be longer than each of its elements
}

sqt_result sqt_joint_rest_from_global(sqt_joint *joints, const sqt_mat4 *global, uint32_t joint_count,
                                      sqt_fault *fault) {
    if (!joints) return sqt_fail(fault, SQT_ERROR_NULL, "joints", 0, 0);
    if (!global) return sqt_fail(fault, SQT_ERROR_NULL, "global", 0, 0);
    if (joint_count == 0 || joint_count > SQT_MAX_JOINTS) return sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
    const sqt_result result = check_parents_exist(joints, joint_count, "parent", fault);
    if (result) return result;
    for (uint32_t i = 0; i < joint_count; ++i) {
        for (uint32_t k = 0; k < 16; ++k) {
            if (!sqt_finite(global[i].m[k])) return sqt_fail(fault, SQT_ERROR_NUMBER, "global", i, k);
        }
    }
    // Worked out twice, so that an error leaves every joint untouched.
    sqt_transform rest;
    for (uint32_t i = 0; i < joint_count; ++i) {
        if (!rest_from_global(&rest, global, i, joints[i].parent)) {
            const uint32_t parent = joints[i].parent;
            return sqt_fail(fault, SQT_ERROR_NUMBER, "global", parent == SQT_NO_JOINT ? i : parent, 0);
        }
    }
    for (uint32_t i = 0; i < joint_count; ++i) {
        if (rest_from_global(&rest, global, i, joints[i].parent)) joints[i].rest = rest;
    }
    return SQT_OK;
}

// ---- Building ----

/// Bytes of a name with its terminating zero.
static size_t name_bytes(const char *name) { return name ? strlen(name) + 1 : 1; }

/// Bytes of all names; 0 where they are too many.
static uint32_t all_name_bytes(const sqt_joint *joints, uint32_t joint_count) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < joint_count; ++i) {
        bytes += name_bytes(joints[i].name);
        if (bytes > names_bytes_limit) return 0;
    }
    return (uint32_t)bytes;
}

/// The arrays of a skeleton where they lie in its memory.
typedef struct layout {
    sqt_pose_block *rest;
    uint32_t *name_hashes;
    uint32_t *name_offsets;
    uint16_t *parents;
    uint16_t *schedule;
    uint16_t *name_order;
    char *names;
} layout;

enum { ALIGNMENT = 64, BYTES_OF_A_JOINT = 2 * sizeof(uint32_t) + 3 * sizeof(uint16_t) };

static size_t layout_bytes(uint32_t joint_count, uint32_t names_bytes) {
    return ALIGNMENT - 1 + SQT_POSE_BLOCKS((size_t)joint_count) * sizeof(sqt_pose_block) +
           (size_t)joint_count * BYTES_OF_A_JOINT + names_bytes;
}

/// From the widest elements to the narrowest, so that each array is aligned as the one before it.
static layout layout_in(void *memory, uint32_t joint_count) {
    const size_t misalignment = (uintptr_t)memory % ALIGNMENT;
    unsigned char *const start = (unsigned char *)memory + (misalignment ? ALIGNMENT - misalignment : 0);
    layout l;
    l.rest = (sqt_pose_block *)(void *)start;
    l.name_hashes = (uint32_t *)(void *)(l.rest + SQT_POSE_BLOCKS(joint_count));
    l.name_offsets = l.name_hashes + joint_count;
    l.parents = (uint16_t *)(void *)(l.name_offsets + joint_count);
    l.schedule = l.parents + joint_count;
    l.name_order = l.schedule + joint_count;
    l.names = (char *)(l.name_order + joint_count);
    return l;
}

size_t sqt_skeleton_bytes(const sqt_joint *joints, uint32_t joint_count) {
    if (!joints || joint_count == 0 || joint_count > SQT_MAX_JOINTS) return 0;
    const uint32_t names_bytes = all_name_bytes(joints, joint_count);
    return names_bytes ? layout_bytes(joint_count, names_bytes) : 0;
}

static double squared_length(sqt_quat q) {
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    return x * x + y * y + z * z + w * w;
}

/// A rotation whose length is 1 to the rounding of floats is left alone: normalising again would move it by an ulp, and
/// a skeleton built from another's joints would differ from it.
static sqt_quat unit_rotation(sqt_quat q) {
    const double square = squared_length(q);
    if (fabs(square - 1.0) <= 2.5e-7) return q;
    const double length = sqrt(square);
    const sqt_quat unit = {(float)((double)q.x / length), (float)((double)q.y / length), (float)((double)q.z / length),
                           (float)((double)q.w / length)};
    return unit;
}

static sqt_result check_joint(const sqt_joint *joint, uint32_t index, uint32_t joint_count, sqt_fault *fault) {
    if (!is_parent(joint->parent, joint_count)) return sqt_fail(fault, SQT_ERROR_COUNT, "parent", index, 0);
    if (joint->parent != SQT_NO_JOINT && joint->parent >= index)
        return sqt_fail(fault, SQT_ERROR_ORDER, "parent", index, 0);
    const uint32_t element = first_not_finite(joint->rest);
    if (element < 10) return sqt_fail(fault, SQT_ERROR_NUMBER, "rest", index, element);
    // The zero of sqt_quat_normalize.
    if (squared_length(joint->rest.rotation) < 1e-30) return sqt_fail(fault, SQT_ERROR_NUMBER, "rest", index, 0);
    return SQT_OK;
}

static uint32_t hash_byte(uint32_t hash, unsigned char byte) { return (hash ^ byte) * 0x01000193u; }

/// FNV-1a over each joint's name with its zero and its parent, low byte first.
static uint32_t rig_hash_of(const char *names, const uint32_t *name_offsets, const uint16_t *parents,
                            uint32_t joint_count) {
    uint32_t hash = 0x811C9DC5u;
    for (uint32_t i = 0; i < joint_count; ++i) {
        const char *at = names + name_offsets[i];
        do { hash = hash_byte(hash, (unsigned char)*at); } while (*at++);
        hash = hash_byte(hash, (unsigned char)(parents[i] & 0xFFu));
        hash = hash_byte(hash, (unsigned char)(parents[i] >> 8));
    }
    return hash ? hash : 1;
}

static void copy_names(const layout *l, const sqt_joint *joints, uint32_t joint_count) {
    uint32_t offset = 0;
    for (uint32_t i = 0; i < joint_count; ++i) {
        const size_t bytes = name_bytes(joints[i].name);
        memcpy(l->names + offset, joints[i].name ? joints[i].name : "", bytes);
        l->name_offsets[i] = offset;
        l->name_hashes[i] = sqt_hash(l->names + offset);
        offset += (uint32_t)bytes;
    }
}

/// One round of a radix sort: stable, by the byte of the hash at `shift`.
static void sort_by_byte(uint16_t *out, const uint16_t *in, const uint32_t *hashes, uint32_t joint_count,
                         uint32_t shift) {
    uint32_t starts[257] = {0};
    for (uint32_t i = 0; i < joint_count; ++i) ++starts[(hashes[i] >> shift & 0xFFu) + 1];
    for (uint32_t k = 1; k < 256; ++k) starts[k] += starts[k - 1];
    for (uint32_t i = 0; i < joint_count; ++i) out[starts[hashes[in[i]] >> shift & 0xFFu]++] = in[i];
}

/// Four stable rounds from ascending joints leave equal hashes in the order of joints.
static void fill_name_order(uint16_t *order, uint16_t *scratch, const uint32_t *hashes, uint32_t joint_count) {
    for (uint32_t i = 0; i < joint_count; ++i) order[i] = (uint16_t)i;
    sort_by_byte(scratch, order, hashes, joint_count, 0);
    sort_by_byte(order, scratch, hashes, joint_count, 8);
    sort_by_byte(scratch, order, hashes, joint_count, 16);
    sort_by_byte(order, scratch, hashes, joint_count, 24);
}

/// A counting sort by level, roots being level 0.
///
/// @param starts [joint_count + 1] scratch.
/// @param levels [joint_count] scratch.
static void fill_schedule(uint16_t *schedule, uint32_t *starts, uint16_t *levels, const uint16_t *parents,
                          uint32_t joint_count) {
    memset(starts, 0, ((size_t)joint_count + 1) * sizeof *starts);
    for (uint32_t i = 0; i < joint_count; ++i) {
        levels[i] = parents[i] == SQT_NO_JOINT ? 0 : (uint16_t)(levels[parents[i]] + 1u);
        ++starts[levels[i] + 1u];
    }
    for (uint32_t k = 1; k < joint_count; ++k) starts[k] += starts[k - 1];
    for (uint32_t i = 0; i < joint_count; ++i) schedule[starts[levels[i]]++] = (uint16_t)i;
}

static void fill_rest(sqt_pose_block *rest, const sqt_joint *joints, uint32_t joint_count) {
    for (uint32_t i = 0; i < joint_count; ++i) {
        sqt_transform t = joints[i].rest;
        t.rotation = unit_rotation(t.rotation);
        sqt_pose_set(rest, i, t);
    }
    sqt_pose_pad(rest, joint_count);
    sqt_snap(rest->rx, SQT_POSE_BLOCKS((size_t)joint_count) * (sizeof *rest / sizeof *rest->rx));
}

sqt_result sqt_skeleton_build(sqt_skeleton *skeleton, const sqt_joint *joints, uint32_t joint_count, void *memory,
                              size_t memory_bytes, sqt_fault *fault) {
    if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
    if (!joints) return sqt_fail(fault, SQT_ERROR_NULL, "joints", 0, 0);
    if (!memory) return sqt_fail(fault, SQT_ERROR_NULL, "memory", 0, 0);
    if (joint_count == 0 || joint_count > SQT_MAX_JOINTS) return sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
    for (uint32_t i = 0; i < joint_count; ++i) {
        const sqt_result result = check_joint(&joints[i], i, joint_count, fault);
        if (result) return result;
    }
    const uint32_t names_bytes = all_name_bytes(joints, joint_count);
    if (names_bytes == 0) return sqt_fail(fault, SQT_ERROR_COUNT, "name", 0, 0);
    if (memory_bytes < layout_bytes(joint_count, names_bytes))
        return sqt_fail(fault, SQT_ERROR_SPACE, "memory_bytes", 0, 0);

    const layout l = layout_in(memory, joint_count);
    for (uint32_t i = 0; i < joint_count; ++i) l.parents[i] = (uint16_t)joints[i].parent;
    copy_names(&l, joints, joint_count);
    // The place of the rest pose, 40 bytes a joint, is scratch until it is filled last.
    uint32_t *const starts = (uint32_t *)(void *)l.rest;
    fill_schedule(l.schedule, starts, (uint16_t *)(void *)(starts + joint_count + 1), l.parents, joint_count);
    fill_name_order(l.name_order, (uint16_t *)(void *)l.rest, l.name_hashes, joint_count);
    fill_rest(l.rest, joints, joint_count);

    *skeleton = (sqt_skeleton){
        .joint_count = joint_count,
        .rig_hash = rig_hash_of(l.names, l.name_offsets, l.parents, joint_count),
        .parents = l.parents,
        .schedule = l.schedule,
        .rest = l.rest,
        .name_hashes = l.name_hashes,
        .name_order = l.name_order,
        .name_offsets = l.name_offsets,
        .names = l.names,
        .full_joint_count = joint_count,
        .names_bytes = names_bytes,
    };
    return SQT_OK;
}

// ---- Validating ----

static sqt_result check_members(const sqt_skeleton *s, sqt_fault *fault) {
    if (s->joint_count == 0 || s->joint_count > SQT_MAX_JOINTS || s->joint_count > s->full_joint_count)
        return sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
    if (s->full_joint_count > SQT_MAX_JOINTS) return sqt_fail(fault, SQT_ERROR_COUNT, "full_joint_count", 0, 0);
    if (!s->parents) return sqt_fail(fault, SQT_ERROR_NULL, "parents", 0, 0);
    if (!s->schedule) return sqt_fail(fault, SQT_ERROR_NULL, "schedule", 0, 0);
    if (!s->rest) return sqt_fail(fault, SQT_ERROR_NULL, "rest", 0, 0);
    if (!s->name_hashes) return sqt_fail(fault, SQT_ERROR_NULL, "name_hashes", 0, 0);
    if (!s->name_order) return sqt_fail(fault, SQT_ERROR_NULL, "name_order", 0, 0);
    if (!s->name_offsets) return sqt_fail(fault, SQT_ERROR_NULL, "name_offsets", 0, 0);
    if (!s->names) return sqt_fail(fault, SQT_ERROR_NULL, "names", 0, 0);
    return SQT_OK;
}

static sqt_result check_parents(const sqt_skeleton *s, sqt_fault *fault) {
    for (uint32_t i = 0; i < s->full_joint_count; ++i) {
        const uint32_t parent = s->parents[i];
        if (!is_parent(parent, s->full_joint_count)) return sqt_fail(fault, SQT_ERROR_COUNT, "parents", i, 0);
        if (parent != SQT_NO_JOINT && parent >= i) return sqt_fail(fault, SQT_ERROR_ORDER, "parents", i, 0);
    }
    return SQT_OK;
}

/// A level is the longest run that ascends and whose parents all lie in the level before. If one of their children is
/// left out, it is in no later level either, and stands where a level must begin: the schedule is refused there. So is
/// a joint that comes twice; what passes holds every joint once.
static sqt_result check_schedule(const sqt_skeleton *s, sqt_fault *fault) {
    joint_set level_before = {{0}};
    uint32_t before = 0, begin = 0;
    while (begin < s->full_joint_count) {
        uint32_t end = begin;
        while (end < s->full_joint_count) {
            const uint32_t joint = s->schedule[end];
            if (joint >= s->full_joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "schedule", end, 0);
            if (end > begin && joint <= s->schedule[end - 1]) break;
            const uint32_t parent = s->parents[joint];
            if (parent == SQT_NO_JOINT ? begin > 0 : !joint_set_has(&level_before, parent)) break;
            ++end;
        }
        if (end == begin) return sqt_fail(fault, SQT_ERROR_ORDER, "schedule", end, 0);
        for (; before < begin; ++before) joint_set_flip(&level_before, s->schedule[before]);
        for (uint32_t i = begin; i < end; ++i) joint_set_flip(&level_before, s->schedule[i]);
        begin = end;
    }
    return SQT_OK;
}

static sqt_result check_rest(const sqt_skeleton *s, sqt_fault *fault) {
    for (uint32_t i = 0; i < s->full_joint_count; ++i) {
        const sqt_transform t = sqt_pose_get(s->rest, i);
        const uint32_t element = first_not_finite(t);
        if (element < 10) return sqt_fail(fault, SQT_ERROR_NUMBER, "rest", i, element);
        if (!(fabs(sqrt(squared_length(t.rotation)) - 1.0) <= 1e-4))
            return sqt_fail(fault, SQT_ERROR_NUMBER, "rest", i, 0);
    }
    return SQT_OK;
}

/// Names together are no longer than `names`. Without this, offsets into one long name could ask for 65,535 times its
/// length of hashing.
static sqt_result check_names(const sqt_skeleton *s, sqt_fault *fault) {
    if (s->names_bytes == 0) return sqt_fail(fault, SQT_ERROR_COUNT, "names_bytes", 0, 0);
    if (s->names[s->names_bytes - 1] != 0) return sqt_fail(fault, SQT_ERROR_COUNT, "names", s->names_bytes - 1, 0);
    size_t left = s->names_bytes;
    for (uint32_t i = 0; i < s->full_joint_count; ++i) {
        if (s->name_offsets[i] >= s->names_bytes) return sqt_fail(fault, SQT_ERROR_COUNT, "name_offsets", i, 0);
        const char *const name = s->names + s->name_offsets[i];
        const size_t bytes = name_bytes(name);
        if (bytes > left) return sqt_fail(fault, SQT_ERROR_COUNT, "name_offsets", i, 0);
        left -= bytes;
        if (s->name_hashes[i] != sqt_hash(name)) return sqt_fail(fault, SQT_ERROR_RIG, "name_hashes", i, 0);
    }
    return SQT_OK;
}

/// Entries that strictly ascend by (hash, joint) are all different, so that each joint comes once.
static sqt_result check_name_order(const sqt_skeleton *s, sqt_fault *fault) {
    uint32_t last_hash = 0, last_joint = 0;
    for (uint32_t i = 0; i < s->full_joint_count; ++i) {
        const uint32_t joint = s->name_order[i];
        if (joint >= s->full_joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "name_order", i, 0);
        const uint32_t hash = s->name_hashes[joint];
        const bool ascends = hash > last_hash || (hash == last_hash && joint > last_joint);
        if (i > 0 && !ascends) return sqt_fail(fault, SQT_ERROR_ORDER, "name_order", i, 0);
        last_hash = hash;
        last_joint = joint;
    }
    return SQT_OK;
}

sqt_result sqt_skeleton_validate(const sqt_skeleton *skeleton, sqt_fault *fault) {
    if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
    sqt_result result = check_members(skeleton, fault);
    if (!result) result = check_parents(skeleton, fault);
    if (!result) result = check_schedule(skeleton, fault);
    if (!result) result = check_rest(skeleton, fault);
    if (!result) result = check_names(skeleton, fault);
    if (!result) result = check_name_order(skeleton, fault);
    if (result) return result;
    const uint32_t hash =
        rig_hash_of(skeleton->names, skeleton->name_offsets, skeleton->parents, skeleton->full_joint_count);
    return hash == skeleton->rig_hash ? SQT_OK : sqt_fail(fault, SQT_ERROR_RIG, "rig_hash", 0, 0);
}

// ---- Finding ----

static const char *name_of(const sqt_skeleton *s, uint32_t joint) { return s->names + s->name_offsets[joint]; }

/// The first place in name_order whose hash is not below a hash.
static uint32_t first_place(const sqt_skeleton *s, uint32_t hash) {
    uint32_t low = 0, high = s->full_joint_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->name_hashes[s->name_order[middle]] < hash) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/// Whether a joint is strictly below an ancestor; if not, it and those above it are marked. Many joints of one name in
/// one deep chain thus cost one walk in all.
static bool is_strictly_below(const sqt_skeleton *s, uint32_t ancestor, uint32_t joint, joint_set *outside) {
    if (joint <= ancestor) return false;
    while (joint > ancestor && joint != SQT_NO_JOINT && !joint_set_has(outside, joint)) {
        joint_set_flip(outside, joint);
        joint = s->parents[joint];
    }
    return joint == ancestor;
}

/// The first joint of a hash strictly below an ancestor, and of a name unless that is NULL.
static uint32_t find(const sqt_skeleton *s, uint32_t ancestor, uint32_t hash, const char *name) {
    joint_set outside;
    if (ancestor != SQT_NO_JOINT) memset(&outside, 0, sizeof outside);
    for (uint32_t i = first_place(s, hash); i < s->full_joint_count; ++i) {
        const uint32_t joint = s->name_order[i];
        // Equal hashes are in the order of joints: the rest is not in this level of detail either.
        if (s->name_hashes[joint] != hash || joint >= s->joint_count) break;
        const char *const own = name_of(s, joint);
        if (name ? strcmp(own, name) != 0 : own[0] == 0) continue;
        if (ancestor == SQT_NO_JOINT || is_strictly_below(s, ancestor, joint, &outside)) return joint;
    }
    return SQT_NO_JOINT;
}

uint32_t sqt_skeleton_find(const sqt_skeleton *skeleton, const char *name) {
    return sqt_skeleton_find_below(skeleton, SQT_NO_JOINT, name);
}

uint32_t sqt_skeleton_find_hash(const sqt_skeleton *skeleton, uint32_t name_hash) {
    return sqt_skeleton_find_hash_below(skeleton, SQT_NO_JOINT, name_hash);
}

uint32_t sqt_skeleton_find_below(const sqt_skeleton *skeleton, uint32_t ancestor, const char *name) {
    if (!skeleton || !name || name[0] == 0) return SQT_NO_JOINT;
    return find(skeleton, ancestor, sqt_hash(name), name);
}

uint32_t sqt_skeleton_find_hash_below(const sqt_skeleton *skeleton, uint32_t ancestor, uint32_t name_hash) {
    return skeleton ? find(skeleton, ancestor, name_hash, NULL) : SQT_NO_JOINT;
}

sqt_result sqt_skeleton_map(uint16_t *joints, const sqt_skeleton *skeleton, const char *const *names,
                            uint32_t name_count, sqt_fault *fault) {
    if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
    if (name_count == 0) return SQT_OK;
    if (!joints) return sqt_fail(fault, SQT_ERROR_NULL, "joints", 0, 0);
    if (!names) return sqt_fail(fault, SQT_ERROR_NULL, "names", 0, 0);
    for (uint32_t i = 0; i < name_count; ++i) {
        if (!names[i]) return sqt_fail(fault, SQT_ERROR_NULL, "names", i, 0);
        if (sqt_skeleton_find(skeleton, names[i]) == SQT_NO_JOINT)
            return sqt_fail(fault, SQT_ERROR_NOT_FOUND, "names", i, 0);
    }
    for (uint32_t i = 0; i < name_count; ++i) joints[i] = (uint16_t)sqt_skeleton_find(skeleton, names[i]);
    return SQT_OK;
}

// ---- Walking ----

uint32_t sqt_skeleton_child(const sqt_skeleton *skeleton, uint32_t parent, uint32_t after) {
    if (!skeleton) return SQT_NO_JOINT;
    // A child lies behind its parent, and behind the sibling before it.
    uint32_t first = parent == SQT_NO_JOINT ? 0 : parent;
    if (after != SQT_NO_JOINT && after >= first) first = after < skeleton->joint_count ? after + 1 : after;
    for (uint32_t i = first; i < skeleton->joint_count; ++i) {
        if (skeleton->parents[i] == parent) return i;
    }
    return SQT_NO_JOINT;
}

bool sqt_skeleton_is_below(const sqt_skeleton *skeleton, uint32_t ancestor, uint32_t joint) {
    if (!skeleton || joint >= skeleton->joint_count) return false;
    // Parents precede children: below the ancestor's index there is no way back to it.
    while (joint > ancestor) {
        const uint32_t parent = skeleton->parents[joint];
        if (parent >= joint) return false; // a root
        joint = parent;
    }
    return joint == ancestor;
}

sqt_joint sqt_skeleton_joint(const sqt_skeleton *skeleton, uint32_t joint) {
    sqt_joint result = {NULL, SQT_NO_JOINT, SQT_TRANSFORM_IDENTITY};
    if (!skeleton || joint >= skeleton->joint_count) return result;
    result.name = name_of(skeleton, joint);
    result.parent = skeleton->parents[joint];
    result.rest = sqt_pose_get(skeleton->rest, joint);
    return result;
}

sqt_result sqt_skeleton_rest(sqt_pose_block *pose, const sqt_skeleton *skeleton) {
    if (!pose || !skeleton) return SQT_ERROR_NULL;
    sqt_pose_copy(pose, skeleton->rest, skeleton->joint_count);
    return SQT_OK;
}
