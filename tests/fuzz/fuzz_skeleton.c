// Skeletons from files, with arrays that lie, and joints as people write them.
#include <math.h>
#include <string.h>

#include "fuzz_input.h"

/// A skeleton view over arrays of exactly the lengths that it states, each of which the input may have spoilt.
static bool hostile_skeleton(fuzz_input *in, sqt_skeleton *s) {
    if (!fuzz_skeleton(in, s)) return false;
    const uint32_t count = s->full_joint_count;
    const uint32_t spoilt = fuzz_u8(in);
    if (spoilt & 1u) fuzz_patch_u16(in, (uint16_t *)(uintptr_t)s->parents, count);
    if (spoilt & 2u) fuzz_patch_u16(in, (uint16_t *)(uintptr_t)s->schedule, count);
    if (spoilt & 4u) fuzz_patch_u16(in, (uint16_t *)(uintptr_t)s->name_order, count);
    if (spoilt & 8u) fuzz_patch_u32(in, (uint32_t *)(uintptr_t)s->name_hashes, count);
    if (spoilt & 16u) fuzz_patch_u32(in, (uint32_t *)(uintptr_t)s->name_offsets, count);
    if (spoilt & 32u) {
        const size_t floats = SQT_POSE_BLOCKS(count) * (sizeof(sqt_pose_block) / sizeof(float));
        fuzz_patch_floats(in, (float *)(uintptr_t)s->rest, floats);
    }
    if (spoilt & 64u) { // names: longer, cut off, or other bytes
        const uint32_t bytes = fuzz_below(in, s->names_bytes + 8);
        char *const names = FUZZ_ARRAY(in, char, bytes);
        memcpy(names, s->names, bytes < s->names_bytes ? bytes : s->names_bytes);
        if (bytes > s->names_bytes) memset(names + s->names_bytes, 0, bytes - s->names_bytes);
        for (uint32_t n = fuzz_u8(in) % 3; n > 0 && bytes > 0; --n) {
            const uint32_t at = fuzz_below(in, bytes);
            names[at] = (char)fuzz_u8(in);
        }
        s->names = names;
        s->names_bytes = bytes;
    }
    if (spoilt & 128u) {
        switch (fuzz_u8(in) % 12) {
        case 0:
            s->joint_count = fuzz_u32(in);
            break;
        case 1:
            s->joint_count = 0;
            break;
        case 2:
            s->joint_count = count + 1;
            break;
        case 3:
            s->rig_hash ^= fuzz_u32(in);
            break;
        case 4:
            s->parents = NULL;
            break;
        case 5:
            s->schedule = NULL;
            break;
        case 6:
            s->rest = NULL;
            break;
        case 7:
            s->name_hashes = NULL;
            break;
        case 8:
            s->name_order = NULL;
            break;
        case 9:
            s->name_offsets = NULL;
            break;
        case 10:
            s->names = NULL;
            break;
        default:
            s->full_joint_count -= fuzz_below(in, count); // arrays that are longer than they need to be
            break;
        }
    }
    return true;
}

/// Makes the hashes fit what was spoilt, so that a fault in the arrays has to be seen for itself: 32 bits of a hash would
/// keep nearly all of them from ever being looked at.
static void repair_hashes(sqt_skeleton *s) {
    uint32_t *const hashes = (uint32_t *)(uintptr_t)s->name_hashes;
    uint32_t rig_hash = sqt_hash(NULL);
    for (uint32_t i = 0; i < s->full_joint_count; ++i) {
        if (s->name_offsets[i] >= s->names_bytes) return;
        const char *name = s->names + s->name_offsets[i];
        const size_t left = s->names_bytes - s->name_offsets[i];
        if (!memchr(name, 0, left)) return;
        hashes[i] = sqt_hash(name);
        const uint8_t parent[2] = {(uint8_t)s->parents[i], (uint8_t)(s->parents[i] >> 8)};
        for (size_t k = 0; k < strlen(name) + 1; ++k) rig_hash = (rig_hash ^ (uint8_t)name[k]) * 0x01000193u;
        for (size_t k = 0; k < 2; ++k) rig_hash = (rig_hash ^ parent[k]) * 0x01000193u;
    }
    s->rig_hash = rig_hash ? rig_hash : 1;
}

