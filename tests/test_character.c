// The embedded character, measured: feet that stand do not slide, knees and elbows bend the right way, loops close, the
// skin keeps its volume. Every measure also has to catch a character that was broken on purpose.
#include <stdlib.h>

#include "character.h"
#include "check.h"

enum { JOINTS = 29, MAX_VERTICES = 20000 };
static const double pi = 3.14159265358979;

// ---- Poses of the character.

typedef struct posed {
    sqt_pose_block local[SQT_POSE_BLOCKS(JOINTS)];
    sqt_mat4 global[JOINTS];
    sqt_vec3 vertices[MAX_VERTICES];
} posed;

static asset character;
static posed now, before;

/// What a test has broken, to be mended behind it.
static struct damage {
    float *at;
    size_t count;
    float whole[4096];
} damages[12];
static uint32_t damage_count;

static float *to_break(const float *at, size_t count) {
    assert_true(damage_count < sizeof damages / sizeof *damages && count <= 4096);
    struct damage *const damage = &damages[damage_count++];
    damage->at = (float *)at;
    damage->count = count;
    memcpy(damage->whole, at, count * sizeof *at);
    return damage->at;
}

static int mend(void **state) {
    (void)state;
    while (damage_count > 0) {
        const struct damage *const damage = &damages[--damage_count];
        memcpy(damage->at, damage->whole, damage->count * sizeof(float));
    }
    return 0;
}

static int make(void **state) {
    (void)state;
    return character_make(&character) && character.prims->geometry.vertex_count <= MAX_VERTICES ? 0 : -1;
}

static int unmake(void **state) {
    (void)state;
    asset_free(&character);
    return 0;
}

static const asset_clip *clip_named(const char *name) {
    for (uint32_t k = 0; k < character.clip_count; ++k)
        if (strcmp(character.clips[k].name, name) == 0) return &character.clips[k];
    fail_msg("there is no clip %s", name);
    return NULL;
}

static uint32_t joint_named(const char *name) {
    const uint32_t joint = sqt_skeleton_find(&character.skeleton, name);
    if (joint == SQT_NO_JOINT) fail_msg("there is no joint %s", name);
    return joint;
}

/// Joints at a time of a clip; a difference clip acts on the rest pose.
static void pose_joints(posed *p, const sqt_channel_clip *clip, double seconds) {
    const sqt_skeleton *const skeleton = &character.skeleton;
    assert_int_equal(sqt_channel_clip_sample(p->local, skeleton, clip, NULL, seconds), SQT_OK);
    for (uint32_t j = 0; j < JOINTS && clip->flags & SQT_CLIP_DIFFERENCE; ++j) {
        const sqt_transform rest = sqt_pose_get(skeleton->rest, j);
        sqt_transform t = sqt_pose_get(p->local, j);
        t.rotation = sqt_quat_multiply(rest.rotation, t.rotation);
        t.translation.x += rest.translation.x;
        t.translation.y += rest.translation.y;
        t.translation.z += rest.translation.z;
        sqt_pose_set(p->local, j, t);
    }
    assert_int_equal(sqt_global_from_local(p->global, skeleton, p->local, NULL), SQT_OK);
}

static void pose_vertices(posed *p, const sqt_channel_clip *clip, double seconds) {
    sqt_mat4 palette[JOINTS];
    pose_joints(p, clip, seconds);
    assert_int_equal(sqt_skin_palette(palette, &character.skeleton, &character.skins->skin, p->global, NULL), SQT_OK);
    const sqt_skinned skinned = {.positions = &p->vertices[0].x};
    const sqt_mesh *const mesh = &character.prims->geometry;
    assert_int_equal(sqt_skin_vertices(&skinned, mesh, palette, JOINTS, 0, mesh->vertex_count, 0), SQT_OK);
}

static sqt_vec3 place_of(const posed *p, uint32_t joint) {
    const float *const m = p->global[joint].m;
    const sqt_vec3 v = {m[12], m[13], m[14]};
    return v;
}

