// Sampling of 16-bit clips. The mix of two samples is exact in integers, so that its bits need no thought.

typedef struct uniform_at {
    const float *values;
    const int16_t *a, *b;
    vs shares;
} uniform_at;

/// offset + v of a row: what the mix of its integers stands for, in steps.
FN vf uniform_row(const uniform_at *at, uint32_t row, uint32_t lane, vs shares) {
    const uint32_t first = row * SQT_POSE_LANES;
    return vf_add(vs_mix(at->a + first, at->b + first, lane, shares), vf_load(at->values + first + lane));
}

FN vq uniform_rotation(const uniform_at *at, uint32_t lane, vs shares) {
    const vq q = {uniform_row(at, 0, lane, shares), uniform_row(at, 1, lane, shares), uniform_row(at, 2, lane, shares),
                  uniform_row(at, 3, lane, shares)};
    return q;
}

FN vq uniform_slerp(const uniform_at *at, uint32_t lane, vf t) {
    const vq a = uniform_rotation(at, lane, vs_shares(0));
    const vq b = uniform_rotation(at, lane, vs_shares(SQT_UNIFORM_ONE));
    const vf step = vf_load(at->values + 4 * SQT_POSE_LANES + lane);
    const vf dot = vf_mul(vf_mul(vq_dot(a, b), step), step);
    vf wa, wb;
    vf_slerp_weights(&wa, &wb, vf_sub(vf_set1(1.0f), t), t, vf_arc(dot));
    return vq_mix(a, wa, b, wb);
}

FN void uniform_rotation_lanes(float *rows, const uniform_at *at, uint32_t lane, float t, bool slerp) {
    store_rotation(rows + lane,
                   slerp ? uniform_slerp(at, lane, vf_set1(t)) : vq_normalize(uniform_rotation(at, lane, at->shares)));
}

// A block's lanes are done with in a constant number of steps, those behind the last joint left out: so they unroll.

FN void uniform_rotations(float *rows, uniform_at *at, uint32_t used, float t, bool slerp) {
    UNROLL for (uint32_t lane = 0; lane < SQT_POSE_LANES; lane += LANES) {
        if (lane < used) uniform_rotation_lanes(rows, at, lane, t, slerp);
    }
    at->values += 5 * SQT_POSE_LANES;
    at->a += 4 * SQT_POSE_LANES;
    at->b += 4 * SQT_POSE_LANES;
}

FN void uniform_vector_lanes(float *row, const uniform_at *at, uint32_t first, uint32_t lane) {
    const vf v = vs_mix(at->a + first, at->b + first, lane, at->shares);
    const float *const offset = at->values + first + lane, *const step = offset + 3 * SQT_POSE_LANES;
    vf_store(row + lane, vf_add(vf_load(offset), vf_mul(v, vf_load(step))));
}

FN void uniform_vector_row(float *rows, const uniform_at *at, uint32_t first, uint32_t used) {
    UNROLL for (uint32_t lane = 0; lane < SQT_POSE_LANES; lane += LANES) {
        if (lane < used) uniform_vector_lanes(rows + first, at, first, lane);
    }
}

FN void uniform_vectors(float *rows, uniform_at *at, uint32_t used) {
    uniform_vector_row(rows, at, 0, used);
    uniform_vector_row(rows, at, SQT_POSE_LANES, used);
    uniform_vector_row(rows, at, 2 * SQT_POSE_LANES, used);
    at->values += 6 * SQT_POSE_LANES;
    at->a += 3 * SQT_POSE_LANES;
    at->b += 3 * SQT_POSE_LANES;
}

FN void uniform_constant_row(float *row, uniform_at *at, uint32_t used) {
    UNROLL for (uint32_t lane = 0; lane < SQT_POSE_LANES; lane += LANES) {
        if (lane < used) vf_store(row + lane, vf_load(at->values + lane));
    }
    at->values += SQT_POSE_LANES;
}

FN void uniform_constants(float *rows, uniform_at *at, uint32_t used) {
    uniform_constant_row(rows, at, used);
    uniform_constant_row(rows + SQT_POSE_LANES, at, used);
    uniform_constant_row(rows + 2 * SQT_POSE_LANES, at, used);
}

FN void uniform_block(sqt_pose_block *block, uniform_at *at, uint32_t kinds, uint32_t used, float t, bool slerp) {
    float *const rows = (float *)block;
    if (kinds & SQT_TRACK_ROTATION) {
        uniform_rotations(rows, at, used, t, slerp);
    } else {
        uniform_constants(rows, at, used);
        uniform_constant_row(rows + 3 * SQT_POSE_LANES, at, used);
    }
    if (kinds & SQT_TRACK_TRANSLATION) {
        uniform_vectors(rows + TRANSLATION * SQT_POSE_LANES, at, used);
    } else {
        uniform_constants(rows + TRANSLATION * SQT_POSE_LANES, at, used);
    }
    if (kinds & SQT_TRACK_SCALE) {
        uniform_vectors(rows + SCALE * SQT_POSE_LANES, at, used);
    } else {
        uniform_constants(rows + SCALE * SQT_POSE_LANES, at, used);
    }
}

FN void uniform_blocks(sqt_pose_block *out, const sqt_uniform_job *job, uint32_t joint_count, bool slerp) {
    uniform_at at = {job->values, job->a, job->b, vs_shares(job->share)};
    const uint32_t whole = joint_count / SQT_POSE_LANES, used = joint_count % SQT_POSE_LANES;
    for (uint32_t i = 0; i < whole; ++i) uniform_block(out + i, &at, job->kinds[i], SQT_POSE_LANES, job->t, slerp);
    if (used > 0) uniform_block(out + whole, &at, job->kinds[whole], used, job->t, slerp);
}

KERNEL void uniform(sqt_pose_block *out, const sqt_uniform_job *job, uint32_t joint_count, bool slerp) {
    if (slerp) {
        uniform_blocks(out, job, joint_count, true);
    } else {
        uniform_blocks(out, job, joint_count, false);
    }
    pad_lanes(out, joint_count);
}
