// Curves and key-framed clips: known numbers, an evaluator in double precision written from the formulas, search
// history, coverage, baking, and what is refused.
#include "check_pose.h"

#include <stdlib.h>

// Clips by hand

static sqt_curve curve_of(const float *times, const float *values, uint32_t key_count, uint16_t component_count,
                          uint16_t interpolation) {
    const sqt_curve curve = {times, values, key_count, component_count, interpolation};
    return curve;
}

static sqt_channel channel_of(uint16_t joint, uint8_t target, sqt_curve curve) {
    const sqt_channel channel = {.curve = curve, .joint = joint, .target = target};
    return channel;
}

static sqt_channel_clip clip_of(const sqt_channel *channels, uint32_t channel_count, float duration_seconds) {
    const sqt_channel_clip clip = {
        .timeline = {duration_seconds, SQT_LOOP_CLAMP}, .channel_count = channel_count, .channels = channels};
    return clip;
}

static void small_rig(check_rig *rig) {
    check_random random = {31};
    check_rig_init(rig, 3, &random);
}

static sqt_transform sample_joint(const check_rig *rig, const sqt_channel_clip *clip, uint32_t joint, double seconds) {
    check_output output;
    check_output_reset(&output);
    assert_int_equal(sqt_channel_clip_validate(clip, &rig->skeleton, NULL), SQT_OK);
    assert_int_equal(sqt_channel_clip_sample(output.pose, &rig->skeleton, clip, NULL, seconds), SQT_OK);
    check_output_assert_only(&output, SQT_POSE_BLOCKS(rig->skeleton.joint_count));
    return sqt_pose_get(output.pose, joint);
}

static double curve_at(const sqt_curve *curve, double seconds) {
    float value = NAN;
    assert_int_equal(sqt_curve_sample(&value, curve, NULL, seconds), SQT_OK);
    return (double)value;
}

static void set_rotation(float *values, uint32_t key, sqt_quat q) {
    values[4 * key] = q.x;
    values[4 * key + 1] = q.y;
    values[4 * key + 2] = q.z;
    values[4 * key + 3] = q.w;
}

// Curves: known numbers

static void a_curve_clamps_to_its_own_keys(void **state) {
    (void)state;
    const float times[] = {0, 1, 2}, values[] = {0, 10, 20};
    const sqt_curve curve = curve_of(times, values, 3, 1, SQT_LINEAR);
    assert_close(curve_at(&curve, 2), 20, 0);
    assert_close(curve_at(&curve, 9), 20, 0);
    assert_close(curve_at(&curve, -9), 0, 0);
    assert_close(curve_at(&curve, 0.5), 5, 0);
    const float late_times[] = {1.5f, 2.5f}, late_values[] = {1, 2};
    const sqt_curve late = curve_of(late_times, late_values, 2, 1, SQT_LINEAR);
    assert_close(curve_at(&late, 0), 1, 0);
    assert_close(curve_at(&late, 2), 1.5, 0);
    assert_close(curve_at(&late, 3), 2, 0);
}

static void cubic_tangents_follow_the_formula(void **state) {
    (void)state;
    const float times[] = {0, 2};
    float values[] = {0, 0, 3, -1, 4, 0};
    const sqt_curve curve = curve_of(times, values, 2, 1, SQT_CUBIC);
    const float outer[] = {0, 100, -100};
    for (size_t i = 0; i < sizeof outer / sizeof *outer; ++i) {
        values[0] = outer[i]; // in-tangent of the first key, out-tangent of the last: neither counts
        values[5] = -outer[i];
        assert_close(curve_at(&curve, 0), 0, 0);
        assert_close(curve_at(&curve, 0.5), 1.5625, 1e-7);
        assert_close(curve_at(&curve, 1), 3, 1e-7);
        assert_close(curve_at(&curve, 1.5), 3.9375, 1e-7);
        assert_close(curve_at(&curve, 2), 4, 0);
        assert_close(curve_at(&curve, -1), 0, 0);
        assert_close(curve_at(&curve, 3), 4, 0);
    }
}

static void step_holds_the_earlier_key(void **state) {
    (void)state;
    const float times[] = {0, 1, 2}, values[] = {6, 8, 9};
    const sqt_curve curve = curve_of(times, values, 3, 1, SQT_STEP);
    assert_close(curve_at(&curve, 0.999), 6, 0);
    assert_close(curve_at(&curve, 1), 8, 0);
    assert_close(curve_at(&curve, 1.999), 8, 0);
    assert_close(curve_at(&curve, 2), 9, 0);
    assert_close(curve_at(&curve, 5), 9, 0);
    assert_close(curve_at(&curve, -5), 6, 0);
}

static void of_equal_times_the_last_key_counts(void **state) {
    (void)state;
    const float times[] = {0, 1, 1, 2, 3}, values[] = {0, 5, 9, 9, 20};
    const sqt_curve curve = curve_of(times, values, 5, 1, SQT_LINEAR);
    assert_int_equal(sqt_curve_validate(&curve, NULL), SQT_OK);
    assert_close(curve_at(&curve, 1 - 1e-6), 5, 1e-4);
    assert_close(curve_at(&curve, 1), 9, 0);
    assert_close(curve_at(&curve, 1.5), 9, 0);
    assert_close(curve_at(&curve, 2.5), 14.5, 0);
    const float same[] = {1, 1, 1}, counted[] = {3, 4, 5};
    const sqt_curve jump = curve_of(same, counted, 3, 1, SQT_LINEAR);
    assert_close(curve_at(&jump, 0.5), 3, 0);
    assert_close(curve_at(&jump, 1), 5, 0);
    assert_close(curve_at(&jump, 2), 5, 0);
}

static void a_key_gives_its_value_bit_for_bit(void **state) {
    (void)state;
    check_random random = {0xC0DE};
    print_message("seed 0xC0DE\n");
    float times[16], values[16 * 3 * 4];
    for (uint16_t interpolation = SQT_STEP; interpolation <= SQT_CUBIC; ++interpolation) {
        for (uint16_t n = 1; n <= 4; ++n) {
            for (uint32_t k = 0; k < 16; ++k) times[k] = (float)k * 0.3f + check_random_float(&random, 0, 0.1f);
            for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
                values[i] = i % 5 ? check_random_float(&random, -1e6f, 1e6f) : -0.0f;
            }
            const sqt_curve curve = curve_of(times, values, 16, n, interpolation);
            for (uint32_t k = 0; k < 16; ++k) {
                float value[5] = {NAN, NAN, NAN, NAN, NAN};
                assert_int_equal(sqt_curve_sample(value, &curve, NULL, (double)times[k]), SQT_OK);
                const float *const key = values + (interpolation == SQT_CUBIC ? (3 * k + 1) * n : k * n);
                assert_memory_equal(value, key, n * sizeof *value);
                for (uint32_t i = n; i < 5; ++i) assert_true(isnan(value[i])); // nothing behind the value is written
            }
        }
    }
}

// An evaluator in double precision: linear search, Hermite splines by de Casteljau's construction

static uint32_t exact_key(const sqt_curve *curve, double t) {
    uint32_t key = 0;
    for (uint32_t k = 0; k < curve->key_count; ++k) {
        if ((double)curve->times[k] <= t) key = k;
    }
    return key;
}

static double exact_component(const sqt_curve *curve, uint32_t component, double t) {
    const uint32_t key = exact_key(curve, t), n = curve->component_count;
    const uint32_t per_key = curve->interpolation == SQT_CUBIC ? 3 : 1;
    const float *const from = curve->values + key * per_key * n, *const to = from + per_key * n;
    const uint32_t value = curve->interpolation == SQT_CUBIC ? n + component : component;
    const double t0 = (double)curve->times[key];
    if (key + 1 == curve->key_count || t <= t0 || curve->interpolation == SQT_STEP) return (double)from[value];
    const double d = (double)curve->times[key + 1] - t0, u = (t - t0) / d;
    const double p0 = (double)from[value], p3 = (double)to[value];
    if (curve->interpolation == SQT_LINEAR) return p0 + u * (p3 - p0);
    const double p1 = p0 + d * (double)from[2 * n + component] / 3, p2 = p3 - d * (double)to[component] / 3;
    const double a = p0 + u * (p1 - p0), b = p1 + u * (p2 - p1), c = p2 + u * (p3 - p2);
    const double e = a + u * (b - a), f = b + u * (c - b);
    return e + u * (f - e);
}

static check_dquat exact_rotation(const sqt_curve *curve, double t) {
    const uint32_t key = exact_key(curve, t);
    const double t0 = (double)curve->times[key];
    if (curve->interpolation == SQT_LINEAR && key + 1 < curve->key_count && t > t0) {
        const double u = (t - t0) / ((double)curve->times[key + 1] - t0);
        return check_dquat_slerp(check_dquat_of(curve->values + 4 * key), check_dquat_of(curve->values + 4 * key + 4),
                                 u);
    }
    const check_dquat q = {exact_component(curve, 0, t), exact_component(curve, 1, t), exact_component(curve, 2, t),
                           exact_component(curve, 3, t)};
    return check_dquat_unit(q);
}

static check_dquat exact_euler(const double radians[3], uint32_t order) {
    static const uint8_t axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    check_dquat product = {0, 0, 0, 1};
    for (int i = 0; i < 3; ++i) {
        const uint8_t axis = axes[order][i];
        const double half = radians[axis] / 2, s = sin(half);
        const check_dquat turn = {axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0, cos(half)};
        product = check_dquat_multiply(product, turn);
    }
    return product;
}

typedef struct exact_transform {
    check_dquat rotation;
    double translation[3], scale[3];
} exact_transform;

static exact_transform exact_of(sqt_transform t) {
    const exact_transform wide = {
        {(double)t.rotation.x, (double)t.rotation.y, (double)t.rotation.z, (double)t.rotation.w},
        {(double)t.translation.x, (double)t.translation.y, (double)t.translation.z},
        {(double)t.scale.x, (double)t.scale.y, (double)t.scale.z}};
    return wide;
}