static sqt_vec3 bind_place(uint32_t vertex) {
    sqt_vec3 p;
    memcpy(&p, (const float *)character.prims->geometry.positions.data + 3 * (size_t)vertex, sizeof p);
    return p;
}

/// The keys of a channel, to break them.
static float *keys_of(const asset_clip *clip, const char *joint, uint32_t target, uint32_t *key_count) {
    for (uint32_t k = 0; k < clip->clip.channel_count; ++k) {
        const sqt_channel *const channel = &clip->clip.channels[k];
        if (channel->joint != joint_named(joint) || channel->target != target) continue;
        *key_count = channel->curve.key_count;
        return to_break(channel->curve.values, (size_t)*key_count * 3 * channel->curve.component_count);
    }
    fail_msg("%s does not move %s", clip->name, joint);
    return NULL;
}

// ---- What it is.

static void rig_mesh_and_clips_are_valid(void **state) {
    (void)state;
    sqt_fault fault = {0};
    assert_int_equal(sqt_skeleton_validate(&character.skeleton, &fault), SQT_OK);
    assert_int_equal(character.skeleton.joint_count, JOINTS);
    assert_int_equal(character.node_count, JOINTS);
    assert_int_equal(character.skin_count, 1);
    assert_int_equal(character.prim_count, 1);
    assert_int_equal(sqt_skin_validate(&character.skins->skin, &character.skeleton, &fault), SQT_OK);
    assert_int_equal(sqt_mesh_validate(&character.prims->geometry, &fault), SQT_OK);
    assert_true(character.prims->geometry.vertex_count >= 2000);
    assert_int_equal(character.prims->geometry.influence_count, 4);
    assert_int_equal(character.prims->index_count % 3, 0);
    static const char *const names[] = {"idle", "walk", "run", "turn", "wave", "lean"};
    assert_int_equal(character.clip_count, 6);
    for (uint32_t k = 0; k < character.clip_count; ++k) {
        const sqt_channel_clip *const clip = &clip_named(names[k])->clip;
        assert_int_equal(sqt_channel_clip_validate(clip, &character.skeleton, &fault), SQT_OK);
        assert_true(sqt_channel_clip_duration(clip) == clip->timeline.duration_seconds);
        assert_int_equal(clip->timeline.loop, strcmp(names[k], "turn") == 0 ? SQT_LOOP_CLAMP : SQT_LOOP_WRAP);
        assert_int_equal(clip->flags, strcmp(names[k], "lean") == 0 ? SQT_CLIP_DIFFERENCE : 0);
    }
    static const char *const joints[] = {"spine_1", "neck",    "head",   "clavicle.l", "forearm_twist.r",
                                         "hand.l",  "thumb.r", "shin.r", "foot.l",     "toes.r"};
    for (uint32_t k = 0; k < sizeof joints / sizeof *joints; ++k) (void)joint_named(joints[k]);
}

static void two_characters_have_the_same_bytes(void **state) {
    (void)state;
    asset again;
    assert_true(character_make(&again));
    const sqt_mesh *const a = &character.prims->geometry, *const b = &again.prims->geometry;
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_memory_equal(a->positions.data, b->positions.data, a->vertex_count * 3 * sizeof(float));
    assert_memory_equal(a->weights.data, b->weights.data, a->vertex_count * 4 * sizeof(float));
    for (uint32_t k = 0; k < character.clip_count; ++k) {
        const sqt_channel_clip *const c = &character.clips[k].clip, *const d = &again.clips[k].clip;
        assert_int_equal(c->channel_count, d->channel_count);
        for (uint32_t i = 0; i < c->channel_count; ++i) {
            const sqt_curve *const curve = &c->channels[i].curve;
            const size_t count = (size_t)curve->key_count * 3 * curve->component_count;
            assert_memory_equal(curve->values, d->channels[i].curve.values, count * sizeof(float));
        }
    }
    asset_free(&again);
}

