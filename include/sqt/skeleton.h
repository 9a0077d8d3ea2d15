/// @file skeleton.h
/// The joint hierarchy: what people write (sqt_joint) and what the runtime reads (sqt_skeleton).
///
///     static const sqt_joint arm[] = {
///         {"shoulder", SQT_NO_JOINT, SQT_TRANSFORM_IDENTITY},
///         {"elbow", 0, {{0, 0, 0, 1}, {0, 0.3f, 0}, {1, 1, 1}}},
///     };
///     static char memory[1024]; // yours, for as long as the skeleton is used: at least sqt_skeleton_bytes(arm, 2)
///     sqt_skeleton skeleton;
///     sqt_fault fault;
///     if (sqt_skeleton_build(&skeleton, arm, 2, memory, sizeof memory, &fault)) { ... }
#ifndef SQT_SKELETON_H
#define SQT_SKELETON_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A joint as people write it: one static array is a skeleton's source.
typedef struct sqt_joint {
    const char *name;   ///< NULL or "": a joint without a name, never found by one. Names may repeat.
    uint32_t parent;    ///< index into the same array; SQT_NO_JOINT: a root
    sqt_transform rest; ///< rest pose, joint -> parent. Beware: a scale left out of an initialiser is zero.
} sqt_joint;

/// A skeleton as the runtime reads it: a view into memory of the caller, filled by sqt_skeleton_build or by a file's
/// loader. A copy with a lower joint_count is a level of detail: the same rig without its last joints. Nothing then names
/// or returns a joint at or above joint_count; a loop over `schedule` skips those.
typedef struct sqt_skeleton {
    uint32_t joint_count;         ///< 1..SQT_MAX_JOINTS
    uint32_t rig_hash;            ///< names and parents in storage order; never 0. A level of detail keeps it.
    const uint16_t *parents;      ///< [full_joint_count] below the joint's own index; SQT_NO_JOINT: a root
    const uint16_t *schedule;     ///< [full_joint_count] every joint once, level by level from the roots, ascending
                                  ///< within a level
    const sqt_pose_block *rest;   ///< [SQT_POSE_BLOCKS(full_joint_count)] rest pose
    const uint32_t *name_hashes;  ///< [full_joint_count] sqt_hash of the name
    const uint16_t *name_order;   ///< [full_joint_count] every joint once, ascending by hash, then by joint
    const uint32_t *name_offsets; ///< [full_joint_count] start of the name in `names`
    const char *names;            ///< zero-terminated names, together no longer than names_bytes
    uint32_t full_joint_count;    ///< length of the arrays: joint_count, unless this is a level of detail
    uint32_t names_bytes;         ///< length of `names`
} sqt_skeleton;

/// Sorts joints parents first, for importers whose source has any order. Joints that are already in order stay in
/// order.
///
/// @param sorted [joint_count] out, parents renumbered; must not overlap joints.
/// @param remap  [joint_count] out, remap[old index] = new index; content unspecified after an error.
/// @param joints [joint_count] parents anywhere in the array.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (joint_count 0 or above SQT_MAX_JOINTS, or a parent that is no
///         joint), SQT_ERROR_ORDER (a cycle); the fault is "parent" at the joint.
SQT_NODISCARD sqt_result sqt_joint_sort(sqt_joint *sorted, uint16_t *remap, const sqt_joint *joints,
                                        uint32_t joint_count, sqt_fault *fault);

/// Appends a second array of joints below one of the first (modular gear: a coat, a weapon, a tail). Joint i of `other`
/// becomes joint joint_count + i; its roots become children of `parent`; everything else keeps its shape. Build a skeleton
/// from the joined array. Clips of the first skeleton play on the joined one with rig_hash 0 and their joints listed.
///
/// @param joints         [joint_capacity] in: joint_count joints; out: joint_count + other_count.
/// @param joint_count    joints in the first array.
/// @param joint_capacity room in the first array.
/// @param other          [other_count] joints, parents first or not; must not overlap joints.
/// @param parent         below joint_count; SQT_NO_JOINT keeps the roots of `other` as roots.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_SPACE (above joint_capacity), SQT_ERROR_COUNT (the sum above SQT_MAX_JOINTS;
///         "parent": the argument; "other": fault.index is the joint whose parent is no joint).
SQT_NODISCARD sqt_result sqt_joint_append(sqt_joint *joints, uint32_t joint_count, uint32_t joint_capacity,
                                          const sqt_joint *other, uint32_t other_count, uint32_t parent,
                                          sqt_fault *fault);

/// Sets every rest transform from global (world) matrices: rest = decompose(inverse(global of the parent) * global of
/// the joint). For exporters that write world matrices only. Shear is dropped (sqt_transform_from_mat4).
///
/// @param joints [joint_count] in: parents, in any order; out: rest. On error untouched.
/// @param global [joint_count] joint -> world.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (count or "parent"), SQT_ERROR_NUMBER ("global": not finite, or the
///         parent's is singular).
SQT_NODISCARD sqt_result sqt_joint_rest_from_global(sqt_joint *joints, const sqt_mat4 *global, uint32_t joint_count,
                                                    sqt_fault *fault);

