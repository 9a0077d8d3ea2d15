// The kernels, in the vocabulary of the set that includes this file. They assume checked arguments.

#include "../pose_lanes.h"

#include "joint.inl"

#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 16") // -O2 does not unroll loops over vectors by itself
#else
#define UNROLL
#endif

// ---------------------------------------------------------------------------------------------- blend

FN vq load_rotation(const sqt_pose_block *block, uint32_t lane) {
    const vq q = {vf_load(block->rx + lane), vf_load(block->ry + lane), vf_load(block->rz + lane),
                  vf_load(block->rw + lane)};
    return q;
}

FN void blend_lanes(sqt_pose_block *out, const sqt_pose_block *a, const sqt_pose_block *b, uint32_t lane, vf t,
                    bool slerp, bool masked) {
    const vf s = vf_sub(vf_set1(1.0f), t);
    const vq qa = load_rotation(a, lane), qb = load_rotation(b, lane);
    vq q = slerp ? vq_slerp(qa, qb, t) : vq_nlerp(qa, qb, t);
    if (masked) {
        const vm none = vf_equal(t, vf_set1(0.0f)), all = vf_equal(t, vf_set1(1.0f));
        q.x = vf_select(none, qa.x, vf_select(all, qb.x, q.x));
        q.y = vf_select(none, qa.y, vf_select(all, qb.y, q.y));
        q.z = vf_select(none, qa.z, vf_select(all, qb.z, q.z));
        q.w = vf_select(none, qa.w, vf_select(all, qb.w, q.w));
    }
    vf_store(out->rx + lane, q.x);
    vf_store(out->ry + lane, q.y);
    vf_store(out->rz + lane, q.z);
    vf_store(out->rw + lane, q.w);
    vf_store(out->tx + lane, vf_lerp(vf_load(a->tx + lane), s, vf_load(b->tx + lane), t));
    vf_store(out->ty + lane, vf_lerp(vf_load(a->ty + lane), s, vf_load(b->ty + lane), t));
    vf_store(out->tz + lane, vf_lerp(vf_load(a->tz + lane), s, vf_load(b->tz + lane), t));
    vf_store(out->sx + lane, vf_lerp(vf_load(a->sx + lane), s, vf_load(b->sx + lane), t));
    vf_store(out->sy + lane, vf_lerp(vf_load(a->sy + lane), s, vf_load(b->sy + lane), t));
    vf_store(out->sz + lane, vf_lerp(vf_load(a->sz + lane), s, vf_load(b->sz + lane), t));
}

FN void blend_blocks(sqt_pose_block *out, const sqt_pose_block *a, const sqt_pose_block *b, const float *mask,
                     float weight, uint32_t joint_count, bool slerp) {
    const vf uniform = vf_set1(weight);
    sqt_pose_block *const pose = out;
    for (uint32_t first = 0; first < joint_count; first += SQT_POSE_LANES, ++out, ++a, ++b) {
        const uint32_t count = joint_count - first < SQT_POSE_LANES ? joint_count - first : SQT_POSE_LANES;
        float tail[SQT_POSE_LANES];
        const float *weights = mask ? mask + first : NULL;
        if (mask && count < SQT_POSE_LANES) { // the mask ends with the last joint
            memset(tail, 0, sizeof tail);
            memcpy(tail, weights, count * sizeof *tail);
            weights = tail;
        }
        for (uint32_t lane = 0; lane < count; lane += LANES) {
            const vf t = mask ? vf_mul(uniform, vf_load(weights + lane)) : uniform;
            blend_lanes(out, a, b, lane, t, slerp, mask != NULL);
        }
    }
    sqt_pose_pad(pose, joint_count);
}