/// All channels of one joint at a local time, over its base.
static exact_transform exact_joint(const sqt_channel_clip *clip, uint32_t joint, sqt_transform base, double t) {
    exact_transform out = exact_of(base);
    double angles[3] = {0, 0, 0};
    uint32_t order = SQT_EULER_XYZ;
    bool seen = false;
    for (uint32_t i = 0; i < clip->channel_count && !seen; ++i) {
        const sqt_channel *const c = clip->channels + i;
        if (c->joint != joint || c->target < SQT_TARGET_EULER) continue;
        angles[0] = (double)c->euler_base.x, angles[1] = (double)c->euler_base.y, angles[2] = (double)c->euler_base.z;
        order = c->euler_order;
        seen = true;
    }
    for (uint32_t i = 0; i < clip->channel_count; ++i) {
        const sqt_channel *const c = clip->channels + i;
        if (c->joint != joint) continue;
        double *group = c->target >= SQT_TARGET_EULER ? angles : out.translation;
        if (c->target == SQT_TARGET_SCALE || (c->target >= SQT_TARGET_SCALE_X && c->target <= SQT_TARGET_SCALE_Z)) {
            group = out.scale;
        }
        if (c->target == SQT_TARGET_ROTATION) {
            out.rotation = exact_rotation(&c->curve, t);
        } else if (c->curve.component_count == 3) {
            for (uint32_t k = 0; k < 3; ++k) group[k] = exact_component(&c->curve, k, t);
        } else {
            const uint32_t first = c->target >= SQT_TARGET_EULER_X   ? SQT_TARGET_EULER_X
                                   : c->target >= SQT_TARGET_SCALE_X ? SQT_TARGET_SCALE_X
                                                                     : SQT_TARGET_TRANSLATION_X;
            group[c->target - first] = exact_component(&c->curve, 0, t);
        }
        if (c->target >= SQT_TARGET_EULER) out.rotation = exact_euler(angles, order);
    }
    return out;
}

/// Rotation within 2e-6, the rest within 2e-6 of the larger of 1 and the largest component.
static void assert_exact(sqt_transform got, exact_transform expected) {
    assert_rotation_close(got.rotation, check_dquat_rounded(expected.rotation), 2e-6);
    const float t[3] = {got.translation.x, got.translation.y, got.translation.z};
    const float s[3] = {got.scale.x, got.scale.y, got.scale.z};
    for (int i = 0; i < 3; ++i) {
        assert_close((double)t[i], expected.translation[i], 2e-6 * fmax(1, fabs(expected.translation[i])));
        assert_close((double)s[i], expected.scale[i], 2e-6 * fmax(1, fabs(expected.scale[i])));
    }
}

// Random clips

enum { MAX_CHANNELS = 160, MAX_KEYS = 9, MAX_FLOATS = MAX_CHANNELS * MAX_KEYS * 12 };

typedef struct random_clip {
    sqt_channel_clip clip;
    sqt_channel channels[MAX_CHANNELS];
    float times[MAX_CHANNELS * MAX_KEYS], values[MAX_FLOATS];
    size_t time_count, value_count;
} random_clip;

static random_clip motion, other_motion; // large, so not on the stack

static uint16_t components_of(uint8_t target) {
    if (target == SQT_TARGET_ROTATION) return 4;
    return target <= SQT_TARGET_SCALE || target == SQT_TARGET_EULER ? 3 : 1;
}

/// Rotation keys of any length and sign, some a half turn or nothing apart; other values in -3..3.
static void random_value(float *value, uint8_t target, bool tangent, check_random *random) {
    const uint16_t n = components_of(target);
    for (uint16_t i = 0; i < n; ++i) value[i] = check_random_float(random, -3, 3);
    if (target != SQT_TARGET_ROTATION || tangent) return;
    const float length = check_random_float(random, 0.2f, 4);
    set_rotation(value, 0, check_random_quat(random));
    for (int i = 0; i < 4; ++i) value[i] *= length;
}

static sqt_curve random_curve(random_clip *r, uint8_t target, check_random *random) {
    float *const times = r->times + r->time_count, *const values = r->values + r->value_count;
    const uint32_t key_count = 1 + check_random_below(random, MAX_KEYS);
    const uint16_t n = components_of(target), interpolation = (uint16_t)check_random_below(random, 3);
    const uint32_t per_key = interpolation == SQT_CUBIC ? 3 : 1;
    float time = check_random_float(random, -0.2f, 0.5f);
    for (uint32_t k = 0; k < key_count; ++k) {
        times[k] = time;
        if (check_random_below(random, 6)) time += check_random_float(random, 0.01f, 0.5f); // else a double key
        for (uint32_t i = 0; i < per_key; ++i) {
            random_value(values + (k * per_key + i) * n, target, per_key == 3 && i != 1, random);
        }
    }
    r->time_count += key_count;
    r->value_count += (size_t)key_count * per_key * n;
    return curve_of(times, values, key_count, n, interpolation);
}

static void random_motion(random_clip *r, uint32_t joint_count, check_random *random) {
    memset(r, 0, sizeof *r);
    for (uint16_t joint = 0; joint < joint_count; ++joint) {
        const uint32_t count = check_random_below(random, 5);
        const uint8_t order = (uint8_t)check_random_below(random, 6);
        const sqt_vec3 base = check_random_vec3(random, -3, 3);
        for (uint32_t i = 0; i < count && r->clip.channel_count < MAX_CHANNELS; ++i) {
            const uint8_t target = (uint8_t)check_random_below(random, SQT_TARGET_EULER_Z + 1);
            sqt_channel *const channel = r->channels + r->clip.channel_count++;
            *channel = channel_of(joint, target, random_curve(r, target, random));
            channel->euler_order = order;
            channel->euler_base = base;
        }
    }
    r->clip.channels = r->channels;
    r->clip.rig_hash = CHECK_RIG_HASH;
    r->clip.timeline.duration_seconds = check_random_float(random, 0.5f, 3);
    r->clip.timeline.loop = check_random_below(random, 3);
}

/// The local time by fmod, which is exact.
static double exact_local(const sqt_timeline *timeline, double t) {
    const double d = (double)timeline->duration_seconds;
    if (timeline->loop == SQT_LOOP_CLAMP) return fmin(fmax(t, 0), d);
    if (timeline->loop == SQT_LOOP_WRAP) return t < 0 ? fmod(t, d) + d : fmod(t, d);
    const double turned = fmod(fabs(t), 2 * d);
    return turned > d ? 2 * d - turned : turned;
}

static void channels_agree_with_double_precision(void **state) {
    (void)state;
    check_random random = {0xC4A7};
    print_message("seed 0xC4A7\n");
    check_rig rig;
    for (int round = 0; round < 400; ++round) {
        const uint32_t joint_count = 1 + check_random_below(&random, 40);
        check_rig_init(&rig, joint_count, &random);
        random_motion(&motion, joint_count, &random);
        sqt_fault fault = {"none", 0, 0};
        if (sqt_channel_clip_validate(&motion.clip, &rig.skeleton, &fault)) fail_msg("%s", fault.field);
        for (int i = 0; i < 12; ++i) {
            const double seconds = (double)check_random_float(&random, -4, 8);
            const double local = exact_local(&motion.clip.timeline, seconds);
            check_output output;
            check_output_reset(&output);
            assert_int_equal(sqt_channel_clip_sample(output.pose, &rig.skeleton, &motion.clip, NULL, seconds), SQT_OK);
            for (uint32_t j = 0; j < joint_count; ++j) {
                const exact_transform expected = exact_joint(&motion.clip, j, sqt_pose_get(rig.rest, j), local);
                assert_exact(sqt_pose_get(output.pose, j), expected);
            }
            check_assert_pose_bits(output.pose, output.pose, joint_count);
            check_output_assert_only(&output, SQT_POSE_BLOCKS(joint_count));
        }
    }
}

static void curves_are_exact_to_the_last_digit_of_a_float(void **state) {
    (void)state;
    check_random random = {0xCC01};
    print_message("seed 0xCC01\n");
    for (int round = 0; round < 20000; ++round) {
        const float size = round % 2 ? 1.0f : 1e4f; // tangents far larger than the values
        const float times[] = {check_random_float(&random, 0, 1), check_random_float(&random, 2, 3)};
        float values[6];
        for (int i = 0; i < 6; ++i) values[i] = check_random_float(&random, -1, 1) * (i == 1 || i == 4 ? 1 : size);
        const sqt_curve curve = curve_of(times, values, 2, 1, (uint16_t)(round % 3 ? SQT_CUBIC : SQT_LINEAR));
        const double seconds = (double)check_random_float(&random, 0, 3), exact = exact_component(&curve, 0, seconds);
        assert_close(curve_at(&curve, seconds), exact, 6e-8 * fmax(fabs(exact), 1e-3));
    }
}

static void rotations_near_a_half_turn_take_the_arc_of_double_precision(void **state) {
    (void)state;
    check_random random = {0x180};
    print_message("seed 0x180\n");
    check_rig rig;
    small_rig(&rig);
    const float times[] = {0, 1};
    float values[8];
    const sqt_channel channel = channel_of(0, SQT_TARGET_ROTATION, curve_of(times, values, 2, 4, SQT_LINEAR));
    const sqt_channel_clip clip = clip_of(&channel, 1, 1);
    for (int round = 0; round < 50000; ++round) {
        // b is a quarter turn from a in the space of quaternions, a half turn as a rotation, but for a little.
        const sqt_quat a = check_random_quat(&random), axis = check_random_quat(&random);
        const double length = sqrt((double)axis.x * axis.x + (double)axis.y * axis.y + (double)axis.z * axis.z);
        if (length < 0.1) continue;
        const double little = ldexp(check_random_float(&random, -1, 1), -(int)check_random_below(&random, 34));
        const check_dquat wide = {(double)a.x, (double)a.y, (double)a.z, (double)a.w};
        const check_dquat turn = {axis.x / length, axis.y / length, axis.z / length, little};
        const check_dquat b = check_dquat_unit(check_dquat_multiply(wide, check_dquat_unit(turn)));
        set_rotation(values, 0, a);
        set_rotation(values, 1, check_dquat_rounded(b));
        const float scale = check_random_float(&random, 0.5f, 2); // keys of any length: normalising must not matter
        for (int i = 0; i < 8; ++i) values[i] *= scale;
        const double seconds = (double)check_random_float(&random, 0, 1);
        const sqt_transform got = sample_joint(&rig, &clip, 0, seconds);
        assert_rotation_close(got.rotation, check_dquat_rounded(exact_rotation(&channel.curve, seconds)), 2e-6);
    }
}

