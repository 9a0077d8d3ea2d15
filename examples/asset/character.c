#include "character_parts.h"

#include <string.h>

#define AT(x, y, z)                                         \
    {                                                       \
        {0, 0, 0, 1}, {(x), (y), (z)}, { 1.0f, 1.0f, 1.0f } \
    }
// 40 degrees about z: sine and cosine of 20.
#define ARM_AT(x, y, z, sine)                                              \
    {                                                                      \
        {0, 0, (sine), 0.93969262f}, {(x), (y), (z)}, { 1.0f, 1.0f, 1.0f } \
    }

// Heights of the joints are those of an average body: knee 0.285, hip 0.53, shoulder 0.82 of 1.75 m.
// Source: Winter, "Biomechanics and Motor Control of Human Movement", table of segment lengths (after Drillis and
// Contini).
const sqt_joint character_rig[JOINT_COUNT] = {
    {"root", SQT_NO_JOINT, AT(0, 0, 0)},
    {"pelvis", ROOT, AT(0, 0.97f, 0)},
    {"spine_1", PELVIS, AT(0, 0.09f, 0)},
    {"spine_2", SPINE_1, AT(0, 0.12f, -0.005f)},
    {"spine_3", SPINE_2, AT(0, 0.12f, -0.01f)},
    {"neck", SPINE_3, AT(0, 0.175f, -0.005f)},
    {"head", NECK, AT(0, 0.09f, 0.015f)},

    {"clavicle.l", SPINE_3, AT(0.03f, 0.125f, 0.01f)},
    {"upper_arm.l", CLAVICLE, ARM_AT(0.15f, 0.005f, -0.015f, 0.34202014f)},
    {"forearm.l", UPPER_ARM, AT(0, -0.29f, 0)},
    {"forearm_twist.l", FOREARM, AT(0, -0.13f, 0)},
    {"hand.l", FOREARM_TWIST, AT(0, -0.12f, 0)},
    {"fingers.l", HAND, AT(0, -0.085f, 0)},
    {"thumb.l", HAND, AT(0, -0.03f, 0.03f)},
    {"thigh.l", PELVIS, AT(0.092f, -0.04f, 0)},
    {"shin.l", THIGH, AT(0, -0.43f, 0)},
    {"foot.l", SHIN, AT(0, -0.43f, 0)},
    {"toes.l", FOOT, AT(0, -0.045f, 0.13f)},

    {"clavicle.r", SPINE_3, AT(-0.03f, 0.125f, 0.01f)},
    {"upper_arm.r", CLAVICLE + RIGHT, ARM_AT(-0.15f, 0.005f, -0.015f, -0.34202014f)},
    {"forearm.r", UPPER_ARM + RIGHT, AT(0, -0.29f, 0)},
    {"forearm_twist.r", FOREARM + RIGHT, AT(0, -0.13f, 0)},
    {"hand.r", FOREARM_TWIST + RIGHT, AT(0, -0.12f, 0)},
    {"fingers.r", HAND + RIGHT, AT(0, -0.085f, 0)},
    {"thumb.r", HAND + RIGHT, AT(0, -0.03f, 0.03f)},
    {"thigh.r", PELVIS, AT(-0.092f, -0.04f, 0)},
    {"shin.r", THIGH + RIGHT, AT(0, -0.43f, 0)},
    {"foot.r", SHIN + RIGHT, AT(0, -0.43f, 0)},
    {"toes.r", FOOT + RIGHT, AT(0, -0.045f, 0.13f)},
};

sqt_transform character_rest(uint32_t joint) {
    sqt_transform global = character_rig[joint].rest;
    for (uint32_t p = character_rig[joint].parent; p != SQT_NO_JOINT; p = character_rig[p].parent)
        global = sqt_transform_multiply(character_rig[p].rest, global);
    return global;
}

static bool skeleton_make(asset *a) {
    const size_t bytes = sqt_skeleton_bytes(character_rig, JOINT_COUNT);
    void *const memory = asset_alloc(a, 1, bytes);
    a->nodes = asset_alloc(a, JOINT_COUNT, sizeof *a->nodes);
    if (!memory || !a->nodes) return false;
    a->node_count = JOINT_COUNT;
    for (uint32_t j = 0; j < JOINT_COUNT; ++j) {
        const asset_node node = {character_rig[j].name, character_rig[j].parent, (uint16_t)j};
        a->nodes[j] = node;
    }
    return sqt_skeleton_build(&a->skeleton, character_rig, JOINT_COUNT, memory, bytes, NULL) == SQT_OK;
}

// The mesh was shaped around the rest pose, so the rest pose is the bind pose.
static bool skin_make(asset *a) {
    sqt_mat4 *const inverse_bind = asset_alloc(a, JOINT_COUNT, sizeof *inverse_bind);
    uint32_t *const nodes = asset_alloc(a, JOINT_COUNT, sizeof *nodes);
    a->skins = asset_alloc(a, 1, sizeof *a->skins);
    if (!inverse_bind || !nodes || !a->skins) return false;
    for (uint32_t j = 0; j < JOINT_COUNT; ++j) nodes[j] = j;
    a->skin_count = 1;
    a->skins->name = "body";
    a->skins->nodes = nodes;
    a->skins->has_inverse_bind = true;
    return sqt_skin_bind_from_rest(inverse_bind, &a->skeleton, NULL, JOINT_COUNT, NULL) == SQT_OK &&
           sqt_skin_init(&a->skins->skin, &a->skeleton, NULL, JOINT_COUNT, inverse_bind, NULL) == SQT_OK;
}

bool character_make(asset *a) {
    memset(a, 0, sizeof *a);
    a->file = "character";
    const bool made = skeleton_make(a) && skin_make(a) && character_mesh_make(a) && character_clips_make(a);
    if (!made) asset_free(a);
    return made;
}