/// Bytes of memory that sqt_skeleton_build needs for these joints; 0 where joints is NULL or joint_count is 0 or too
/// large. That is a pose, 14 bytes a joint and its name, and 63 for alignment: a skeleton of one joint takes about 730
/// bytes, for a pose has blocks of 16.
size_t sqt_skeleton_bytes(const sqt_joint *joints, uint32_t joint_count);

/// Builds a skeleton in the caller's memory. Names are copied; rest rotations are normalised; tiny values are snapped
/// (sqt_snap). Everything is checked before the first byte is written, so that a failed build leaves a skeleton that lives
/// in `memory` as it was. The memory can be moved to another address by building anew, not by copying.
///
/// @param skeleton     out.
/// @param joints       [joint_count] parents first (sqt_joint_sort), all numbers finite, rotations not zero.
/// @param joint_count  1..SQT_MAX_JOINTS.
/// @param memory       any alignment; kept by the skeleton. The joints' names must not lie in it.
/// @param memory_bytes at least sqt_skeleton_bytes(joints, joint_count).
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (joint_count, or "parent": no such joint), SQT_ERROR_ORDER ("parent"
///         at or after its child), SQT_ERROR_NUMBER ("rest"; element 0-3 rotation, 4-6 translation, 7-9 scale),
///         SQT_ERROR_SPACE.
SQT_NODISCARD sqt_result sqt_skeleton_build(sqt_skeleton *skeleton, const sqt_joint *joints, uint32_t joint_count,
                                            void *memory, size_t memory_bytes, sqt_fault *fault);

/// Checks a skeleton that came from elsewhere (a file): everything that its comments promise. The arrays must have the
/// lengths that full_joint_count and names_bytes state.
///
/// @return SQT_OK, or the error with the field's name: SQT_ERROR_NULL, SQT_ERROR_COUNT, SQT_ERROR_ORDER ("parents",
///         "schedule", "name_order"), SQT_ERROR_NUMBER ("rest": not finite, or a rotation whose length is off 1 by more
///         than 1e-4), SQT_ERROR_RIG ("rig_hash", "name_hashes" that are not those of the names).
SQT_NODISCARD sqt_result sqt_skeleton_validate(const sqt_skeleton *skeleton, sqt_fault *fault);

/// Maps names to joints in one call, the first joint of each name.
///
/// @param joints [name_count] out; on error nothing is written.
/// @param names  [name_count] none NULL.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_NOT_FOUND (fault.index is the first name that is missing).
SQT_NODISCARD sqt_result sqt_skeleton_map(uint16_t *joints, const sqt_skeleton *skeleton, const char *const *names,
                                          uint32_t name_count, sqt_fault *fault);

/// The first joint of a name, or SQT_NO_JOINT. O(log joint_count). NULL and "" are never found.
uint32_t sqt_skeleton_find(const sqt_skeleton *skeleton, const char *name);

/// The first joint whose name has this hash, or SQT_NO_JOINT.
uint32_t sqt_skeleton_find_hash(const sqt_skeleton *skeleton, uint32_t name_hash);

/// The first joint of a name strictly below an ancestor (names may repeat: two hands with a "thumb"), or SQT_NO_JOINT.
/// ancestor SQT_NO_JOINT searches everything.
uint32_t sqt_skeleton_find_below(const sqt_skeleton *skeleton, uint32_t ancestor, const char *name);
uint32_t sqt_skeleton_find_hash_below(const sqt_skeleton *skeleton, uint32_t ancestor, uint32_t name_hash);

/// The next child of `parent` after the joint `after`, or SQT_NO_JOINT. Children and siblings by one function:
///
///     for (uint32_t c = sqt_skeleton_child(s, p, SQT_NO_JOINT); c != SQT_NO_JOINT; c = sqt_skeleton_child(s, p, c))
///
/// @param parent SQT_NO_JOINT goes through the roots.
/// @param after  SQT_NO_JOINT begins.
uint32_t sqt_skeleton_child(const sqt_skeleton *skeleton, uint32_t parent, uint32_t after);

/// True where `joint` is `ancestor` or below it. False for joints out of range.
bool sqt_skeleton_is_below(const sqt_skeleton *skeleton, uint32_t ancestor, uint32_t joint);

/// A joint as people write it, to edit, append to and build anew. The name points into the skeleton. A joint out of
/// range gives {NULL, SQT_NO_JOINT, identity}.
sqt_joint sqt_skeleton_joint(const sqt_skeleton *skeleton, uint32_t joint);

/// Sets a pose to the rest pose.
///
/// @param pose [SQT_POSE_BLOCKS(joint_count)] out.
/// @return SQT_OK or SQT_ERROR_NULL.
sqt_result sqt_skeleton_rest(sqt_pose_block *pose, const sqt_skeleton *skeleton);

#ifdef __cplusplus
}
#endif

#endif