// Clips: known numbers

static void sign_flipped_keys_give_one_rotation(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float times[] = {0, 1};
    float values[8];
    const sqt_channel channel = channel_of(1, SQT_TARGET_ROTATION, curve_of(times, values, 2, 4, SQT_LINEAR));
    const sqt_channel_clip clip = clip_of(&channel, 1, 1);
    const sqt_quat half = {0.258819f, 0, 0, 0.9659258f}, quarter = {0.1736482f, 0, 0, 0.9848078f};
    for (int signs = 0; signs < 4; ++signs) {
        const sqt_quat a = check_degrees(1, 0, 0, 10), b = check_degrees(1, 0, 0, 50);
        set_rotation(values, 0, signs & 1 ? check_negated(a) : a);
        set_rotation(values, 1, signs & 2 ? check_negated(b) : b);
        const sqt_quat middle = sample_joint(&rig, &clip, 1, 0.5).rotation;
        assert_rotation_close(middle, half, 1e-6);
        assert_rotation_close(sample_joint(&rig, &clip, 1, 0.25).rotation, quarter, 1e-6);
        const sqt_vec3 up = {0, 1, 0}, turned = {0, 0.8660254f, 0.5f};
        assert_vec3_close(sqt_quat_rotate(middle, up), turned, 1e-6);
    }
}

static void a_channel_that_ends_early_holds_its_last_value(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float short_times[] = {0, 1}, short_values[] = {1, 2, 3, 4, 5, 6};
    const float long_times[] = {1.5f, 2.5f}, long_values[] = {1, 2};
    const sqt_channel channels[] = {
        channel_of(0, SQT_TARGET_TRANSLATION, curve_of(short_times, short_values, 2, 3, SQT_LINEAR)),
        channel_of(2, SQT_TARGET_SCALE_Y, curve_of(long_times, long_values, 2, 1, SQT_LINEAR))};
    sqt_channel_clip clip = clip_of(channels, 2, 0);
    assert_close((double)sqt_channel_clip_duration(&clip), 2.5, 0);
    clip.timeline.duration_seconds = 3;
    const sqt_vec3 last = {4, 5, 6};
    assert_vec3_close(sample_joint(&rig, &clip, 0, 2).translation, last, 0);
    assert_close((double)sample_joint(&rig, &clip, 2, 0).scale.y, 1, 0);
    assert_close((double)sample_joint(&rig, &clip, 2, 2).scale.y, 1.5, 0);
    assert_close((double)sample_joint(&rig, &clip, 2, 9).scale.y, 2, 0);
}

static void one_joint_may_step_and_turn(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float times[] = {0, 1}, moved[] = {0, 0, 0, 10, 0, 0};
    float turned[8];
    set_rotation(turned, 0, check_degrees(0, 0, 1, 0));
    set_rotation(turned, 1, check_degrees(0, 0, 1, 90));
    const sqt_channel channels[] = {channel_of(0, SQT_TARGET_TRANSLATION, curve_of(times, moved, 2, 3, SQT_STEP)),
                                    channel_of(0, SQT_TARGET_ROTATION, curve_of(times, turned, 2, 4, SQT_LINEAR))};
    const sqt_channel_clip clip = clip_of(channels, 2, 1);
    const sqt_transform got = sample_joint(&rig, &clip, 0, 0.5);
    const sqt_vec3 zero = {0, 0, 0};
    assert_vec3_close(got.translation, zero, 0);
    assert_rotation_close(got.rotation, check_degrees(0, 0, 1, 45), 1e-6);
}

static void one_key_and_no_length_give_the_key_at_every_time(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float times[] = {0}, values[] = {7};
    const sqt_channel channel = channel_of(1, SQT_TARGET_TRANSLATION_X, curve_of(times, values, 1, 1, SQT_LINEAR));
    sqt_channel_clip clip = clip_of(&channel, 1, 0);
    const double seconds[] = {-1, 0, 0.5, 100};
    for (uint32_t loop = SQT_LOOP_CLAMP; loop <= SQT_LOOP_PING_PONG; ++loop) {
        clip.timeline.loop = loop;
        for (size_t i = 0; i < sizeof seconds / sizeof *seconds; ++i) {
            assert_close((double)sample_joint(&rig, &clip, 1, seconds[i]).translation.x, 7, 0);
        }
    }
    sqt_pose_block a[1], b[1];
    assert_int_equal(sqt_channel_clip_sample(a, &rig.skeleton, &clip, NULL, 5), SQT_OK);
    assert_int_equal(sqt_channel_clip_sample(b, &rig.skeleton, &clip, NULL, 0), SQT_OK);
    assert_int_equal(sqt_blend_pair(a, &rig.skeleton, a, b, NULL, 0.5f, SQT_SLERP), SQT_OK);
    assert_close((double)sqt_pose_get(a, 1).translation.x, 7, 1e-6);
}

static void missing_channels_use_the_rest_pose(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const sqt_transform rest = {check_degrees(0, 0, 1, 90), {0, 1, 0}, {2, 2, 2}};
    sqt_pose_set(rig.rest, 1, rest);
    const float times[] = {0, 1}, values[] = {2, 2, 2, 4, 4, 4};
    const sqt_channel channel = channel_of(1, SQT_TARGET_SCALE, curve_of(times, values, 2, 3, SQT_LINEAR));
    const sqt_channel_clip clip = clip_of(&channel, 1, 1);
    const sqt_transform got = sample_joint(&rig, &clip, 1, 0.5), untouched = sample_joint(&rig, &clip, 2, 0.5);
    const sqt_transform other_rest = sqt_pose_get(rig.rest, 2);
    const sqt_vec3 three = {3, 3, 3};
    assert_memory_equal(&got.rotation, &rest.rotation, sizeof got.rotation);
    assert_memory_equal(&got.translation, &rest.translation, sizeof got.translation);
    assert_vec3_close(got.scale, three, 0);
    assert_memory_equal(&untouched, &other_rest, sizeof untouched);
}

static void a_clip_without_a_channel_blends_from_the_rest(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    rig.rest[0].tx[0] = 1;
    const float times[] = {0}, values[] = {4};
    const sqt_channel channel = channel_of(0, SQT_TARGET_TRANSLATION_X, curve_of(times, values, 1, 1, SQT_STEP));
    const sqt_channel_clip moved = clip_of(&channel, 1, 0), empty = clip_of(NULL, 0, 0);
    sqt_pose_block a[1], b[1];
    memset(a, 0xFF, sizeof a);
    memset(b, 0xFF, sizeof b);
    assert_int_equal(sqt_channel_clip_sample(a, &rig.skeleton, &moved, NULL, 0), SQT_OK);
    assert_int_equal(sqt_channel_clip_sample(b, &rig.skeleton, &empty, NULL, 0), SQT_OK);
    check_assert_pose_bits(b, rig.rest, 3);
    assert_int_equal(sqt_blend_pair(a, &rig.skeleton, a, b, NULL, 0.5f, SQT_NLERP), SQT_OK);
    assert_close((double)sqt_pose_get(a, 0).translation.x, 2.5, 1e-6);
}

static void keys_that_are_not_unit_are_normalised(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float times[] = {0, 1};
    float values[24] = {0, 0, 2, 2};
    sqt_channel channel = channel_of(0, SQT_TARGET_ROTATION, curve_of(times, values, 1, 4, SQT_LINEAR));
    const sqt_channel_clip clip = clip_of(&channel, 1, 1);
    const sqt_transform turned = sample_joint(&rig, &clip, 0, 0);
    assert_rotation_close(turned.rotation, check_degrees(0, 0, 1, 90), 1e-7);
    const sqt_transform bare = {turned.rotation, {0, 0, 0}, {1, 1, 1}};
    const sqt_mat4 matrix = sqt_mat4_from_transform(bare);
    for (int column = 0; column < 3; ++column) {
        const float *const c = matrix.m + 4 * column;
        assert_close((double)c[0] * c[0] + (double)c[1] * c[1] + (double)c[2] * c[2], 1, 1e-6);
    }
    // Cubic, identity to 90Z, zero tangents: the mix is short and must be normalised too.
    memset(values, 0, sizeof values);
    set_rotation(values, 1, check_degrees(0, 0, 1, 0));
    set_rotation(values, 4, check_degrees(0, 0, 1, 90));
    channel.curve = curve_of(times, values, 2, 4, SQT_CUBIC);
    const sqt_quat expected = {0, 0, 0.1150159f, 0.9933637f};
    assert_rotation_close(sample_joint(&rig, &clip, 0, 0.25).rotation, expected, 1e-6);
    set_rotation(values, 4, check_degrees(0, 0, 1, 0));
    for (int i = 16; i < 20; ++i) values[i] = -values[i]; // through zero: no direction, so the identity
    assert_rotation_close(sample_joint(&rig, &clip, 0, 0.5).rotation, check_degrees(0, 0, 1, 0), 0);
}

static void interpolation_runs_from_the_earlier_to_the_later_key(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float times[] = {0, 1}, moved[] = {0, 0, 0, 4, 4, 4}, scaled[] = {1, 1, 1, 5, 5, 5};
    float turned[8];
    set_rotation(turned, 0, check_degrees(0, 0, 1, 0));
    set_rotation(turned, 1, check_degrees(0, 0, 1, 80));
    const sqt_channel channels[] = {channel_of(2, SQT_TARGET_ROTATION, curve_of(times, turned, 2, 4, SQT_LINEAR)),
                                    channel_of(2, SQT_TARGET_TRANSLATION, curve_of(times, moved, 2, 3, SQT_LINEAR)),
                                    channel_of(2, SQT_TARGET_SCALE, curve_of(times, scaled, 2, 3, SQT_LINEAR))};
    const sqt_channel_clip clip = clip_of(channels, 3, 1);
    const sqt_transform expected = {check_degrees(0, 0, 1, 20), {1, 1, 1}, {2, 2, 2}};
    check_assert_transform(sample_joint(&rig, &clip, 2, 0.25), expected, 1e-6);
}

