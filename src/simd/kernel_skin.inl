// Linear blend skinning.

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
                // Negative under a mirror: the cofactors then point inwards. A comparison, not the sign bit, which
                // differs from processor to processor where the determinant overflows to NaN.
                const vm mirrored = vf_less(v3_dot(k0, c0), vf_set1(0.0f));
                const vf side = vf_select(mirrored, vf_set1(-0.0f), vf_set1(0.0f));
                r = v3_transform(k0, k1, k2, n);
                r.x = vf_xorsign(r.x, side);
                r.y = vf_xorsign(r.y, side);
                r.z = vf_xorsign(r.z, side);
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