/// Makes the schedule fit the parents, level by level, wherever these lie.
static void repair_schedule(fuzz_input *in, sqt_skeleton *s) {
    const uint32_t count = s->full_joint_count;
    uint16_t *const schedule = (uint16_t *)(uintptr_t)s->schedule;
    uint16_t *const levels = FUZZ_ARRAY(in, uint16_t, count); // 0xFFFF: none yet
    uint32_t placed = 0;
    for (uint32_t level = 0, before = 1; before != placed; ++level) {
        before = placed;
        for (uint32_t j = 0; j < count; ++j) {
            const uint32_t parent = s->parents[j];
            const bool is_root = parent == SQT_NO_JOINT;
            if (is_root ? level != 0 : level == 0 || parent >= count || levels[parent] != level - 1) continue;
            if (levels[j] != 0xFFFF) continue;
            levels[j] = (uint16_t)level;
            schedule[placed++] = (uint16_t)j;
        }
    }
}

static uint32_t count_children(const sqt_skeleton *s, uint32_t parent) {
    uint32_t children = 0, last = 0;
    for (uint32_t c = sqt_skeleton_child(s, parent, SQT_NO_JOINT); c != SQT_NO_JOINT;
         c = sqt_skeleton_child(s, parent, c)) {
        FUZZ_REQUIRE(c < s->joint_count && s->parents[c] == parent);
        FUZZ_REQUIRE(children == 0 || c > last);
        last = c;
        ++children;
    }
    return children;
}

/// Children and siblings reach every joint once.
static void check_walk(const sqt_skeleton *s) {
    uint32_t reached = count_children(s, SQT_NO_JOINT);
    for (uint32_t j = 0; j < s->joint_count; ++j) reached += count_children(s, j);
    FUZZ_REQUIRE(reached == s->joint_count);
}

static void check_find(fuzz_input *in, const sqt_skeleton *s) {
    const uint32_t ancestor = fuzz_u8(in) & 1u ? fuzz_u32(in) % (s->joint_count + 1) : fuzz_u32(in);
    const uint32_t step = s->joint_count / 16 + 1; // enough of them
    for (uint32_t j = 0; j < s->joint_count; j += step) {
        const sqt_joint joint = sqt_skeleton_joint(s, j);
        FUZZ_REQUIRE(joint.name != NULL);
        const uint32_t first = sqt_skeleton_find(s, joint.name);
        const uint32_t below = sqt_skeleton_find_below(s, ancestor, joint.name);
        const uint32_t hashed = sqt_skeleton_find_hash(s, sqt_hash(joint.name));
        if (joint.name[0] == '\0') {
            FUZZ_REQUIRE(first == SQT_NO_JOINT && below == SQT_NO_JOINT);
            continue;
        }
        FUZZ_REQUIRE(first <= j && strcmp(sqt_skeleton_joint(s, first).name, joint.name) == 0);
        FUZZ_REQUIRE(hashed <= first);
        if (below != SQT_NO_JOINT) {
            FUZZ_REQUIRE(below < s->joint_count && strcmp(sqt_skeleton_joint(s, below).name, joint.name) == 0);
            FUZZ_REQUIRE(ancestor == SQT_NO_JOINT || (below != ancestor && sqt_skeleton_is_below(s, ancestor, below)));
        } else {
            FUZZ_REQUIRE(j == ancestor || !sqt_skeleton_is_below(s, ancestor, j));
        }
        const uint32_t hashed_below = sqt_skeleton_find_hash_below(s, ancestor, sqt_hash(joint.name));
        FUZZ_REQUIRE(hashed_below == SQT_NO_JOINT || hashed_below < s->joint_count);
        FUZZ_REQUIRE(below == SQT_NO_JOINT || hashed_below <= below);
    }
    const uint32_t any = sqt_skeleton_find_hash(s, fuzz_u32(in));
    FUZZ_REQUIRE(any == SQT_NO_JOINT || any < s->joint_count);
    FUZZ_REQUIRE(!sqt_skeleton_is_below(s, fuzz_u32(in), s->joint_count));
}