static void body_is_as_tall_and_as_heavy_as_a_person(void **state) {
    (void)state;
    float low = 1, high = 0, left = 0, right = 0;
    for (uint32_t v = 0; v < character.prims->geometry.vertex_count; ++v) {
        const sqt_vec3 p = bind_place(v);
        low = p.y < low ? p.y : low;
        high = p.y > high ? p.y : high;
        left = p.x > left ? p.x : left;
        right = p.x < right ? p.x : right;
    }
    assert_close(low, 0, 0.002);
    assert_close(high, 1.75, 0.02);
    assert_close(left, -right, 0.002);
}

static sqt_vec3 minus(sqt_vec3 a, sqt_vec3 b) {
    const sqt_vec3 v = {a.x - b.x, a.y - b.y, a.z - b.z};
    return v;
}
static double dot(sqt_vec3 a, sqt_vec3 b) { return (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z; }
static sqt_vec3 cross(sqt_vec3 a, sqt_vec3 b) {
    const sqt_vec3 v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}
static double length(sqt_vec3 a) { return sqrt(dot(a, a)); }

static void normals_point_outwards_and_tangents_along_the_surface(void **state) {
    (void)state;
    const asset_prim *const prim = &character.prims[0];
    const sqt_vec3 *const normals = prim->geometry.normals.data;
    const float(*const tangents)[4] = (const float(*)[4])prim->geometry.tangents.data;
    for (uint32_t v = 0; v < prim->geometry.vertex_count; ++v) {
        const sqt_vec3 tangent = {tangents[v][0], tangents[v][1], tangents[v][2]};
        assert_close(length(normals[v]), 1, 1e-5);
        assert_close(length(tangent), 1, 1e-5);
        assert_true(fabs((double)tangents[v][3]) == 1);
        assert_true(fabs(dot(tangent, normals[v])) < 0.05);
    }
    uint32_t against = 0;
    for (uint32_t i = 0; i < prim->index_count; i += 3) {
        const uint32_t *const t = prim->indices + i;
        const sqt_vec3 a = bind_place(t[0]);
        const sqt_vec3 face = cross(minus(bind_place(t[1]), a), minus(bind_place(t[2]), a));
        against += dot(face, normals[t[0]]) + dot(face, normals[t[1]]) + dot(face, normals[t[2]]) < 0;
    }
    // A few slivers where the ground cuts the soles may lie the wrong way round.
    assert_true(against * 500 < prim->index_count / 3);
}

static double weight_of(uint32_t vertex, uint32_t joint) {
    const uint16_t *const joints = character.prims->geometry.joints.data;
    const float *const weights = character.prims->geometry.weights.data;
    double sum = 0;
    for (uint32_t k = 4 * vertex; k < 4 * vertex + 4; ++k) sum += joints[k] == joint ? (double)weights[k] : 0;
    return sum;
}

static void weights_sum_to_one_and_change_smoothly(void **state) {
    (void)state;
    const asset_prim *const prim = &character.prims[0];
    const float *const weights = prim->geometry.weights.data;
    const uint16_t *const joints = prim->geometry.joints.data;
    for (uint32_t v = 0; v < prim->geometry.vertex_count; ++v)
        assert_close((double)weights[4 * v] + weights[4 * v + 1] + weights[4 * v + 2] + weights[4 * v + 3], 1, 1e-6);
    // Along an edge of 2 cm, nothing passes from one joint to another at a stroke.
    for (uint32_t i = 0; i < prim->index_count; ++i) {
        const uint32_t a = prim->indices[i], b = prim->indices[i % 3 == 2 ? i - 2 : i + 1];
        for (uint32_t k = 0; k < 4; ++k)
            assert_true(fabs(weight_of(a, joints[4 * a + k]) - weight_of(b, joints[4 * a + k])) < 0.8);
    }
}

// ---- Feet.

/// How far the points of the soles move over the ground while they are on it, in metres: the largest stretch between
/// touching and leaving. Written to `standing`: the share of instants at which any point of the soles is on the ground.
static double measure_slip(const sqt_channel_clip *clip, double speed, double *standing, double *lowest) {
    enum { INSTANTS = 120 };
    static float low_x[MAX_VERTICES], high_x[MAX_VERTICES], low_z[MAX_VERTICES], high_z[MAX_VERTICES];
    static bool touching[MAX_VERTICES];
    const double touch = 0.003;
    const bool wraps = clip->timeline.loop == SQT_LOOP_WRAP;
    double worst = 0;
    uint32_t stood = 0;
    *lowest = 1;
    memset(touching, 0, sizeof touching);
    // Twice round a loop, so that what stands at the seam is measured in one piece.
    for (uint32_t k = 0; k < (wraps ? 2 : 1) * INSTANTS; ++k) {
        const double seconds = (double)clip->timeline.duration_seconds * k / INSTANTS;
        bool any = false;
        pose_vertices(&now, clip, seconds);
        for (uint32_t v = 0; v < character.prims->geometry.vertex_count; ++v) {
            const sqt_vec3 p = now.vertices[v];
            *lowest = p.y < *lowest ? (double)p.y : *lowest;
            if (bind_place(v).y > 0.001f) continue;
            const float x = p.x, z = (float)(p.z + speed * seconds);
            if (p.y > touch) {
                touching[v] = false;
                continue;
            }
            if (!touching[v]) {
                low_x[v] = high_x[v] = x;
                low_z[v] = high_z[v] = z;
            }
            touching[v] = any = true;
            low_x[v] = fminf(low_x[v], x);
            high_x[v] = fmaxf(high_x[v], x);
            low_z[v] = fminf(low_z[v], z);
            high_z[v] = fmaxf(high_z[v], z);
            worst = fmax(worst, hypot((double)high_x[v] - low_x[v], (double)high_z[v] - low_z[v]));
        }
        stood += any;
    }
    *standing = (double)stood / ((wraps ? 2 : 1) * INSTANTS);
    return worst;
}

static void check_gait(const char *name, double least_standing, double most_standing) {
    const sqt_channel_clip *const clip = &clip_named(name)->clip;
    const double speed = clip->authored_speed, stride = speed * clip->timeline.duration_seconds;
    double standing, lowest;
    const double slip = measure_slip(clip, speed, &standing, &lowest);
    print_message("%s: slips %.1f mm = %.2f%% of a stride of %.2f m, stands %.0f%%, lowest %.1f mm\n", name, 1e3 * slip,
                  100 * slip / stride, stride, 100 * standing, 1e3 * lowest);
    assert_true(stride > 1);
    assert_true(slip < 0.02 * stride);
    assert_true(standing >= least_standing && standing <= most_standing);
    assert_true(lowest > -0.015);
    // Played at another speed than it was made for, it slides.
    assert_true(measure_slip(clip, 1.1 * speed, &standing, &lowest) > 0.02 * stride);
    // So it does with one leg that swings too little.
    uint32_t key_count;
    float *const keys = keys_of(clip_named(name), "thigh.l", SQT_TARGET_ROTATION, &key_count);
    for (uint32_t k = 0; k < 3 * key_count; ++k) keys[4 * k] *= 0.8f;
    assert_true(measure_slip(clip, speed, &standing, &lowest) > 0.02 * stride);
}

static void walking_feet_stand_still_on_the_ground(void **state) {
    (void)state;
    check_gait("walk", 1, 1);
}

static void running_feet_stand_still_on_the_ground_and_leave_it_together(void **state) {
    (void)state;
    check_gait("run", 0.4, 0.8);
}

static void feet_of_a_standing_character_do_not_move(void **state) {
    (void)state;
    static const char *const names[] = {"idle", "wave", "turn"};
    for (uint32_t k = 0; k < 3; ++k) {
        double standing, lowest;
        const double slip = measure_slip(&clip_named(names[k])->clip, 0, &standing, &lowest);
        print_message("%s: slips %.1f mm, lowest %.1f mm\n", names[k], 1e3 * slip, 1e3 * lowest);
        // A step of the turn is 0.3 m long: the bound is 2% of it.
        assert_true(slip < 0.006);
        assert_true(standing >= 1);
        assert_true(lowest > -0.01);
    }
}

static void turning_ends_as_it_began_a_quarter_turn_to_the_left(void **state) {
    (void)state;
    const sqt_channel_clip *const clip = &clip_named("turn")->clip;
    pose_joints(&before, clip, 0);
    pose_joints(&now, clip, clip->timeline.duration_seconds);
    for (uint32_t j = 0; j < JOINTS; ++j) {
        // A quarter turn to the left about +y takes +z to +x and +x to -z.
        const sqt_vec3 from = place_of(&before, j), to = place_of(&now, j), turned = {from.z, from.y, -from.x};
        assert_vec3_close(to, turned, 1e-4);
    }
}

/// The joint on the other side; the joint itself in the middle.
static uint32_t other_side(uint32_t joint) {
    char name[32];
    snprintf(name, sizeof name, "%s", character.nodes[joint].name);
    char *const side = strrchr(name, '.');
    if (side) side[1] = side[1] == 'l' ? 'r' : 'l';
    return joint_named(name);
}

static void steps_of_both_legs_are_mirror_images(void **state) {
    (void)state;
    static const char *const names[] = {"walk", "run"};
    for (uint32_t k = 0; k < 64; ++k) {
        const sqt_channel_clip *const clip = &clip_named(names[k % 2])->clip;
        const double duration = clip->timeline.duration_seconds, seconds = duration * k / 64;
        pose_joints(&before, clip, seconds);
        pose_joints(&now, clip, seconds + duration / 2);
        for (uint32_t j = 0; j < JOINTS; ++j) {
            const sqt_vec3 from = place_of(&before, j), mirrored = {-from.x, from.y, from.z};
            assert_vec3_close(place_of(&now, other_side(j)), mirrored, 1e-4);
        }
    }
}

// ---- Joints.

/// The angle by which a limb bends at its middle joint, in degrees about the upper part's own x axis, from the places
/// of its joints alone; positive takes the lower part backwards. `askew`: how far the bend leaves the plane of the
/// hinge, 0..1.
static double measure_bend(const posed *p, const char *const limb[3], double *askew) {
    const uint32_t upper = joint_named(limb[0]);
    const sqt_vec3 start = place_of(p, upper), middle = place_of(p, joint_named(limb[1]));
    const sqt_vec3 above = minus(middle, start), below = minus(place_of(p, joint_named(limb[2])), middle);
    const float *const m = p->global[upper].m;
    const sqt_vec3 hinge = {m[0], m[1], m[2]};
    *askew = fabs(dot(below, hinge)) / length(below);
    return atan2(dot(cross(above, below), hinge), dot(above, below)) * 180 / pi;
}

/// The least and the largest angle of a limb over a clip.
static void measure_limb(const sqt_channel_clip *clip, const char *const limb[3], double *least, double *most) {
    enum { INSTANTS = 120 };
    *least = 360;
    *most = -360;
    for (uint32_t k = 0; k <= INSTANTS; ++k) {
        double askew;
        pose_joints(&now, clip, (double)clip->timeline.duration_seconds * k / INSTANTS * 0.999999);
        const double angle = measure_bend(&now, limb, &askew);
        *least = fmin(*least, angle);
        *most = fmax(*most, angle);
        assert_true(askew < 0.01);
    }
}

static const char *const legs[2][3] = {{"thigh.l", "shin.l", "foot.l"}, {"thigh.r", "shin.r", "foot.r"}};
static const char *const arms[2][3] = {{"upper_arm.l", "forearm.l", "hand.l"}, {"upper_arm.r", "forearm.r", "hand.r"}};

static void knees_and_elbows_bend_the_right_way_only(void **state) {
    (void)state;
    for (uint32_t k = 0; k < character.clip_count; ++k) {
        const asset_clip *const clip = &character.clips[k];
        for (uint32_t side = 0; side < 2; ++side) {
            double least, most;
            measure_limb(&clip->clip, legs[side], &least, &most);
            print_message("%s: knee %.1f to %.1f degrees", clip->name, least, most);
            assert_true(least > -0.1 && most < 140);
            // A leg that could not reach its foot would be straight to 1.6 degrees.
            assert_true(least > 2 || clip->clip.flags & SQT_CLIP_DIFFERENCE);
            measure_limb(&clip->clip, arms[side], &least, &most);
            print_message(", elbow %.1f to %.1f\n", least, most);
            assert_true(least > -145 && most < 0.1);
        }
    }
}

static void a_knee_bent_forwards_is_noticed(void **state) {
    (void)state;
    uint32_t key_count;
    float *const keys = keys_of(clip_named("walk"), "shin.r", SQT_TARGET_ROTATION, &key_count);
    for (uint32_t k = 0; k < 3 * key_count; ++k) keys[4 * k] = -keys[4 * k];
    double least, most;
    measure_limb(&clip_named("walk")->clip, legs[1], &least, &most);
    assert_true(least < -10);
}

static void an_elbow_bent_backwards_is_noticed(void **state) {
    (void)state;
    uint32_t key_count;
    float *const keys = keys_of(clip_named("wave"), "forearm.r", SQT_TARGET_ROTATION, &key_count);
    for (uint32_t k = 0; k < 3 * key_count; ++k) keys[4 * k] = -keys[4 * k];
    double least, most;
    measure_limb(&clip_named("wave")->clip, arms[1], &least, &most);
    assert_true(most > 10);
}

/// Degrees that joints may turn from their neutral direction about x, y, z; of the left side.
typedef struct joint_range {
    const char *name;
    double low[3], high[3];
} joint_range;

static const joint_range ranges[] = {
    {"pelvis", {-10, -15, -10}, {15, 15, 10}},      {"spine_1", {-10, -15, -8}, {15, 15, 8}},
    {"spine_2", {-10, -15, -8}, {15, 15, 8}},       {"spine_3", {-10, -15, -8}, {15, 15, 8}},
    {"neck", {-20, -30, -15}, {20, 30, 15}},        {"head", {-20, -30, -15}, {20, 30, 15}},
    {"clavicle.l", {-5, -10, -10}, {5, 10, 25}},    {"thigh.l", {-110, -50, -30}, {35, 50, 30}},
    {"shin.l", {0, -1, -1}, {140, 1, 1}},           {"foot.l", {-35, -35, -25}, {60, 35, 25}},
    {"toes.l", {-70, -1, -1}, {5, 1, 1}},           {"forearm.l", {-145, -1, -1}, {0, 1, 1}},
    {"forearm_twist.l", {-1, -80, -1}, {1, 80, 1}}, {"hand.l", {-40, -25, -60}, {40, 25, 60}},
};

/// By how many degrees the joints of a clip leave their ranges.
static double measure_excess(const sqt_channel_clip *clip) {
    double worst = -360;
    for (uint32_t k = 0; k <= 120; ++k) {
        pose_joints(&now, clip, (double)clip->timeline.duration_seconds * k / 120);
        for (uint32_t i = 0; i < 2 * sizeof ranges / sizeof *ranges; ++i) {
            const joint_range *const range = &ranges[i / 2];
            char name[32];
            snprintf(name, sizeof name, "%s", range->name);
            char *const side = strstr(name, ".l");
            if (i % 2 && !side) continue;
            if (i % 2) side[1] = 'r';
            const sqt_vec3 euler =
                sqt_euler_from_quat(sqt_pose_get(now.local, joint_named(name)).rotation, SQT_EULER_XYZ);
            const double mirror = i % 2 ? -1 : 1;
            const double angles[3] = {euler.x * 180 / pi, mirror * euler.y * 180 / pi, mirror * euler.z * 180 / pi};
            for (uint32_t c = 0; c < 3; ++c)
                worst = fmax(worst, fmax(range->low[c] - angles[c], angles[c] - range->high[c]));
        }
    }
    return worst;
}

static void joints_stay_within_what_a_body_can_do(void **state) {
    (void)state;
    for (uint32_t k = 0; k < character.clip_count; ++k) {
        const double excess = measure_excess(&character.clips[k].clip);
        if (excess > 0.1) print_error("%s leaves a range by %.1f degrees\n", character.clips[k].name, excess);
        assert_true(excess <= 0.1);
    }
    uint32_t key_count;
    float *const keys = keys_of(clip_named("run"), "foot.l", SQT_TARGET_ROTATION, &key_count);
    for (uint32_t k = 0; k < 3 * key_count; ++k) keys[4 * k] *= 3;
    assert_true(measure_excess(&clip_named("run")->clip) > 1);
}

// ---- Loops.

/// How much position and velocity of the joints jump where a loop comes round, as shares of the clip's largest step.
/// Velocities on both sides are one-sided differences of second order.
static void measure_seam(const sqt_channel_clip *clip, double *position, double *velocity) {
    enum { STEPS = 512 };
    static sqt_vec3 places[STEPS + 1][JOINTS];
    const double duration = clip->timeline.duration_seconds;
    double largest = 0;
    for (uint32_t k = 0; k <= STEPS; ++k) {
        pose_joints(&now, clip, k < STEPS ? duration * k / STEPS : duration * (1 - 1e-9));
        for (uint32_t j = 0; j < JOINTS; ++j) {
            places[k][j] = place_of(&now, j);
            if (k > 0) largest = fmax(largest, length(minus(places[k][j], places[k - 1][j])));
        }
    }
    *position = *velocity = 0;
    for (uint32_t j = 0; j < JOINTS; ++j) {
        *position = fmax(*position, length(minus(places[STEPS][j], places[0][j])) / largest);
        double jump[3];
        for (uint32_t c = 0; c < 3; ++c) {
            const double p0 = (&places[0][j].x)[c], p1 = (&places[1][j].x)[c], p2 = (&places[2][j].x)[c];
            const double q0 = (&places[STEPS][j].x)[c], q1 = (&places[STEPS - 1][j].x)[c];
            const double q2 = (&places[STEPS - 2][j].x)[c];
            jump[c] = 0.5 * (-3 * p0 + 4 * p1 - p2) - 0.5 * (3 * q0 - 4 * q1 + q2);
        }
        *velocity = fmax(*velocity, sqrt(jump[0] * jump[0] + jump[1] * jump[1] + jump[2] * jump[2]) / largest);
    }
}

static void loops_close_in_position_and_velocity(void **state) {
    (void)state;
    uint32_t loops = 0;
    for (uint32_t k = 0; k < character.clip_count; ++k) {
        const asset_clip *const clip = &character.clips[k];
        if (clip->clip.timeline.loop != SQT_LOOP_WRAP) continue;
        double position, velocity;
        measure_seam(&clip->clip, &position, &velocity);
        print_message("%s: at the seam position %.3f%%, velocity %.3f%% of the largest step\n", clip->name,
                      100 * position, 100 * velocity);
        assert_true(position < 0.01);
        assert_true(velocity < 0.01);
        ++loops;
    }
    assert_int_equal(loops, 5);
}

static void a_loop_that_does_not_close_is_noticed(void **state) {
    (void)state;
    uint32_t key_count;
    double position, velocity;
    float *keys = keys_of(clip_named("walk"), "thigh.l", SQT_TARGET_ROTATION, &key_count);
    keys[12 * (key_count - 1) + 4] += 0.003f; // the last key's value
    measure_seam(&clip_named("walk")->clip, &position, &velocity);
    assert_true(position > 0.01);
    keys = keys_of(clip_named("run"), "thigh.l", SQT_TARGET_ROTATION, &key_count);
    keys[12 * (key_count - 1)] += 0.5f; // the last key's in-tangent
    measure_seam(&clip_named("run")->clip, &position, &velocity);
    assert_true(position < 0.01);
    assert_true(velocity > 0.01);
}

// ---- Volume.

/// Every edge of a closed surface belongs to two triangles that run along it in opposite directions.
static void skin_is_closed(void **state) {
    (void)state;
    const asset_prim *const prim = &character.prims[0];
    const uint32_t count = prim->geometry.vertex_count;
    // Sums over all directed edges of a number that is its own negative for the opposite edge: once for each random
    // weighting, zero only where edges cancel.
    check_random random = {0x9E3779B97F4A7C15u};
    for (uint32_t round = 0; round < 4; ++round) {
        uint32_t *const tags = malloc(count * sizeof *tags);
        assert_non_null(tags);
        for (uint32_t v = 0; v < count; ++v) tags[v] = check_random_u32(&random);
        uint64_t sum = 0;
        for (uint32_t i = 0; i < prim->index_count; ++i) {
            const uint64_t a = prim->indices[i], b = prim->indices[i % 3 == 2 ? i - 2 : i + 1];
            const uint64_t low = a < b ? a : b, high = a < b ? b : a;
            const uint64_t tag = (tags[low] | 1u) * ((uint64_t)tags[high] << 16 | 1u) + low * 0x9E3779B97F4A7C15u;
            sum += a < b ? tag : 0 - tag;
        }
        free(tags);
        assert_true(sum == 0);
    }
}

/// Signed volume by the divergence theorem: a sixth of the triple product of each triangle.
static double volume_of(const sqt_vec3 *vertices) {
    double six = 0;
    for (uint32_t i = 0; i < character.prims->index_count; i += 3) {
        const uint32_t *const t = character.prims->indices + i;
        six += dot(vertices[t[0]], cross(vertices[t[1]], vertices[t[2]]));
    }
    return six / 6;
}

/// The largest change of volume over a clip, as a share of that at rest.
static double measure_volume(const sqt_channel_clip *clip, double at_rest) {
    double worst = 0;
    for (uint32_t k = 0; k <= 60; ++k) {
        pose_vertices(&now, clip, (double)clip->timeline.duration_seconds * k / 60);
        worst = fmax(worst, fabs(volume_of(now.vertices) / at_rest - 1));
    }
    return worst;
}

static void skin_keeps_its_volume(void **state) {
    (void)state;
    const double at_rest = volume_of(character.prims->geometry.positions.data);
    print_message("%.1f litres at rest\n", 1e3 * at_rest);
    assert_true(at_rest > 0.05 && at_rest < 0.09); // a person of 1.75 m: about 70 litres
    for (uint32_t k = 0; k < character.clip_count; ++k) {
        const double change = measure_volume(&character.clips[k].clip, at_rest);
        print_message("%s: volume within %.2f%%\n", character.clips[k].name, 100 * change);
        assert_true(change < 0.04);
    }
    // A trunk that is bound wrongly, half as wide and deep as it was made, loses more.
    static const char *const trunk[] = {"spine_1", "spine_2", "spine_3"};
    for (uint32_t k = 0; k < 12; ++k) {
        float *const column = to_break(character.skins->skin.inverse_bind[joint_named(trunk[k / 4])].m + k % 4 * 4, 4);
        column[0] *= 0.5f;
        column[2] *= 0.5f;
    }
    assert_true(measure_volume(&clip_named("idle")->clip, at_rest) > 0.1);
}

#define measured(test) cmocka_unit_test_teardown(test, mend)

int main(void) {
    const struct CMUnitTest tests[] = {
        measured(rig_mesh_and_clips_are_valid),
        measured(two_characters_have_the_same_bytes),
        measured(body_is_as_tall_and_as_heavy_as_a_person),
        measured(normals_point_outwards_and_tangents_along_the_surface),
        measured(weights_sum_to_one_and_change_smoothly),
        measured(walking_feet_stand_still_on_the_ground),
        measured(running_feet_stand_still_on_the_ground_and_leave_it_together),
        measured(feet_of_a_standing_character_do_not_move),
        measured(turning_ends_as_it_began_a_quarter_turn_to_the_left),
        measured(steps_of_both_legs_are_mirror_images),
        measured(knees_and_elbows_bend_the_right_way_only),
        measured(a_knee_bent_forwards_is_noticed),
        measured(an_elbow_bent_backwards_is_noticed),
        measured(joints_stay_within_what_a_body_can_do),
        measured(loops_close_in_position_and_velocity),
        measured(a_loop_that_does_not_close_is_noticed),
        measured(skin_is_closed),
        measured(skin_keeps_its_volume),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