// Euler channels

static const float instant[] = {0};

static sqt_channel euler_channel(uint8_t target, const float *radians, uint8_t order, sqt_vec3 base) {
    sqt_channel channel = channel_of(0, target, curve_of(instant, radians, 1, components_of(target), SQT_LINEAR));
    channel.euler_order = order;
    channel.euler_base = base;
    return channel;
}

static sqt_quat euler_rotation(double x, double y, double z, uint32_t order) {
    const double radians[3] = {x, y, z};
    return check_dquat_rounded(exact_euler(radians, order));
}

static void single_angles_of_a_joint_act_together(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float x = 0.3f, y = -1.1f, z = 2.9f, triple[] = {x, y, z};
    const sqt_vec3 zero = {0, 0, 0};
    for (uint8_t order = SQT_EULER_XYZ; order <= SQT_EULER_ZYX; ++order) {
        const sqt_quat expected = euler_rotation((double)x, (double)y, (double)z, order);
        const sqt_channel one = euler_channel(SQT_TARGET_EULER, triple, order, zero);
        // The order of the channels is no order of the angles.
        const sqt_channel three[] = {euler_channel(SQT_TARGET_EULER_Z, &z, order, zero),
                                     euler_channel(SQT_TARGET_EULER_X, &x, order, zero),
                                     euler_channel(SQT_TARGET_EULER_Y, &y, order, zero)};
        const sqt_channel_clip together = clip_of(&one, 1, 0), apart = clip_of(three, 3, 0);
        assert_rotation_close(sample_joint(&rig, &together, 0, 0).rotation, expected, 1e-6);
        assert_rotation_close(sample_joint(&rig, &apart, 0, 0).rotation, expected, 1e-6);
    }
}

static void angles_that_no_channel_drives_come_from_the_base(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float x = 0.3f, z = 2.9f;
    const sqt_vec3 base = {9, 0.7f, 9};
    const sqt_channel two[] = {euler_channel(SQT_TARGET_EULER_X, &x, SQT_EULER_YXZ, base),
                               euler_channel(SQT_TARGET_EULER_Z, &z, SQT_EULER_YXZ, base)};
    const sqt_channel_clip clip = clip_of(two, 2, 0);
    const sqt_quat expected = euler_rotation((double)x, (double)0.7f, (double)z, SQT_EULER_YXZ);
    assert_rotation_close(sample_joint(&rig, &clip, 0, 0).rotation, expected, 1e-6);
}

static void a_later_angle_replaces_its_part_of_a_triple(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float triple[] = {0.3f, -1.1f, 2.9f}, y = 0.4f;
    const sqt_vec3 zero = {0, 0, 0};
    const sqt_channel two[] = {euler_channel(SQT_TARGET_EULER, triple, SQT_EULER_ZXY, zero),
                               euler_channel(SQT_TARGET_EULER_Y, &y, SQT_EULER_ZXY, zero)};
    const sqt_channel_clip clip = clip_of(two, 2, 0);
    const sqt_quat expected = euler_rotation((double)triple[0], (double)y, (double)triple[2], SQT_EULER_ZXY);
    assert_rotation_close(sample_joint(&rig, &clip, 0, 0).rotation, expected, 1e-6);
}

static void the_later_of_angles_and_rotation_wins(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float x = 0.3f, y = -0.6f;
    float q[4];
    set_rotation(q, 0, check_degrees(0, 0, 1, 70));
    const sqt_vec3 zero = {0, 0, 0};
    const sqt_channel rotation = channel_of(0, SQT_TARGET_ROTATION, curve_of(instant, q, 1, 4, SQT_LINEAR));
    const sqt_channel angle = euler_channel(SQT_TARGET_EULER_X, &x, SQT_EULER_XYZ, zero);
    const sqt_channel second = euler_channel(SQT_TARGET_EULER_Y, &y, SQT_EULER_XYZ, zero);
    const sqt_channel overridden[] = {angle, rotation}, overriding[] = {rotation, angle};
    const sqt_channel around[] = {angle, rotation, second};
    sqt_channel_clip clip = clip_of(overridden, 2, 0);
    assert_rotation_close(sample_joint(&rig, &clip, 0, 0).rotation, check_degrees(0, 0, 1, 70), 1e-6);
    clip = clip_of(overriding, 2, 0);
    assert_rotation_close(sample_joint(&rig, &clip, 0, 0).rotation, euler_rotation((double)x, 0, 0, 0), 1e-6);
    clip = clip_of(around, 3, 0);
    assert_rotation_close(sample_joint(&rig, &clip, 0, 0).rotation, euler_rotation((double)x, (double)y, 0, 0), 1e-6);
}

static void each_target_drives_its_own_component(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float value = 42;
    for (uint8_t target = SQT_TARGET_TRANSLATION_X; target <= SQT_TARGET_SCALE_Z; ++target) {
        const sqt_channel channel = channel_of(1, target, curve_of(instant, &value, 1, 1, SQT_CUBIC));
        const float cubic[] = {1, 42, 2};
        sqt_channel driven = channel;
        driven.curve.values = cubic;
        const sqt_channel_clip clip = clip_of(&driven, 1, 0);
        const sqt_transform got = sample_joint(&rig, &clip, 1, 0), rest = sqt_pose_get(rig.rest, 1);
        sqt_transform expected = rest;
        float *const slots[] = {&expected.translation.x, &expected.translation.y, &expected.translation.z,
                                &expected.scale.x,       &expected.scale.y,       &expected.scale.z};
        *slots[target - SQT_TARGET_TRANSLATION_X] = 42;
        assert_memory_equal(&got, &expected, sizeof got);
    }
}

static void within_a_joint_the_later_channel_wins(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float first[] = {1, 2, 3}, second = 9, third[] = {7, 8, 9};
    const sqt_channel channels[] = {channel_of(0, SQT_TARGET_TRANSLATION, curve_of(instant, first, 1, 3, SQT_STEP)),
                                    channel_of(0, SQT_TARGET_TRANSLATION_Y, curve_of(instant, &second, 1, 1, SQT_STEP)),
                                    channel_of(1, SQT_TARGET_TRANSLATION_Y, curve_of(instant, &second, 1, 1, SQT_STEP)),
                                    channel_of(1, SQT_TARGET_TRANSLATION, curve_of(instant, third, 1, 3, SQT_STEP))};
    const sqt_channel_clip clip = clip_of(channels, 4, 0);
    const sqt_vec3 mixed = {1, 9, 3}, whole = {7, 8, 9};
    assert_vec3_close(sample_joint(&rig, &clip, 0, 0).translation, mixed, 0);
    assert_vec3_close(sample_joint(&rig, &clip, 1, 0).translation, whole, 0);
}

// Search history

static void no_cursor_changes_a_curve(void **state) {
    (void)state;
    check_random random = {0xC5};
    print_message("seed 0xC5\n");
    for (int round = 0; round < 300; ++round) {
        memset(&motion, 0, sizeof motion);
        const sqt_curve curve = random_curve(&motion, SQT_TARGET_TRANSLATION, &random);
        for (int i = 0; i < 60; ++i) {
            const uint32_t key = check_random_below(&random, curve.key_count);
            const double seconds =
                i % 3 ? (double)check_random_float(&random, -1, 5) : (double)curve.times[key]; // on keys as well
            float fresh[3], again[3];
            assert_int_equal(sqt_curve_sample(fresh, &curve, NULL, seconds), SQT_OK);
            for (uint32_t start = 0; start < curve.key_count + 3; ++start) {
                uint32_t cursor = start == curve.key_count + 2 ? 0xFFFFFFFFu : start;
                assert_int_equal(sqt_curve_sample(again, &curve, &cursor, seconds), SQT_OK);
                assert_memory_equal(again, fresh, sizeof fresh);
                assert_int_equal(cursor, exact_key(&curve, seconds));
            }
        }
    }
}

static void cursors_shared_by_clips_and_random_seeks_change_nothing(void **state) {
    (void)state;
    check_random random = {0xD22};
    print_message("seed 0xD22\n");
    check_rig rig;
    check_rig_init(&rig, 37, &random);
    for (int round = 0; round < 20; ++round) {
        random_motion(&motion, 37, &random);
        random_motion(&other_motion, 37, &random);
        const sqt_channel_clip *const clips[] = {&motion.clip, &other_motion.clip};
        const uint32_t larger = motion.clip.channel_count > other_motion.clip.channel_count
                                    ? motion.clip.channel_count
                                    : other_motion.clip.channel_count;
        uint32_t cursors[MAX_CHANNELS + 1];
        memset(cursors, round % 2 ? 0xFF : 0, sizeof cursors);
        cursors[larger] = 0xABCD;
        for (int i = 0; i < 200; ++i) {
            const sqt_channel_clip *const clip = clips[check_random_below(&random, 2)];
            const double seconds = (double)check_random_float(&random, -4, 8);
            check_output fresh, reused;
            check_output_reset(&fresh);
            check_output_reset(&reused);
            assert_int_equal(sqt_channel_clip_sample(fresh.pose, &rig.skeleton, clip, NULL, seconds), SQT_OK);
            assert_int_equal(sqt_channel_clip_sample(reused.pose, &rig.skeleton, clip, cursors, seconds), SQT_OK);
            assert_memory_equal(&fresh, &reused, sizeof fresh);
            assert_int_equal(cursors[larger], 0xABCD);
        }
    }
}