KERNEL void blend(sqt_pose_block *out, const sqt_pose_block *a, const sqt_pose_block *b, const float *mask,
                  float weight, uint32_t joint_count, bool slerp) {
    if (slerp && mask) {
        blend_blocks(out, a, b, mask, weight, joint_count, true);
    } else if (slerp) {
        blend_blocks(out, a, b, NULL, weight, joint_count, true);
    } else if (mask) {
        blend_blocks(out, a, b, mask, weight, joint_count, false);
    } else {
        blend_blocks(out, a, b, NULL, weight, joint_count, false);
    }
}

// ---------------------------------------------------------------------------------------------- global poses, palettes

FN void store_local_matrices(float *m, const sqt_pose_block *block, uint32_t lane) {
    vf rows[12];
    vf_matrix_from_joint(rows, load_rotation(block, lane), vf_load(block->sx + lane), vf_load(block->sy + lane),
                         vf_load(block->sz + lane));
    rows[9] = vf_load(block->tx + lane);
    rows[10] = vf_load(block->ty + lane);
    rows[11] = vf_load(block->tz + lane);
    m4_store_lanes(m, rows);
}

// Two passes: every local matrix into the output, LANES at a time, then in place along the schedule. Going level by
// level keeps a joint away from its parent, so that the products do not wait for one another.
KERNEL void global(sqt_mat4 *global, const uint16_t *parents, const uint16_t *schedule, const sqt_pose_block *local,
                   const sqt_mat4 *root, uint32_t joint_count) {
    for (uint32_t first = 0; first < joint_count; first += LANES) {
        const sqt_pose_block *block = local + first / SQT_POSE_LANES;
        const uint32_t lane = first % SQT_POSE_LANES;
        if (joint_count - first >= LANES) {
            store_local_matrices(global[first].m, block, lane);
        } else {
            sqt_mat4 tail[LANES];
            store_local_matrices(tail[0].m, block, lane);
            memcpy(global + first, tail, (joint_count - first) * sizeof *tail);
        }
    }
    for (uint32_t i = 0, done = 0; done < joint_count; ++i) {
        const uint32_t joint = schedule[i];
        if (joint >= joint_count) continue; // a level of detail leaves out the last joints
        ++done;
        const uint32_t parent = parents[joint];
        const sqt_mat4 *above = parent == SQT_NO_JOINT ? root : global + parent;
        if (above) m4_store(global[joint].m, m4_product(above->m, global[joint].m));
    }
}

FN m4 skin_matrix(uint32_t k, const uint16_t *joints, const sqt_mat4 *inverse_bind, const sqt_mat4 *global,
                  const sqt_mat4 *model_to_world) {
    const float *const joint = global[joints ? joints[k] : k].m;
    const m4 model = inverse_bind ? m4_product(joint, inverse_bind[k].m) : m4_load(joint);
    if (!model_to_world) return model;
    sqt_mat4 m;
    m4_store(m.m, model);
    return m4_product(model_to_world->m, m.m);
}

KERNEL void palette(sqt_mat4 *palette, const uint16_t *joints, const sqt_mat4 *inverse_bind, const sqt_mat4 *global,
                    const sqt_mat4 *model_to_world, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        m4_store(palette[k].m, skin_matrix(k, joints, inverse_bind, global, model_to_world));
    }
}

KERNEL void palette_3x4(sqt_mat3x4 *palette, const uint16_t *joints, const sqt_mat4 *inverse_bind,
                        const sqt_mat4 *global, const sqt_mat4 *model_to_world, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        m4_store_rows(palette[k].m, skin_matrix(k, joints, inverse_bind, global, model_to_world));
    }
}

// ---------------------------------------------------------------------------------------------- skinning