static void check_map(fuzz_input *in, const sqt_skeleton *s) {
    const uint32_t count = fuzz_u8(in) % 8;
    const char **const names = FUZZ_ARRAY(in, const char *, count);
    uint16_t *const joints = FUZZ_ARRAY(in, uint16_t, count);
    for (uint32_t i = 0; i < count; ++i) {
        names[i] = fuzz_rarely(in) ? "liquid" : sqt_skeleton_joint(s, fuzz_below(in, s->joint_count)).name;
    }
    sqt_fault fault;
    const sqt_result result = sqt_skeleton_map(joints, s, names, count, &fault);
    if (result == SQT_OK) {
        for (uint32_t i = 0; i < count; ++i) FUZZ_REQUIRE(joints[i] < s->joint_count);
    } else {
        FUZZ_REQUIRE(result == SQT_ERROR_NOT_FOUND && fault.index < count);
        for (uint32_t i = 0; i < count; ++i) FUZZ_REQUIRE(joints[i] == 0xFFFF);
    }
}

/// What is accepted can be taken apart and built again: the same rig.
static void check_rebuild(fuzz_input *in, const sqt_skeleton *s) {
    sqt_joint *const joints = FUZZ_ARRAY(in, sqt_joint, s->joint_count);
    for (uint32_t j = 0; j < s->joint_count; ++j) joints[j] = sqt_skeleton_joint(s, j);
    const size_t bytes = sqt_skeleton_bytes(joints, s->joint_count);
    void *const memory = fuzz_shifted_block(in, bytes, fuzz_u8(in) % 64);
    sqt_skeleton built;
    FUZZ_REQUIRE(sqt_skeleton_build(&built, joints, s->joint_count, memory, bytes, NULL) == SQT_OK);
    FUZZ_REQUIRE(sqt_skeleton_validate(&built, NULL) == SQT_OK);
    FUZZ_REQUIRE(s->joint_count < s->full_joint_count || built.rig_hash == s->rig_hash);
}

static void play(fuzz_input *in, const sqt_skeleton *s) {
    if (s->joint_count <= 48) check_walk(s);
    check_find(in, s);
    check_map(in, s);
    check_rebuild(in, s);
    sqt_pose_block *const pose = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(s->joint_count));
    FUZZ_REQUIRE(sqt_skeleton_rest(pose, s) == SQT_OK);
    fuzz_check_pose(pose, s->joint_count, 1.01e-4, true);
    fuzz_play_pose(in, s, pose, 1.01e-4);
}

static void play_hostile_skeleton(fuzz_input *in) {
    sqt_skeleton skeleton;
    if (!hostile_skeleton(in, &skeleton)) return;
    const uint32_t repair = fuzz_u8(in);
    const bool has_hashed = skeleton.names && skeleton.name_offsets && skeleton.name_hashes && skeleton.parents;
    if (repair & 16u && skeleton.schedule && skeleton.parents) repair_schedule(in, &skeleton);
    if (repair % 4 && has_hashed) repair_hashes(&skeleton);
    sqt_fault fault = {0};
    if (sqt_skeleton_validate(&skeleton, &fault)) {
        FUZZ_REQUIRE(fault.field != NULL);
        return;
    }
    for (uint32_t j = 0; j < skeleton.full_joint_count; ++j) {
        FUZZ_REQUIRE(skeleton.parents[j] == SQT_NO_JOINT || skeleton.parents[j] < j);
    }
    fuzz_cap_isa(in);
    play(in, &skeleton);
    const sqt_skeleton level = fuzz_level_of_detail(in, &skeleton);
    if (level.joint_count == skeleton.joint_count) return;
    FUZZ_REQUIRE(sqt_skeleton_validate(&level, NULL) == SQT_OK);
    play(in, &level);
}