static void each_channel_keeps_its_own_cursor(void **state) {
    (void)state;
    check_random random = {0xD23};
    print_message("seed 0xD23\n");
    check_rig rig;
    check_rig_init(&rig, 37, &random);
    random_motion(&motion, 37, &random);
    uint32_t cursors[MAX_CHANNELS] = {0};
    for (int i = 0; i < 100; ++i) {
        const double seconds = (double)check_random_float(&random, -4, 8);
        sqt_pose_block pose[SQT_POSE_BLOCKS(37)];
        assert_int_equal(sqt_channel_clip_sample(pose, &rig.skeleton, &motion.clip, cursors, seconds), SQT_OK);
        const double local = exact_local(&motion.clip.timeline, seconds);
        for (uint32_t c = 0; c < motion.clip.channel_count; ++c) {
            assert_int_equal(cursors[c], exact_key(&motion.channels[c].curve, local));
        }
    }
}

static void hostile_times_and_cursors_stay_within_the_arrays(void **state) {
    (void)state;
    check_random random = {0xBAD};
    print_message("seed 0xBAD\n");
    for (int round = 0; round < 20000; ++round) {
        const uint32_t key_count = 1 + check_random_below(&random, 9);
        // Exact allocations, so that the address sanitizer sees every read outside.
        float *const times = malloc(key_count * sizeof *times), *const values = malloc(key_count * 3 * sizeof *values);
        assert_non_null(times);
        assert_non_null(values);
        for (uint32_t k = 0; k < key_count; ++k) {
            const uint32_t bits = check_random_u32(&random);
            memcpy(times + k, &bits, sizeof bits);
        }
        memset(values, 0, key_count * 3 * sizeof *values);
        const sqt_curve curve = curve_of(times, values, key_count, 1, (uint16_t)(round % 3));
        uint32_t cursor = check_random_below(&random, 2) ? check_random_u32(&random) : check_random_below(&random, 12);
        float value[2] = {0, 77};
        const double seconds = ldexp(check_random_float(&random, -1, 1), (int)check_random_below(&random, 200) - 100);
        assert_int_equal(sqt_curve_sample(value, &curve, &cursor, seconds), SQT_OK);
        assert_true(cursor < key_count);
        assert_close((double)value[1], 77, 0);
        free(times);
        free(values);
    }
}

// Coverage: bases and levels of detail

static void undriven_joints_come_from_the_base(void **state) {
    (void)state;
    check_random random = {0xBA5E};
    print_message("seed 0xBA5E\n");
    check_rig rig;
    check_rig_init(&rig, 37, &random);
    sqt_pose_block base[SQT_POSE_BLOCKS(50)], under[CHECK_POSE_CAPACITY];
    check_random_pose(base, 50, &random);
    const uint16_t base_joints[] = {0, 3, 4, 20, 36};
    for (int variant = 0; variant < 6; ++variant) {
        const bool difference = variant % 2 == 1;
        const int kind = variant / 2; // none, listed, whole
        random_motion(&motion, 30, &random);
        motion.clip.flags = difference ? SQT_CLIP_DIFFERENCE : 0;
        if (kind == 1) motion.clip.base = (sqt_base_pose){base, base_joints, 5};
        if (kind == 2) motion.clip.base = (sqt_base_pose){base, NULL, 50};
        if (kind == 2) {
            memcpy(under, base, sizeof base);
        } else if (difference) {
            assert_int_equal(sqt_pose_identity(under, 37), SQT_OK);
        } else {
            memcpy(under, rig.rest, sizeof under);
        }
        for (uint32_t k = 0; kind == 1 && k < 5; ++k) sqt_pose_set(under, base_joints[k], sqt_pose_get(base, k));
        check_output output;
        check_output_reset(&output);
        assert_int_equal(sqt_channel_clip_validate(&motion.clip, &rig.skeleton, NULL), SQT_OK);
        assert_int_equal(sqt_channel_clip_sample(output.pose, &rig.skeleton, &motion.clip, NULL, 0.3), SQT_OK);
        check_output_assert_only(&output, SQT_POSE_BLOCKS(37));
        const double local = exact_local(&motion.clip.timeline, 0.3);
        for (uint32_t j = 0; j < 37; ++j) {
            assert_exact(sqt_pose_get(output.pose, j), exact_joint(&motion.clip, j, sqt_pose_get(under, j), local));
        }
        for (uint32_t j = 30; j < 37; ++j) { // without channels: the very bits
            const sqt_transform got = sqt_pose_get(output.pose, j), expected = sqt_pose_get(under, j);
            assert_memory_equal(&got, &expected, sizeof got);
        }
    }
}

static void a_base_that_is_the_pose_itself_is_sampled_over(void **state) {
    (void)state;
    check_random random = {0xBA5F};
    print_message("seed 0xBA5F\n");
    check_rig rig;
    check_rig_init(&rig, 37, &random);
    random_motion(&motion, 37, &random);
    sqt_pose_block under[SQT_POSE_BLOCKS(37)];
    check_random_pose(under, 37, &random);
    check_output apart, in_place;
    check_output_reset(&apart);
    check_output_reset(&in_place); // so that the lanes behind the last joint must be set as well
    for (uint32_t j = 0; j < 37; ++j) sqt_pose_set(in_place.pose, j, sqt_pose_get(under, j));
    motion.clip.base = (sqt_base_pose){under, NULL, 37};
    assert_int_equal(sqt_channel_clip_sample(apart.pose, &rig.skeleton, &motion.clip, NULL, 0.3), SQT_OK);
    motion.clip.base.pose = in_place.pose;
    assert_int_equal(sqt_channel_clip_sample(in_place.pose, &rig.skeleton, &motion.clip, NULL, 0.3), SQT_OK);
    assert_memory_equal(&apart, &in_place, sizeof apart);
}

static void a_level_of_detail_is_a_prefix_of_the_whole(void **state) {
    (void)state;
    check_random random = {0x10D};
    print_message("seed 0x10D\n");
    check_rig rig;
    check_rig_init(&rig, 37, &random);
    random_motion(&motion, 37, &random);
    sqt_pose_block whole[SQT_POSE_BLOCKS(37)];
    assert_int_equal(sqt_channel_clip_sample(whole, &rig.skeleton, &motion.clip, NULL, 0.4), SQT_OK);
    for (uint32_t joint_count = 1; joint_count < 37; ++joint_count) {
        sqt_skeleton level = rig.skeleton;
        level.joint_count = joint_count;
        check_output output;
        check_output_reset(&output);
        assert_int_equal(sqt_channel_clip_validate(&motion.clip, &level, NULL), SQT_OK);
        assert_int_equal(sqt_channel_clip_sample(output.pose, &level, &motion.clip, NULL, 0.4), SQT_OK);
        check_assert_pose_bits(output.pose, whole, joint_count);
        check_output_assert_only(&output, SQT_POSE_BLOCKS(joint_count));
    }
}

static void time_maps_through_the_timeline(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float times[] = {0, 1, 2}, values[] = {0, 10, 40};
    const sqt_channel channel = channel_of(0, SQT_TARGET_TRANSLATION_X, curve_of(times, values, 3, 1, SQT_LINEAR));
    sqt_channel_clip clip = clip_of(&channel, 1, 2);
    const double expected[3][4] = {{0, 40, 40, 5}, {25, 0, 5, 5}, {5, 40, 25, 5}}; // at -0.5, 2, 2.5, 0.5
    const double seconds[] = {-0.5, 2, 2.5, 0.5};
    for (uint32_t loop = SQT_LOOP_CLAMP; loop <= SQT_LOOP_PING_PONG; ++loop) {
        clip.timeline.loop = loop;
        for (int i = 0; i < 4; ++i) {
            const sqt_transform got = sample_joint(&rig, &clip, 0, seconds[i]);
            assert_close((double)got.translation.x, expected[loop][i], 1e-6);
        }
    }
}

static void a_duration_is_the_time_of_the_last_key(void **state) {
    (void)state;
    const float early[] = {-3, -1}, late[] = {0, 4.5f}, values[] = {0, 0};
    sqt_channel channels[] = {channel_of(0, SQT_TARGET_SCALE_X, curve_of(late, values, 2, 1, SQT_LINEAR)),
                              channel_of(0, SQT_TARGET_SCALE_X, curve_of(early, values, 2, 1, SQT_LINEAR))};
    sqt_channel_clip clip = clip_of(channels, 2, 0);
    assert_close((double)sqt_channel_clip_duration(&clip), 4.5, 0);
    clip.channels = channels + 1;
    clip.channel_count = 1;
    assert_close((double)sqt_channel_clip_duration(&clip), 0, 0); // a duration is never negative
    channels[1].curve.key_count = 0;
    assert_close((double)sqt_channel_clip_duration(&clip), 0, 0);
    clip = clip_of(NULL, 0, 9);
    assert_close((double)sqt_channel_clip_duration(&clip), 0, 0);
    clip.channel_count = 1; // which are not there
    assert_close((double)sqt_channel_clip_duration(&clip), 0, 0);
    assert_close((double)sqt_channel_clip_duration(NULL), 0, 0);
}

// Baking

enum { MAX_BAKED = 40 };

static sqt_pose_block baked_samples[MAX_BAKED * CHECK_POSE_CAPACITY + 1];

static void every_target_has_its_components(void **state) {
    (void)state;
    static const uint32_t expected[] = {4, 3, 3, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 0, 0};
    for (uint32_t target = 0; target < 15; ++target) {
        assert_int_equal(sqt_target_components(target), expected[target]);
    }
    assert_int_equal(sqt_target_components(0xFFFFFFFFu), 0);
}