FN uint32_t load_index(const char *p, uint32_t format) {
    if (format == SQT_FORMAT_U8) return (uint8_t)*p;
    if (format == SQT_FORMAT_U16) {
        uint16_t x;
        memcpy(&x, p, sizeof x);
        return x;
    }
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

FN float load_weight(const char *p, uint32_t format) {
    if (format == SQT_FORMAT_UNORM8) return (float)(uint8_t)*p / 255.0f;
    if (format == SQT_FORMAT_UNORM16) {
        uint16_t x;
        memcpy(&x, p, sizeof x);
        return (float)x / 65535.0f;
    }
    float x;
    memcpy(&x, p, sizeof x);
    return x;
}

FN size_t index_size(uint32_t format) { return format == SQT_FORMAT_U8 ? 1 : format == SQT_FORMAT_U16 ? 2 : 4; }

FN size_t weight_size(uint32_t format) {
    return format == SQT_FORMAT_UNORM8 ? 1 : format == SQT_FORMAT_UNORM16 ? 2 : 4;
}

/// ((m0 w0 + m1 w1) + m2 w2) + ...; zero without influences.
FN m4 blended_matrix(const sqt_skin_job *job, uint32_t vertex) {
    const char *joint, *weight;
    size_t joint_step, weight_step;
    uint32_t count;
    if (job->influence_offsets) {
        const uint32_t first = job->influence_offsets[vertex];
        count = job->influence_offsets[vertex + 1] - first;
        joint = job->joints + first * job->joint_stride;
        weight = job->weights + first * job->weight_stride;
        joint_step = job->joint_stride;
        weight_step = job->weight_stride;
    } else {
        count = job->influence_count;
        joint = job->joints + vertex * job->joint_stride;
        weight = job->weights + vertex * job->weight_stride;
        joint_step = index_size(job->joint_format);
        weight_step = weight_size(job->weight_format);
    }
    m4 sum = m4_zero();
    for (uint32_t i = 0; i < count; ++i, joint += joint_step, weight += weight_step) {
        const float *const m = job->palette[load_index(joint, job->joint_format)].m;
        const m4 term = m4_scaled(m, load_weight(weight, job->weight_format));
        sum = i == 0 ? term : m4_add(sum, term);
    }
    return sum;
}

typedef struct v3 {
    vf x, y, z;
} v3;

FN v3 v3_cross(v3 a, v3 b) {
    const v3 r = {vf_sub(vf_mul(a.y, b.z), vf_mul(a.z, b.y)), vf_sub(vf_mul(a.z, b.x), vf_mul(a.x, b.z)),
                  vf_sub(vf_mul(a.x, b.y), vf_mul(a.y, b.x))};
    return r;
}

FN vf v3_dot(v3 a, v3 b) { return vf_add(vf_add(vf_mul(a.x, b.x), vf_mul(a.y, b.y)), vf_mul(a.z, b.z)); }

/// (c0 x + c2 z) + c1 y.
FN v3 v3_transform(v3 c0, v3 c1, v3 c2, v3 v) {
    const v3 r = {vf_add(vf_add(vf_mul(c0.x, v.x), vf_mul(c2.x, v.z)), vf_mul(c1.x, v.y)),
                  vf_add(vf_add(vf_mul(c0.y, v.x), vf_mul(c2.y, v.z)), vf_mul(c1.y, v.y)),
                  vf_add(vf_add(vf_mul(c0.z, v.x), vf_mul(c2.z, v.z)), vf_mul(c1.z, v.y))};
    return r;
}

/// v / |v|; zero where |v|^2 < 1e-30.
FN v3 v3_unit(v3 v) {
    const vf square = v3_dot(v, v);
    const vm tiny = vf_less(square, vf_set1(1e-30f));
    const vf inverse =
        vf_select(tiny, vf_set1(0.0f), vf_div(vf_set1(1.0f), vf_sqrt(vf_select(tiny, vf_set1(1.0f), square))));
    const v3 r = {vf_mul(v.x, inverse), vf_mul(v.y, inverse), vf_mul(v.z, inverse)};
    return r;
}

/// Three floats of `count` vertices, one lane a vertex; the other lanes 0.
FN v3 load_lanes(const char *p, size_t stride, uint32_t count) {
    float lanes[3][LANES] = {{0}};
    for (uint32_t i = 0; i < count; ++i, p += stride) {
        float v[3];
        memcpy(v, p, sizeof v);
        lanes[0][i] = v[0];
        lanes[1][i] = v[1];
        lanes[2][i] = v[2];
    }
    const v3 r = {vf_load(lanes[0]), vf_load(lanes[1]), vf_load(lanes[2])};
    return r;
}

FN void store_lanes(char *p, size_t stride, uint32_t count, v3 v) {
    float lanes[3][LANES];
    vf_store(lanes[0], v.x);
    vf_store(lanes[1], v.y);
    vf_store(lanes[2], v.z);
    for (uint32_t i = 0; i < count; ++i, p += stride) {
        const float r[3] = {lanes[0][i], lanes[1][i], lanes[2][i]};
        memcpy(p, r, sizeof r);
    }
}

// The matrices of LANES vertices are blended one after another, then transposed, so that everything that follows is the
// same work on every lane.
KERNEL void skin(const sqt_skin_job *job, uint32_t first, uint32_t count) {
    float m[LANES][16] = {{0}};
    for (uint32_t done = 0; done < count; done += LANES) {
        const uint32_t lanes = count - done < LANES ? count - done : LANES;
        const size_t vertex = (size_t)first + done;
        for (uint32_t i = 0; i < lanes; ++i) m4_store(m[i], blended_matrix(job, first + done + i));
        vf e[12];
        m4_load_lanes(e, m[0]);
        const v3 c0 = {e[0], e[1], e[2]}, c1 = {e[3], e[4], e[5]}, c2 = {e[6], e[7], e[8]}, c3 = {e[9], e[10], e[11]};
        if (job->out_positions) {
            const v3 p = load_lanes(job->positions + vertex * job->position_stride, job->position_stride, lanes);
            const v3 r = {vf_add(vf_add(vf_mul(c0.x, p.x), vf_mul(c2.x, p.z)), vf_add(vf_mul(c1.x, p.y), c3.x)),
                          vf_add(vf_add(vf_mul(c0.y, p.x), vf_mul(c2.y, p.z)), vf_add(vf_mul(c1.y, p.y), c3.y)),
                          vf_add(vf_add(vf_mul(c0.z, p.x), vf_mul(c2.z, p.z)), vf_add(vf_mul(c1.z, p.y), c3.z))};
            store_lanes(job->out_positions + vertex * job->out_position_stride, job->out_position_stride, lanes, r);
        }
        if (job->out_normals) {
            const v3 n = load_lanes(job->normals + vertex * job->normal_stride, job->normal_stride, lanes);
            v3 r;
            if (job->plain_normals) {
                r = v3_transform(c0, c1, c2, n);
            } else {
                const v3 k0 = v3_cross(c1, c2), k1 = v3_cross(c2, c0), k2 = v3_cross(c0, c1);
                const vf determinant = v3_dot(k0, c0); // negative under a mirror: the cofactors then point inwards
                r = v3_transform(k0, k1, k2, n);
                r.x = vf_xorsign(r.x, determinant);
                r.y = vf_xorsign(r.y, determinant);
                r.z = vf_xorsign(r.z, determinant);
            }
            if (!job->raw_normals) r = v3_unit(r);
            store_lanes(job->out_normals + vertex * job->out_normal_stride, job->out_normal_stride, lanes, r);
        }
        if (job->out_tangents) {
            const char *in = job->tangents + vertex * job->tangent_stride;
            char *out = job->out_tangents + vertex * job->out_tangent_stride;
            const v3 t = v3_transform(c0, c1, c2, load_lanes(in, job->tangent_stride, lanes));
            for (uint32_t i = 0; i < lanes; ++i) { // the handedness, before the input is overwritten in place
                memmove(out + i * job->out_tangent_stride + 12, in + i * job->tangent_stride + 12, sizeof(float));
            }
            store_lanes(out, job->out_tangent_stride, lanes, job->raw_normals ? t : v3_unit(t));
        }
    }
}

static const sqt_kernels table = {blend, global, palette, palette_3x4, skin};
