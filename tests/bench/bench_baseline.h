// The baseline: what a user would write without sqt, with cglm, one joint and one vertex at a time. bench_baseline.c is
// compiled twice: with the flags of everything else, and for the machine that builds it (-march=native).
#ifndef BENCH_BASELINE_H
#define BENCH_BASELINE_H

#include <stdbool.h>
#include <stdint.h>

#include <cglm/cglm.h>

/// Only arrays of these cross between the two compilations, allocated at 64 bytes: cglm's alignment of mat4 depends on
/// the flags, its size does not.
typedef struct baseline_joint {
    versor rotation;
    vec3 translation, scale;
} baseline_joint;

typedef struct baseline_clip {
    float duration, rate; ///< seconds, samples a second
    uint32_t sample_count;
    uint32_t joint_count;
    baseline_joint *samples; ///< [sample_count * joint_count]
} baseline_clip;

typedef struct baseline_mesh {
    uint32_t vertex_count, influence_count;
    vec3 *positions, *normals; ///< normals NULL: not wanted
    vec4 *tangents;            ///< NULL: not wanted
    uint16_t *joints;          ///< [vertex_count * influence_count]
    float *weights;
    vec3 *out_positions, *out_normals;
    vec4 *out_tangents;
    bool plain_normals, raw_normals;
} baseline_mesh;

typedef struct bench_baseline {
    const char *name;
    void (*sample)(baseline_joint *out, const baseline_clip *clip, double seconds, bool slerp);
    void (*blend)(baseline_joint *out, baseline_joint *a, baseline_joint *b, const float *mask, float weight,
                  uint32_t joint_count, bool slerp);
    void (*blend3)(baseline_joint *out, baseline_joint *const *inputs, const float weights[3], uint32_t joint_count);
    void (*add)(baseline_joint *out, baseline_joint *base, baseline_joint *difference, float weight,
                uint32_t joint_count, bool slerp);
    void (*global)(mat4 *global, const uint16_t *parents, baseline_joint *local, uint32_t joint_count);
    void (*palette)(mat4 *palette, mat4 *global, mat4 *inverse_bind, uint32_t joint_count);
    void (*skin)(const baseline_mesh *mesh, mat4 *palette);
} bench_baseline;

const bench_baseline *bench_baseline_plain(void);

/// NULL where the build has no -march=native.
const bench_baseline *bench_baseline_native(void);

#endif