static void sorted_channels_ascend_and_keep_their_order_within_a_joint(void **state) {
    (void)state;
    enum { MOST = 3000 };
    check_random random = {0x50F7};
    print_message("seed 0x50F7\n");
    static sqt_channel channels[MOST + 2];
    for (uint32_t round = 0; round < 600; ++round) {
        const uint32_t count = round < 200 ? round % 70 : check_random_below(&random, round % 20 ? 300 : MOST + 1);
        const uint32_t joints = 1 + check_random_below(&random, round % 3 ? 65535 : 12);
        memset(channels, 0xFF, sizeof channels);
        uint32_t counted = 0;
        for (uint32_t i = 0; i < count; ++i) { // as importers have them: any order, or each property for all joints
            const uint32_t joint = round % 5 == 0 ? i % (count / 3 + 1) : check_random_below(&random, joints);
            const sqt_channel channel = {
                .joint = (uint16_t)joint, .curve = {.key_count = i}, .target = (uint8_t)(i % 13)};
            channels[i + 1] = channel;
        }
        assert_int_equal(sqt_channel_sort(channels + 1, count), SQT_OK);
        static bool seen[MOST];
        memset(seen, 0, sizeof seen);
        for (uint32_t i = 0; i < count; ++i) {
            const sqt_channel *const c = channels + 1 + i;
            assert_true(c->curve.key_count < count && !seen[c->curve.key_count]);
            assert_int_equal(c->target, c->curve.key_count % 13); // the whole of it has moved
            seen[c->curve.key_count] = true;
            ++counted;
            if (i == 0) continue;
            assert_true(c[-1].joint < c->joint ||
                        (c[-1].joint == c->joint && c[-1].curve.key_count < c->curve.key_count));
        }
        assert_int_equal(counted, count);
        for (size_t i = 0; i < sizeof *channels; ++i) { // nothing beside them
            assert_int_equal(((const unsigned char *)channels)[i], 0xFF);
            assert_int_equal(((const unsigned char *)(channels + 1 + count))[i], 0xFF);
        }
    }
    assert_int_equal(sqt_channel_sort(NULL, 0), SQT_OK);
    assert_int_equal(sqt_channel_sort(NULL, 1), SQT_ERROR_NULL);
}

static void snapped_copy(sqt_pose_block *to, const sqt_pose_block *from, uint32_t joint_count) {
    memcpy(to, from, SQT_POSE_BLOCKS(joint_count) * sizeof *to);
    for (uint32_t b = 0; b < SQT_POSE_BLOCKS(joint_count); ++b) {
        float numbers[160];
        memcpy(numbers, to + b, sizeof numbers);
        for (int i = 0; i < 160; ++i) numbers[i] = fabsf(numbers[i]) < 1e-30f ? 0.0f : numbers[i];
        memcpy(to + b, numbers, sizeof numbers);
    }
}

static void a_baked_clip_has_the_same_bits_at_its_samples(void **state) {
    (void)state;
    check_random random = {0xBA4E};
    print_message("seed 0xBA4E\n");
    check_rig rig;
    uint16_t odd[CHECK_RIG_JOINTS];
    for (uint16_t k = 0; k < CHECK_RIG_JOINTS / 2; ++k) odd[k] = (uint16_t)(2 * k + 1);
    for (int round = 0; round < 300; ++round) {
        const uint32_t joint_count = 2 + check_random_below(&random, 38),
                       sample_count = 1 + (uint32_t)round % MAX_BAKED;
        const uint32_t flags = check_random_below(&random, 2) ? SQT_CLIP_CYCLIC : 0;
        const bool listed = check_random_below(&random, 2) != 0;
        check_rig_init(&rig, joint_count, &random);
        rig.rest[0].tx[0] = 1e-38f;
        rig.rest[0].tx[1] = -1e-31f;
        random_motion(&motion, joint_count, &random);
        motion.clip.timeline.loop = SQT_LOOP_CLAMP;
        motion.clip.authored_speed = 1.5f;
        const uint32_t kept = listed ? joint_count / 2 : joint_count, row_blocks = SQT_POSE_BLOCKS(kept);
        memset(baked_samples, 0xFF, sizeof baked_samples);
        sqt_pose_block scratch[CHECK_POSE_CAPACITY];
        sqt_clip baked;
        memset(&baked, 0xFF, sizeof baked);
        assert_int_equal(sqt_channel_clip_bake(&baked, baked_samples, &rig.skeleton, &motion.clip, listed ? odd : NULL,
                                               kept, sample_count, flags, listed ? scratch : NULL, NULL),
                         SQT_OK);
        const unsigned char *const behind = (const unsigned char *)(baked_samples + sample_count * row_blocks);
        for (size_t i = 0; i < sizeof *baked_samples; ++i) assert_int_equal(behind[i], 0xFF);
        assert_int_equal(baked.flags, flags);
        assert_int_equal(baked.rig_hash, CHECK_RIG_HASH);
        assert_int_equal(baked.sample_count, sample_count);
        assert_int_equal(baked.joint_count, kept);
        assert_true(baked.samples == baked_samples && baked.joints == (listed ? odd : NULL));
        assert_close((double)baked.authored_speed, 1.5, 0);
        assert_close((double)baked.timeline.duration_seconds, (double)motion.clip.timeline.duration_seconds, 0);
        assert_int_equal(sqt_clip_validate(&baked, &rig.skeleton, NULL), SQT_OK);
        const uint32_t intervals = flags ? sample_count : sample_count > 1 ? sample_count - 1 : 1;
        for (uint32_t i = 0; i < sample_count; ++i) {
            const double seconds = i * (double)motion.clip.timeline.duration_seconds / intervals;
            sqt_pose_block direct[CHECK_POSE_CAPACITY], expected[CHECK_POSE_CAPACITY], got[CHECK_POSE_CAPACITY];
            assert_int_equal(sqt_channel_clip_sample(direct, &rig.skeleton, &motion.clip, NULL, seconds), SQT_OK);
            snapped_copy(expected, direct, joint_count);
            assert_int_equal(sqt_clip_sample(got, &rig.skeleton, &baked, seconds, SQT_NLERP), SQT_OK);
            for (uint32_t j = 0; j < joint_count; ++j) {
                const bool covered = !listed || (j % 2 == 1 && j / 2 < kept);
                const sqt_transform a = sqt_pose_get(got, j);
                const sqt_transform b = sqt_pose_get(covered ? expected : rig.rest, j);
                assert_memory_equal(&a, &b, sizeof a);
            }
            sqt_pose_block row[CHECK_POSE_CAPACITY];
            for (uint32_t k = 0; k < kept; ++k) { sqt_pose_set(row, k, sqt_pose_get(expected, listed ? odd[k] : k)); }
            check_assert_pose_bits(baked_samples + i * row_blocks, row, kept);
        }
    }
}

static void baking_ignores_how_the_clip_is_played(void **state) {
    (void)state;
    check_rig rig;
    small_rig(&rig);
    const float times[] = {0, 2}, values[] = {0, 20};
    const sqt_channel channel = channel_of(0, SQT_TARGET_TRANSLATION_X, curve_of(times, values, 2, 1, SQT_LINEAR));
    sqt_channel_clip clip = clip_of(&channel, 1, 2);
    for (uint32_t loop = SQT_LOOP_CLAMP; loop <= SQT_LOOP_PING_PONG; ++loop) {
        clip.timeline.loop = loop;
        sqt_pose_block samples[5];
        sqt_clip baked;
        assert_int_equal(sqt_channel_clip_bake(&baked, samples, &rig.skeleton, &clip, NULL, 3, 5, 0, NULL, NULL),
                         SQT_OK);
        for (int i = 0; i < 5; ++i) assert_close((double)samples[i].tx[0], 5 * i, 1e-6); // the last is not the first
        assert_int_equal(baked.timeline.loop, loop);
        assert_int_equal(
            sqt_channel_clip_bake(&baked, samples, &rig.skeleton, &clip, NULL, 3, 5, SQT_CLIP_CYCLIC, NULL, NULL),
            SQT_OK);
        for (int i = 0; i < 5; ++i) assert_close((double)samples[i].tx[0], 4 * i, 1e-6);
    }
}

static void a_baked_difference_stays_one(void **state) {
    (void)state;
    check_random random = {41};
    check_rig rig;
    small_rig(&rig);
    const float times[] = {0, 2}, values[] = {0, 20};
    const sqt_channel channel = channel_of(1, SQT_TARGET_TRANSLATION_X, curve_of(times, values, 2, 1, SQT_LINEAR));
    sqt_channel_clip clip = clip_of(&channel, 1, 2);
    sqt_pose_block base[1], samples[2], scratch[1], pose[1];
    check_random_pose(base, 1, &random);
    const uint16_t base_joint = 2, kept = 1;
    clip.flags = SQT_CLIP_DIFFERENCE;
    clip.base = (sqt_base_pose){base, &base_joint, 1};
    sqt_clip baked;
    assert_int_equal(
        sqt_channel_clip_bake(&baked, samples, &rig.skeleton, &clip, &kept, 1, 2, SQT_CLIP_CYCLIC, scratch, NULL),
        SQT_OK);
    assert_int_equal(baked.flags, SQT_CLIP_CYCLIC | SQT_CLIP_DIFFERENCE);
    assert_int_equal(sqt_clip_sample(pose, &rig.skeleton, &baked, 1, SQT_NLERP), SQT_OK);
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY, based = sqt_pose_get(base, 0);
    const sqt_transform first = sqt_pose_get(pose, 0), second = sqt_pose_get(pose, 1), third = sqt_pose_get(pose, 2);
    assert_memory_equal(&first, &identity, sizeof first);
    assert_close((double)second.translation.x, 10, 1e-6);
    assert_memory_equal(&third, &based, sizeof third);
}

