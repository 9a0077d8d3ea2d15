#include "simd/isa.h"

#include "sqt/global.h"

#include "simd/kernels.h"
#include "sqt/skin.h"

#include <string.h>

enum { JOINT_BITS_WORDS = (SQT_MAX_JOINTS + 31) / 32, SLOT_BYTES = 12 * SQT_MOST_LANES * sizeof(float) };

/// A bit a joint.
typedef struct joint_bits {
    uint32_t words[JOINT_BITS_WORDS];
} joint_bits;

static bool bit_is_set(const joint_bits *bits, uint32_t joint) { return bits->words[joint / 32] >> joint % 32 & 1u; }
static void set_bit(joint_bits *bits, uint32_t joint) { bits->words[joint / 32] |= 1u << joint % 32; }

/// The most global poses that are wanted at one time, when joints are visited in storage order.
static uint32_t most_slots(const sqt_skeleton *skeleton) {
    const uint32_t joint_count = skeleton->joint_count;
    joint_bits parents, last_children;
    memset(parents.words, 0, (joint_count + 31) / 32 * sizeof *parents.words);
    memset(last_children.words, 0, (joint_count + 31) / 32 * sizeof *last_children.words);
    for (uint32_t j = joint_count; j-- > 0;) {
        const uint32_t parent = skeleton->parents[j];
        if (parent == SQT_NO_JOINT || bit_is_set(&parents, parent)) continue;
        set_bit(&parents, parent);
        set_bit(&last_children, j);
    }
    uint32_t live = 0, most = 0;
    for (uint32_t j = 0; j < joint_count; ++j) {
        if (bit_is_set(&last_children, j)) --live;
        if (bit_is_set(&parents, j) && ++live > most) most = live;
    }
    return most;
}

/// Where everything lies in the caller's memory, from its first address that is a multiple of 64 on.
typedef struct many_layout {
    size_t free_slots, next_entries, slots; ///< the steps are at 0; in place of the slots, one global pose
} many_layout;

enum { MANY_ALIGNMENT = 64 };

static size_t round_up(size_t bytes) { return (bytes + MANY_ALIGNMENT - 1) / MANY_ALIGNMENT * MANY_ALIGNMENT; }

static many_layout lay_out(const sqt_skeleton *skeleton, const sqt_skin *skin) {
    const size_t joint_count = skeleton->joint_count;
    many_layout at;
    at.free_slots = joint_count * sizeof(sqt_many_step);
    at.next_entries = at.free_slots + joint_count * sizeof(uint16_t);
    at.slots = round_up(at.next_entries + (skin && skin->joints ? skin->joint_count * sizeof(uint16_t) : 0));
    return at;
}

static size_t many_bytes(const sqt_skeleton *skeleton, const sqt_skin *skin, uint32_t slot_count) {
    const size_t together = slot_count * (size_t)SLOT_BYTES, one = skeleton->joint_count * sizeof(sqt_mat4);
    return lay_out(skeleton, skin).slots + (together > one ? together : one) + MANY_ALIGNMENT - 1;
}

size_t sqt_global_many_bytes(const sqt_skeleton *skeleton, const sqt_skin *skin) {
    if (!skeleton || skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return 0;
    return many_bytes(skeleton, skin, most_slots(skeleton));
}

/// The palette entries of each joint. `next_entries` is for a skin that lists its joints.
static void make_entries(sqt_many_step *steps, uint16_t *next_entries, const sqt_skin *skin) {
    for (uint32_t k = skin->joint_count; k-- > 0;) {
        const uint32_t joint = skin->joints ? skin->joints[k] : k;
        if (skin->joints) next_entries[k] = steps[joint].entry;
        steps[joint].entry = (uint16_t)k;
    }
}

/// Slots are taken and given back in storage order, so that those in use stay in the nearest cache. Returns how many
/// there are.
static uint32_t make_steps(sqt_many_step *steps, uint16_t *free_slots, const sqt_skeleton *skeleton) {
    const uint32_t joint_count = skeleton->joint_count;
    const uint16_t *const parents = skeleton->parents;
    for (uint32_t j = 0; j < joint_count; ++j) {
        steps[j].entry = steps[j].last_child = SQT_NO_JOINT;
        if (parents[j] != SQT_NO_JOINT) steps[parents[j]].last_child = (uint16_t)j;
    }
    uint32_t free_count = 0, used = 0, previous = SQT_NO_JOINT;
    for (uint32_t j = 0; j < joint_count; ++j) {
        const uint32_t parent = parents[j];
        uint32_t above = SQT_NO_JOINT, slot = SQT_NO_JOINT;
        bool last = false; // of its parent's children
        if (parent != SQT_NO_JOINT) {
            above = parent + 1 == j ? previous : steps[parent].slot; // without a wait for what was just stored
            last = steps[parent].last_child == j;
        }
        if (steps[j].last_child != SQT_NO_JOINT) {
            slot = last ? above : free_count > 0 ? free_slots[--free_count] : used++;
        } else if (last) {
            free_slots[free_count++] = (uint16_t)above;
        }
        steps[j].above = (uint16_t)above;
        steps[j].slot = (uint16_t)slot;
        previous = slot;
    }
    return used;
}

static bool alike(const sqt_global_character *a, const sqt_global_character *b) {
    return !a->root == !b->root && !a->model_to_world == !b->model_to_world && !a->global == !b->global &&
           !a->palette == !b->palette && !a->palette_3x4 == !b->palette_3x4;
}

/// The first `lanes` characters, or all and the last one again. False where they do not go together.
static bool fill_lanes(sqt_many_job *job, const sqt_global_character *characters, uint32_t character_count,
                       uint32_t lanes) {
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        const sqt_global_character *const c = characters + (lane < character_count ? lane : character_count - 1);
        if (!alike(c, characters)) return false;
        job->locals[lane] = c->local;
        job->roots[lane] = c->root;
        job->worlds[lane] = c->model_to_world;
        job->globals[lane] = (float *)c->global;
        job->palettes[lane] = (float *)c->palette;
        job->palettes_3x4[lane] = (float *)c->palette_3x4;
    }
    return true;
}