/// A permutation that puts parents first and joins what it renumbered to the same parents.
static void check_sorted(fuzz_input *in, const sqt_joint *sorted, const uint16_t *remap, const sqt_joint *joints,
                         uint32_t count) {
    uint8_t *const seen = FUZZ_ARRAY(in, uint8_t, count);
    memset(seen, 0, count);
    for (uint32_t i = 0; i < count; ++i) {
        FUZZ_REQUIRE(remap[i] < count && !seen[remap[i]]);
        seen[remap[i]] = 1;
        const uint32_t parent = joints[i].parent, moved = sorted[remap[i]].parent;
        FUZZ_REQUIRE(moved == (parent == SQT_NO_JOINT ? SQT_NO_JOINT : remap[parent]));
        FUZZ_REQUIRE(moved == SQT_NO_JOINT || moved < remap[i]);
    }
}

static void play_joints(fuzz_input *in) {
    const uint32_t count = fuzz_count(in, 20, 140), other_count = fuzz_u8(in) % 8;
    const uint32_t capacity = count + other_count;
    const sqt_joint *const joints = fuzz_joints(in, count, true);
    sqt_joint *const sorted = FUZZ_ARRAY(in, sqt_joint, count);
    uint16_t *const remap = FUZZ_ARRAY(in, uint16_t, count);
    if (sqt_joint_sort(sorted, remap, joints, count, NULL)) return;
    check_sorted(in, sorted, remap, joints, count);

    sqt_joint *const joined = FUZZ_ARRAY(in, sqt_joint, capacity);
    memcpy(joined, sorted, count * sizeof *joined);
    const sqt_joint *const other = fuzz_joints(in, other_count, true);
    const uint32_t below = fuzz_rarely(in) ? fuzz_u32(in) : fuzz_below(in, count);
    const uint32_t room = fuzz_rarely(in) ? fuzz_below(in, capacity + 1) : capacity;
    const bool is_joined = sqt_joint_append(joined, count, room, other, other_count, below, NULL) == SQT_OK;
    const uint32_t joined_count = is_joined ? capacity : count;

    sqt_mat4 *const global = FUZZ_ARRAY(in, sqt_mat4, joined_count);
    const uint32_t kind = fuzz_u8(in) % FUZZ_KINDS;
    fuzz_seed(in);
    for (uint32_t j = 0; j < joined_count; ++j) {
        for (uint32_t i = 0; i < 16; ++i) global[j].m[i] = fuzz_random_float(in, kind);
    }
    fuzz_patch_floats(in, global->m, (size_t)16 * joined_count);
    if (fuzz_u8(in) & 1u && sqt_joint_rest_from_global(joined, global, joined_count, NULL) == SQT_OK) {
        for (uint32_t j = 0; j < joined_count; ++j) {
            FUZZ_REQUIRE(fuzz_is_finite(&joined[j].rest.rotation.x, sizeof(sqt_transform) / sizeof(float)));
        }
    }
    sqt_joint *const again = FUZZ_ARRAY(in, sqt_joint, joined_count);
    uint16_t *const remap_again = FUZZ_ARRAY(in, uint16_t, joined_count);
    if (sqt_joint_sort(again, remap_again, joined, joined_count, NULL)) return; // `other` may hold a cycle

    const size_t bytes = sqt_skeleton_bytes(again, joined_count);
    const bool is_short = fuzz_rarely(in);
    void *const memory = fuzz_block(in, bytes - is_short);
    sqt_skeleton skeleton;
    const sqt_result built = sqt_skeleton_build(&skeleton, again, joined_count, memory, bytes - is_short, NULL);
    FUZZ_REQUIRE(built != SQT_OK || !is_short);
    if (built) return;
    FUZZ_REQUIRE(sqt_skeleton_validate(&skeleton, NULL) == SQT_OK);
    play(in, &skeleton);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    fuzz_input in = fuzz_begin(data, bytes);
    if (fuzz_u8(&in) & 1u) {
        play_joints(&in);
    } else {
        play_hostile_skeleton(&in);
    }
    fuzz_end(&in);
    return 0;
}