static void baking_refuses_what_it_cannot_bake(void **state) {
    (void)state;
    sqt_fault fault;
    check_rig rig;
    small_rig(&rig);
    const float times[] = {0, 2}, values[] = {0, 20};
    const sqt_channel channel = channel_of(1, SQT_TARGET_TRANSLATION_X, curve_of(times, values, 2, 1, SQT_LINEAR));
    sqt_channel_clip clip = clip_of(&channel, 1, 2);
    const sqt_skeleton *const s = &rig.skeleton;
    sqt_pose_block samples[2], scratch[1];
    sqt_clip baked, untouched;
    memset(&baked, 0xFF, sizeof baked);
    memset(&untouched, 0xFF, sizeof untouched);
    const uint16_t kept[] = {0, 2}, high[] = {0, 3}, descending[] = {2, 0}, twice[] = {1, 1};
    assert_int_equal(sqt_channel_clip_bake(NULL, samples, s, &clip, NULL, 3, 2, 0, NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "baked", 0, 0);
    assert_int_equal(sqt_channel_clip_bake(&baked, NULL, s, &clip, NULL, 3, 2, 0, NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "samples", 0, 0);
    assert_int_equal(sqt_channel_clip_bake(&baked, samples, NULL, &clip, NULL, 3, 2, 0, NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "skeleton", 0, 0);
    assert_int_equal(sqt_channel_clip_bake(&baked, samples, s, NULL, NULL, 3, 2, 0, NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "clip", 0, 0);
    assert_int_equal(sqt_channel_clip_bake(&baked, samples, s, &clip, kept, 2, 2, 0, NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "scratch", 0, 0);
    assert_int_equal(sqt_channel_clip_bake(&baked, samples, s, &clip, NULL, 2, 2, 0, NULL, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joint_count", 0, 0);
    assert_int_equal(sqt_channel_clip_bake(&baked, samples, s, &clip, NULL, 3, 0, 0, NULL, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "sample_count", 0, 0);
    assert_int_equal(sqt_channel_clip_bake(&baked, samples, s, &clip, high, 2, 2, 0, scratch, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 1, 0);
    assert_int_equal(sqt_channel_clip_bake(&baked, samples, s, &clip, descending, 2, 2, 0, scratch, &fault),
                     SQT_ERROR_ORDER);
    assert_fault(fault, "joints", 1, 0);
    assert_int_equal(sqt_channel_clip_bake(&baked, samples, s, &clip, twice, 2, 2, 0, scratch, &fault),
                     SQT_ERROR_ORDER);
    assert_fault(fault, "joints", 1, 0);
    assert_int_equal(sqt_channel_clip_bake(&baked, samples, s, &clip, NULL, 3, 2, 2, NULL, &fault), SQT_ERROR_FLAG);
    assert_fault(fault, "flags", 0, 0);
    clip.rig_hash = 1;
    assert_int_equal(sqt_channel_clip_bake(&baked, samples, s, &clip, NULL, 3, 2, 0, NULL, &fault), SQT_ERROR_RIG);
    assert_fault(fault, "clip", 0, 0);
    clip.rig_hash = 0;
    clip.timeline.duration_seconds = NAN;
    assert_int_equal(sqt_channel_clip_bake(&baked, samples, s, &clip, NULL, 3, 2, 0, NULL, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "clip", 0, 0);
    assert_memory_equal(&baked, &untouched, sizeof baked);
    clip.timeline.duration_seconds = 2;
    assert_int_equal(sqt_channel_clip_bake(&baked, samples, s, &clip, kept, 2, 2, 0, scratch, NULL), SQT_OK);
}

// What is refused

static void a_curve_that_is_wrong_is_refused(void **state) {
    (void)state;
    float times[] = {0, 1, 2, 3}, values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const sqt_curve good = curve_of(times, values, 4, 1, SQT_CUBIC);
    const struct {
        sqt_curve curve;
        sqt_result result;
        const char *field;
    } cases[] = {
        {curve_of(NULL, values, 4, 1, SQT_LINEAR), SQT_ERROR_NULL, "times"},
        {curve_of(times, NULL, 4, 1, SQT_LINEAR), SQT_ERROR_NULL, "values"},
        {curve_of(times, values, 0, 1, SQT_LINEAR), SQT_ERROR_COUNT, "key_count"},
        {curve_of(times, values, 4, 0, SQT_LINEAR), SQT_ERROR_COUNT, "component_count"},
        {curve_of(times, values, 4, 5, SQT_LINEAR), SQT_ERROR_COUNT, "component_count"},
        {curve_of(times, values, 4, 1, 3), SQT_ERROR_FLAG, "interpolation"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        sqt_fault fault = {NULL, 9, 9};
        float value = 77;
        uint32_t cursor = 55;
        assert_int_equal(sqt_curve_validate(&cases[i].curve, &fault), cases[i].result);
        assert_fault(fault, cases[i].field, 0, 0);
        assert_int_equal(sqt_curve_sample(&value, &cases[i].curve, &cursor, 0), cases[i].result);
        assert_close((double)value, 77, 0);
        assert_int_equal(cursor, 55);
    }
    float value = 77;
    assert_int_equal(sqt_curve_sample(NULL, &good, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_curve_sample(&value, NULL, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_curve_sample(&value, &good, NULL, (double)NAN), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_curve_sample(&value, &good, NULL, -(double)INFINITY), SQT_ERROR_NUMBER);
    assert_close((double)value, 77, 0);
    sqt_fault fault = {NULL, 9, 9};
    assert_int_equal(sqt_curve_validate(NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "curve", 0, 0);
    assert_int_equal(sqt_curve_validate(&good, NULL), SQT_OK);
    for (uint32_t k = 0; k < 4; ++k) {
        times[k] = k % 2 ? NAN : INFINITY;
        assert_int_equal(sqt_curve_validate(&good, &fault), SQT_ERROR_NUMBER);
        assert_fault(fault, "times", 0, k);
        times[k] = (float)k;
        for (uint32_t i = 0; i < 3; ++i) { // tangents as well as values
            values[3 * k + i] = k % 2 ? -INFINITY : NAN;
            assert_int_equal(sqt_curve_validate(&good, &fault), SQT_ERROR_NUMBER);
            assert_fault(fault, "values", 0, k);
            values[3 * k + i] = 0;
        }
    }
    times[2] = 0.5f;
    assert_int_equal(sqt_curve_validate(&good, &fault), SQT_ERROR_ORDER);
    assert_fault(fault, "times", 0, 2);
}

/// A small clip with its own arrays, to break one thing at a time.
typedef struct breakable {
    float times[2], values[2 * 12];
    sqt_channel channels[4];
    sqt_channel_clip clip;
    check_rig rig;
} breakable;

static void breakable_init(breakable *b) {
    check_random random = {51};
    memset(b, 0, sizeof *b);
    check_rig_init(&b->rig, 20, &random);
    b->times[1] = 1;
    for (int i = 0; i < 24; ++i) b->values[i] = 0.1f * (float)(i + 1);
    b->channels[0] = channel_of(1, SQT_TARGET_TRANSLATION, curve_of(b->times, b->values, 2, 3, SQT_LINEAR));
    b->channels[1] = channel_of(4, SQT_TARGET_ROTATION, curve_of(b->times, b->values, 2, 4, SQT_CUBIC));
    b->channels[2] = channel_of(19, SQT_TARGET_EULER_X, curve_of(b->times, b->values, 2, 1, SQT_STEP));
    b->channels[3] = channel_of(19, SQT_TARGET_EULER_Z, curve_of(b->times, b->values, 2, 1, SQT_STEP));
    b->channels[2].euler_order = b->channels[3].euler_order = SQT_EULER_ZXY;
    b->clip = clip_of(b->channels, 4, 1);
    b->clip.rig_hash = CHECK_RIG_HASH;
}

/// Validation refuses it with this fault; sampling, where it looks at such a thing, with the same result, and without
/// having written anything.
static void assert_refused(const breakable *b, sqt_result result, const char *field, uint32_t index, uint32_t element,
                           bool sampling_too) {
    sqt_fault fault = {NULL, 99, 99};
    assert_int_equal(sqt_channel_clip_validate(&b->clip, &b->rig.skeleton, &fault), result);
    assert_fault(fault, field, index, element);
    assert_int_equal(sqt_channel_clip_validate(&b->clip, &b->rig.skeleton, NULL), result);
    if (!sampling_too) return;
    check_output output;
    check_output_reset(&output);
    uint32_t cursors[4] = {7, 7, 7, 7};
    assert_int_equal(sqt_channel_clip_sample(output.pose, &b->rig.skeleton, &b->clip, cursors, 0.5), result);
    check_output_assert_only(&output, 0);
    for (int i = 0; i < 4; ++i) assert_int_equal(cursors[i], 7);
}

static void validation_names_each_wrong_field_of_a_clip(void **state) {
    (void)state;
    breakable b;
    breakable_init(&b);
    sqt_fault fault = {NULL, 99, 99};
    assert_int_equal(sqt_channel_clip_validate(&b.clip, &b.rig.skeleton, &fault), SQT_OK);
    assert_null(fault.field);
    assert_int_equal(sqt_channel_clip_validate(NULL, &b.rig.skeleton, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "clip", 0, 0);
    assert_int_equal(sqt_channel_clip_validate(&b.clip, NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "skeleton", 0, 0);

    b.clip.channels = NULL;
    assert_refused(&b, SQT_ERROR_NULL, "channels", 0, 0, true);
    breakable_init(&b), b.clip.flags = SQT_CLIP_CYCLIC;
    assert_refused(&b, SQT_ERROR_FLAG, "flags", 0, 0, true);
    breakable_init(&b), b.clip.timeline.loop = 3;
    assert_refused(&b, SQT_ERROR_FLAG, "loop", 0, 0, true);
    const float durations[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof durations / sizeof *durations; ++i) {
        breakable_init(&b), b.clip.timeline.duration_seconds = durations[i];
        assert_refused(&b, SQT_ERROR_NUMBER, "duration_seconds", 0, 0, true);
    }
    breakable_init(&b), b.clip.authored_speed = NAN;
    assert_refused(&b, SQT_ERROR_NUMBER, "authored_speed", 0, 0, false);
    breakable_init(&b), b.clip.rig_hash = 1;
    assert_refused(&b, SQT_ERROR_RIG, "rig_hash", 0, 0, true);
    breakable_init(&b), b.clip.base.joint_count = 20;
    assert_refused(&b, SQT_ERROR_NULL, "base", 0, 0, false);
    breakable_init(&b), b.clip.base = (sqt_base_pose){b.rig.rest, NULL, 19};
    assert_refused(&b, SQT_ERROR_COUNT, "base", 0, 0, true);
    breakable_init(&b), b.clip.base = (sqt_base_pose){b.rig.rest, NULL, 20}, b.rig.rest[1].rx[2] = NAN;
    assert_refused(&b, SQT_ERROR_NUMBER, "base", 0, 18, false);
    const uint16_t descending[] = {3, 2}, outside[] = {3, 20};
    breakable_init(&b), b.clip.base = (sqt_base_pose){b.rig.rest, descending, 2};
    assert_refused(&b, SQT_ERROR_ORDER, "base.joints", 1, 0, false);
    b.clip.base.joints = outside;
    assert_refused(&b, SQT_ERROR_COUNT, "base.joints", 1, 0, false);
}

static void validation_names_each_wrong_field_of_a_channel(void **state) {
    (void)state;
    breakable b;
    for (uint32_t i = 0; i < 4; ++i) {
        breakable_init(&b), b.channels[i].target = SQT_TARGET_EULER_Z + 1;
        assert_refused(&b, SQT_ERROR_FLAG, "target", i, 0, true);
        breakable_init(&b), b.channels[i].curve.times = NULL;
        assert_refused(&b, SQT_ERROR_NULL, "times", i, 0, true);
        breakable_init(&b), b.channels[i].curve.values = NULL;
        assert_refused(&b, SQT_ERROR_NULL, "values", i, 0, true);
        breakable_init(&b), b.channels[i].curve.key_count = 0;
        assert_refused(&b, SQT_ERROR_COUNT, "key_count", i, 0, true);
        breakable_init(&b), b.channels[i].curve.component_count = 2; // no target has two
        assert_refused(&b, SQT_ERROR_COUNT, "component_count", i, 0, true);
        breakable_init(&b), b.channels[i].curve.interpolation = 3;
        assert_refused(&b, SQT_ERROR_FLAG, "interpolation", i, 0, true);
        breakable_init(&b), b.channels[i].joint = 20;
        assert_refused(&b, SQT_ERROR_COUNT, "joint", i, 0, false);
        const float wrong[] = {2, NAN};
        float times[2] = {wrong[0], 1}, values[24] = {0};
        breakable_init(&b), b.channels[i].curve.times = times;
        assert_refused(&b, SQT_ERROR_ORDER, "times", i, 1, false);
        times[0] = wrong[1];
        assert_refused(&b, SQT_ERROR_NUMBER, "times", i, 0, false);
        memcpy(values, b.values, sizeof values);
        const size_t key_floats = b.channels[i].curve.component_count * (i == 1 ? 3u : 1u);
        values[2 * key_floats - 1] = INFINITY; // the very last number
        breakable_init(&b), b.channels[i].curve.values = values;
        assert_refused(&b, SQT_ERROR_NUMBER, "values", i, 1, false);
    }
    breakable_init(&b), b.channels[1].joint = 0;
    assert_refused(&b, SQT_ERROR_ORDER, "joint", 1, 0, false);
    breakable_init(&b), b.channels[3].joint = 18;
    assert_refused(&b, SQT_ERROR_ORDER, "joint", 3, 0, false);
}

static void validation_names_wrong_angles_and_rotations(void **state) {
    (void)state;
    breakable b;
    breakable_init(&b), b.channels[2].euler_order = 6;
    assert_refused(&b, SQT_ERROR_FLAG, "euler_order", 2, 0, true);
    breakable_init(&b), b.channels[0].euler_order = 6; // no Euler target: not looked at
    assert_int_equal(sqt_channel_clip_validate(&b.clip, &b.rig.skeleton, NULL), SQT_OK);
    breakable_init(&b), b.channels[3].euler_order = SQT_EULER_XYZ; // two orders on one joint
    assert_refused(&b, SQT_ERROR_FLAG, "euler_order", 3, 0, false);
    b.channels[2].joint = 18; // on two joints
    assert_int_equal(sqt_channel_clip_validate(&b.clip, &b.rig.skeleton, NULL), SQT_OK);
    breakable_init(&b), b.channels[2].euler_base.y = NAN;
    assert_refused(&b, SQT_ERROR_NUMBER, "euler_base", 2, 1, false);
    breakable_init(&b), b.channels[3].euler_base.z = INFINITY;
    assert_refused(&b, SQT_ERROR_NUMBER, "euler_base", 3, 2, false);
    breakable_init(&b), b.channels[3].euler_base.x += 1; // two bases on one joint
    assert_refused(&b, SQT_ERROR_NUMBER, "euler_base", 3, 0, false);
    breakable_init(&b), b.channels[3].euler_base.y += 1;
    assert_refused(&b, SQT_ERROR_NUMBER, "euler_base", 3, 1, false);
    breakable_init(&b), b.channels[3].euler_base.z += 1;
    assert_refused(&b, SQT_ERROR_NUMBER, "euler_base", 3, 2, false);
    breakable_init(&b);
    for (int i = 0; i < 4; ++i) b.values[12 + 4 + i] = 0; // cubic: the value of key 1
    assert_refused(&b, SQT_ERROR_NUMBER, "values", 1, 1, false);
    breakable_init(&b), b.channels[1].curve.interpolation = SQT_LINEAR;
    for (int i = 0; i < 4; ++i) b.values[i] = 0;
    assert_refused(&b, SQT_ERROR_NUMBER, "values", 1, 0, false);
    b.values[2] = 0.999e-15f; // shorter than 1e-15 there is no direction
    assert_refused(&b, SQT_ERROR_NUMBER, "values", 1, 0, false);
    b.values[2] = 1.001e-15f;
    assert_int_equal(sqt_channel_clip_validate(&b.clip, &b.rig.skeleton, NULL), SQT_OK);
    breakable_init(&b);
    for (int i = 0; i < 4; ++i) b.values[i] = b.values[8 + i] = 0; // zero tangents are fine
    assert_int_equal(sqt_channel_clip_validate(&b.clip, &b.rig.skeleton, NULL), SQT_OK);
}

static void sampling_refuses_what_it_cannot_play(void **state) {
    (void)state;
    breakable b;
    breakable_init(&b);
    check_output output;
    check_output_reset(&output);
    sqt_pose_block *const pose = output.pose;
    sqt_skeleton s = b.rig.skeleton;
    assert_int_equal(sqt_channel_clip_sample(NULL, &s, &b.clip, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_channel_clip_sample(pose, NULL, &b.clip, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_channel_clip_sample(pose, &s, NULL, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_channel_clip_sample(pose, &s, &b.clip, NULL, (double)NAN), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_channel_clip_sample(pose, &s, &b.clip, NULL, (double)INFINITY), SQT_ERROR_NUMBER);
    s.joint_count = 0;
    assert_int_equal(sqt_channel_clip_sample(pose, &s, &b.clip, NULL, 0), SQT_ERROR_COUNT);
    s.joint_count = SQT_MAX_JOINTS + 1;
    assert_int_equal(sqt_channel_clip_sample(pose, &s, &b.clip, NULL, 0), SQT_ERROR_COUNT);
    s = b.rig.skeleton;
    s.rest = NULL;
    assert_int_equal(sqt_channel_clip_sample(pose, &s, &b.clip, NULL, 0), SQT_ERROR_NULL);
    check_output_assert_only(&output, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_curve_clamps_to_its_own_keys),
        cmocka_unit_test(cubic_tangents_follow_the_formula),
        cmocka_unit_test(step_holds_the_earlier_key),
        cmocka_unit_test(of_equal_times_the_last_key_counts),
        cmocka_unit_test(a_key_gives_its_value_bit_for_bit),
        cmocka_unit_test(channels_agree_with_double_precision),
        cmocka_unit_test(curves_are_exact_to_the_last_digit_of_a_float),
        cmocka_unit_test(rotations_near_a_half_turn_take_the_arc_of_double_precision),
        cmocka_unit_test(sign_flipped_keys_give_one_rotation),
        cmocka_unit_test(a_channel_that_ends_early_holds_its_last_value),
        cmocka_unit_test(one_joint_may_step_and_turn),
        cmocka_unit_test(one_key_and_no_length_give_the_key_at_every_time),
        cmocka_unit_test(missing_channels_use_the_rest_pose),
        cmocka_unit_test(a_clip_without_a_channel_blends_from_the_rest),
        cmocka_unit_test(keys_that_are_not_unit_are_normalised),
        cmocka_unit_test(interpolation_runs_from_the_earlier_to_the_later_key),
        cmocka_unit_test(single_angles_of_a_joint_act_together),
        cmocka_unit_test(angles_that_no_channel_drives_come_from_the_base),
        cmocka_unit_test(a_later_angle_replaces_its_part_of_a_triple),
        cmocka_unit_test(the_later_of_angles_and_rotation_wins),
        cmocka_unit_test(each_target_drives_its_own_component),
        cmocka_unit_test(within_a_joint_the_later_channel_wins),
        cmocka_unit_test(no_cursor_changes_a_curve),
        cmocka_unit_test(cursors_shared_by_clips_and_random_seeks_change_nothing),
        cmocka_unit_test(each_channel_keeps_its_own_cursor),
        cmocka_unit_test(hostile_times_and_cursors_stay_within_the_arrays),
        cmocka_unit_test(undriven_joints_come_from_the_base),
        cmocka_unit_test(a_base_that_is_the_pose_itself_is_sampled_over),
        cmocka_unit_test(a_level_of_detail_is_a_prefix_of_the_whole),
        cmocka_unit_test(time_maps_through_the_timeline),
        cmocka_unit_test(a_duration_is_the_time_of_the_last_key),
        cmocka_unit_test(every_target_has_its_components),
        cmocka_unit_test(sorted_channels_ascend_and_keep_their_order_within_a_joint),
        cmocka_unit_test(a_baked_clip_has_the_same_bits_at_its_samples),
        cmocka_unit_test(baking_ignores_how_the_clip_is_played),
        cmocka_unit_test(a_baked_difference_stays_one),
        cmocka_unit_test(baking_refuses_what_it_cannot_bake),
        cmocka_unit_test(a_curve_that_is_wrong_is_refused),
        cmocka_unit_test(validation_names_each_wrong_field_of_a_clip),
        cmocka_unit_test(validation_names_each_wrong_field_of_a_channel),
        cmocka_unit_test(validation_names_wrong_angles_and_rotations),
        cmocka_unit_test(sampling_refuses_what_it_cannot_play),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