static void global_one(const sqt_kernels *kernels, const sqt_global_character *c, const sqt_skeleton *skeleton,
                       const sqt_skin *skin, sqt_mat4 *scratch) {
    sqt_mat4 *const global = c->global ? c->global : scratch;
    kernels->global(global, skeleton->parents, skeleton->schedule, c->local, c->root, skeleton->joint_count);
    if (c->palette) {
        kernels->palette(c->palette, skin->joints, skin->inverse_bind, global, c->model_to_world, skin->joint_count);
    }
    if (c->palette_3x4) {
        kernels->palette_3x4(c->palette_3x4, skin->joints, skin->inverse_bind, global, c->model_to_world,
                             skin->joint_count);
    }
}

/// A set whose lanes so many characters fill well enough; NULL: one at a time is faster.
static const sqt_kernels *set_for(const sqt_kernels *kernels, uint32_t character_count) {
    if (4 * (uint64_t)character_count >= 3 * (uint64_t)kernels->lanes) return kernels->lanes > 1 ? kernels : NULL;
    return kernels->lanes > 8 ? set_for(sqt_kernels_avx2(), character_count) : NULL;
}

static sqt_result check_many(const sqt_global_character *characters, const sqt_skeleton *skeleton, const sqt_skin *skin,
                             uint32_t character_count, const void *memory) {
    if (!memory || !skeleton || !characters) return SQT_ERROR_NULL;
    if (skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    if (skin && skin->rig_hash != 0 && skin->rig_hash != skeleton->rig_hash) return SQT_ERROR_RIG;
    if (skin && skin->joint_limit > skeleton->joint_count) return SQT_ERROR_COUNT;
    if (skin && !skin->joints && skin->joint_count > skin->joint_limit) return SQT_ERROR_COUNT;
    for (uint32_t i = 0; i < character_count; ++i) {
        const bool palette = characters[i].palette || characters[i].palette_3x4;
        if (!characters[i].local || (palette && !skin)) return SQT_ERROR_NULL;
    }
    return SQT_OK;
}

sqt_result sqt_global_many(const sqt_global_character *characters, const sqt_skeleton *skeleton, const sqt_skin *skin,
                           uint32_t character_count, void *memory, size_t memory_bytes) {
    if (character_count == 0) return SQT_OK;
    const sqt_result result = check_many(characters, skeleton, skin, character_count, memory);
    if (result) return result;
    if (memory_bytes < many_bytes(skeleton, skin, 0)) return SQT_ERROR_SPACE;
    const many_layout at = lay_out(skeleton, skin);
    char *const base = (char *)memory + (MANY_ALIGNMENT - (uintptr_t)memory % MANY_ALIGNMENT) % MANY_ALIGNMENT;
    sqt_many_step *const steps = (sqt_many_step *)base;
    uint16_t *const next_entries = skin && skin->joints ? (uint16_t *)(base + at.next_entries) : NULL;
    const uint32_t slot_count = make_steps(steps, (uint16_t *)(base + at.free_slots), skeleton);
    if (memory_bytes < many_bytes(skeleton, skin, slot_count)) return SQT_ERROR_SPACE;
    if (skin) make_entries(steps, next_entries, skin);
    sqt_many_job job = {.steps = steps,
                        .next_entries = next_entries,
                        .inverse_bind = skin ? skin->inverse_bind : NULL,
                        .slots = (float *)(base + at.slots),
                        .joint_count = skeleton->joint_count};
    const sqt_kernels *const kernels = sqt_kernels_current();
    for (uint32_t first = 0, count; first < character_count; first += count) {
        const uint32_t left = character_count - first;
        const sqt_kernels *const set = set_for(kernels, left);
        count = !set || left < set->lanes ? left : set->lanes;
        if (set && fill_lanes(&job, characters + first, count, set->lanes)) {
            set->global_many(&job);
        } else {
            for (uint32_t i = 0; i < count; ++i) {
                global_one(kernels, characters + first + i, skeleton, skin, (sqt_mat4 *)(base + at.slots));
            }
        }
    }
    return SQT_OK;
}
