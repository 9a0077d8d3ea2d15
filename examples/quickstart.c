// An arm of two joints bends between two clips: sample, blend, global pose, palette, skin.
#include <stdio.h>

#include <sqt/sqt.h>

enum { JOINTS = 2, VERTICES = 3 };

static const sqt_joint joints[JOINTS] = {
    {"shoulder", SQT_NO_JOINT, SQT_TRANSFORM_IDENTITY},
    {"elbow", 0, {SQT_QUAT_IDENTITY, {0, 1, 0}, {1, 1, 1}}}, // one unit above the shoulder
};

// Two clips of one channel each: the elbow turns about z, by 90 degrees and by -45, within a second.
static const float times[] = {0, 1};
static const float bend[] = {0, 1.5707963f}, stretch[] = {0, -0.7853982f};
static const sqt_channel bend_z = {{times, bend, 2, 1, SQT_LINEAR}, 1, SQT_TARGET_EULER_Z, SQT_EULER_XYZ, {0, 0, 0}};
static const sqt_channel stretch_z = {
    {times, stretch, 2, 1, SQT_LINEAR}, 1, SQT_TARGET_EULER_Z, SQT_EULER_XYZ, {0, 0, 0}};

// Three vertices along the arm; the middle one hangs on both joints.
static const float positions[VERTICES][3] = {{0, 0.5f, 0}, {0, 1, 0}, {0, 2, 0}};
static const uint8_t vertex_joints[VERTICES][2] = {{0, 0}, {0, 1}, {1, 0}};
static const float weights[VERTICES][2] = {{1, 0}, {0.5f, 0.5f}, {1, 0}};

int main(void) {
    // Once, at load time.
    static char memory[4096];
    sqt_skeleton skeleton;
    sqt_fault fault = {0};
    if (sqt_skeleton_build(&skeleton, joints, JOINTS, memory, sizeof memory, &fault)) {
        fprintf(stderr, "skeleton: %s at joint %u\n", fault.field, (unsigned)fault.index);
        return 1;
    }
    const sqt_channel_clip bending = {.timeline = {1, SQT_LOOP_PING_PONG}, .channel_count = 1, .channels = &bend_z};
    const sqt_channel_clip stretching = {
        .timeline = {1, SQT_LOOP_PING_PONG}, .channel_count = 1, .channels = &stretch_z};
    sqt_mat4 inverse_bind[JOINTS];
    sqt_skin skin;
    if (sqt_skin_bind_from_rest(inverse_bind, &skeleton, NULL, JOINTS, &fault) ||
        sqt_skin_init(&skin, &skeleton, NULL, JOINTS, inverse_bind, &fault)) {
        fprintf(stderr, "skin: %s at %u\n", fault.field, (unsigned)fault.index);
        return 1;
    }
    const sqt_mesh mesh = {.vertex_count = VERTICES,
                           .influence_count = 2,
                           .palette_count = JOINTS,
                           .positions = {positions, 0, SQT_FORMAT_F32},
                           .joints = {vertex_joints, 0, SQT_FORMAT_U8},
                           .weights = {weights, 0, SQT_FORMAT_F32}};

    // Every frame.
    sqt_pose_block a[SQT_POSE_BLOCKS(JOINTS)], b[SQT_POSE_BLOCKS(JOINTS)];
    sqt_mat4 global[JOINTS], palette[JOINTS];
    float skinned[VERTICES][3];
    for (double seconds = 0; seconds <= 2; seconds += 0.5) {
        sqt_channel_clip_sample(a, &skeleton, &bending, NULL, seconds);
        sqt_channel_clip_sample(b, &skeleton, &stretching, NULL, seconds);
        sqt_blend_pair(a, &skeleton, a, b, NULL, 0.25f, SQT_NLERP);
        sqt_global_from_local(global, &skeleton, a, NULL);
        sqt_skin_palette(palette, &skeleton, &skin, global, NULL);
        sqt_skin_vertices(&(sqt_skinned){.positions = skinned[0]}, &mesh, palette, JOINTS, 0, VERTICES, 0);
        printf("%.1f s: the hand is at (%+.3f, %.3f)\n", seconds, skinned[2][0], skinned[2][1]);
    }
    return 0;
}
