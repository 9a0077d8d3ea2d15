// Blending of poses. Sampling between two rows of samples is the blend of two.

// A block is ten rows of 16 floats: rotation x y z w, translation x y z, scale x y z.
enum { TRANSLATION = 4, SCALE = 7, ROWS = 10 };

FN const float *rows_at(const sqt_pose_block *pose, uint32_t joint) {
    return (const float *)(pose + joint / SQT_POSE_LANES) + joint % SQT_POSE_LANES;
}

FN float *out_rows_at(sqt_pose_block *pose, uint32_t joint) {
    return (float *)(pose + joint / SQT_POSE_LANES) + joint % SQT_POSE_LANES;
}

FN vf load_row(const float *rows, uint32_t row) { return vf_load(rows + row * SQT_POSE_LANES); }
FN void store_row(float *rows, uint32_t row, vf a) { vf_store(rows + row * SQT_POSE_LANES, a); }

FN vq load_rotation(const float *rows) {
    const vq q = {load_row(rows, 0), load_row(rows, 1), load_row(rows, 2), load_row(rows, 3)};
    return q;
}

FN void store_rotation(float *rows, vq q) {
    store_row(rows, 0, q.x);
    store_row(rows, 1, q.y);
    store_row(rows, 2, q.z);
    store_row(rows, 3, q.w);
}

/// LANES floats of an array that ends after `count` of them; 0 behind.
FN vf load_weights(const float *p, uint32_t count) { return count >= LANES ? vf_load(p) : vf_load_first(p, count); }

FN vf identity_row(uint32_t row) { return vf_set1(row == 3 || row >= SCALE ? 1.0f : 0.0f); }

/// Identity behind the first joint_count lanes of a vector, 1 or more but not all.
FN void pad_vector(float *rows, uint32_t joint_count) {
    static const float numbers[SQT_POSE_LANES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const vm joint = vf_less(vf_load(numbers), vf_set1((float)joint_count));
    UNROLL for (uint32_t i = 0; i < ROWS; ++i) {
        store_row(rows, i, vf_select(joint, load_row(rows, i), identity_row(i)));
    }
}

/// Identity in the lanes behind the last joint, which hold anything before.
FN void pad_lanes(sqt_pose_block *pose, uint32_t joint_count) {
    const uint32_t used = joint_count % SQT_POSE_LANES;
    if (used == 0) return;
    float *const rows = out_rows_at(pose, joint_count - used);
    // A constant number of steps: gcc makes a string instruction a row of a loop over the vectors behind, which is slow.
    UNROLL for (uint32_t lane = 0; lane < SQT_POSE_LANES; lane += LANES) {
        if (lane >= used) { UNROLL for (uint32_t i = 0; i < ROWS; ++i) store_row(rows + lane, i, identity_row(i)); }
    }
    if (used % LANES > 0) pad_vector(rows + used / LANES * LANES, used % LANES);
}

// ---- Two poses

FN void blend_rest_of_rows(float *out, const float *a, vf s, const float *b, vf t) {
    UNROLL for (uint32_t i = TRANSLATION; i < ROWS; ++i) {
        store_row(out, i, vf_lerp(load_row(a, i), s, load_row(b, i), t));
    }
}

FN void blend_all(sqt_pose_block *out, const sqt_pose_block *a, const sqt_pose_block *b, float weight,
                  uint32_t joint_count, bool slerp) {
    const vf t = vf_set1(weight), s = vf_sub(vf_set1(1.0f), t);
    for (uint32_t joint = 0; joint < joint_count; joint += LANES) {
        const float *const ra = rows_at(a, joint), *const rb = rows_at(b, joint);
        float *const ro = out_rows_at(out, joint);
        const vq qa = load_rotation(ra), qb = load_rotation(rb);
        store_rotation(ro, slerp ? vq_slerp(qa, qb, t) : vq_nlerp(qa, qb, t));
        blend_rest_of_rows(ro, ra, s, rb, t);
    }
}

/// As vq_nlerp or vq_slerp, and exactly a where t is 0 and b where t is 1: there the weights are 0 and 1, b keeps its
/// sign, and nothing is normalised. Vectors without such an end, and those of nothing else, which make up most masks,
/// are mixed with the same bits and less work.
FN vq blend_to_ends(vq a, vf s, vq b, vf t, bool slerp) {
    const vm end = vf_equal(vf_mul(t, t), t); // 0 and 1 by one comparison
    if (!slerp && !vm_any(end)) return vq_nlerp(a, b, t);
    if (vm_all(end)) return vq_sum(a, s, b, t);
    const vf dot = vq_dot(a, b);
    vf wa = s, wb = t;
    if (slerp) {
        vf_slerp_weights(&wa, &wb, s, t, vf_arc(dot));
        wa = vf_select(end, s, wa);
        wb = vf_select(end, t, wb);
    }
    wb = vf_xorsign(wb, vf_zero_where(end, dot));
    return vq_normalize_except(end, vq_sum(a, wa, b, wb));
}

FN void blend_masked_lanes(sqt_pose_block *out, const sqt_pose_block *a, const sqt_pose_block *b, vf t, uint32_t joint,
                           bool slerp) {
    const float *const ra = rows_at(a, joint), *const rb = rows_at(b, joint);
    float *const ro = out_rows_at(out, joint);
    const vf s = vf_sub(vf_set1(1.0f), t);
    store_rotation(ro, blend_to_ends(load_rotation(ra), s, load_rotation(rb), t, slerp));
    blend_rest_of_rows(ro, ra, s, rb, t);
}

FN void blend_masked(sqt_pose_block *out, const sqt_pose_block *a, const sqt_pose_block *b, const float *mask,
                     float weight, uint32_t joint_count, bool slerp) {
    const vf w = vf_set1(weight);
    const uint32_t whole = joint_count / LANES * LANES;
    for (uint32_t joint = 0; joint < whole; joint += LANES) {
        blend_masked_lanes(out, a, b, vf_mul(w, vf_load(mask + joint)), joint, slerp);
    }
    if (whole < joint_count) {
        const vf last = load_weights(mask + whole, joint_count - whole);
        blend_masked_lanes(out, a, b, vf_mul(w, last), whole, slerp);
    }
}

KERNEL void blend(sqt_pose_block *out, const sqt_pose_block *a, const sqt_pose_block *b, const float *mask,
                  float weight, uint32_t joint_count, bool slerp) {
    if (slerp && mask) {
        blend_masked(out, a, b, mask, weight, joint_count, true);
    } else if (slerp) {
        blend_all(out, a, b, weight, joint_count, true);
    } else if (mask) {
        blend_masked(out, a, b, mask, weight, joint_count, false);
    } else {
        blend_all(out, a, b, weight, joint_count, false);
    }
    pad_lanes(out, joint_count);
}

// ---- Many poses: sums in the order of the inputs, the rest pose last. -0 begins a sum: adding it changes nothing.

FN vq vq_add(vq sum, vq q, vf weight) {
    const vq r = {vf_add(sum.x, vf_mul(q.x, weight)), vf_add(sum.y, vf_mul(q.y, weight)),
                  vf_add(sum.z, vf_mul(q.z, weight)), vf_add(sum.w, vf_mul(q.w, weight))};
    return r;
}

FN vq vq_select(vm m, vq a, vq b) {
    const vq r = {vf_select(m, a.x, b.x), vf_select(m, a.y, b.y), vf_select(m, a.z, b.z), vf_select(m, a.w, b.w)};
    return r;
}

FN vq vq_nothing(void) {
    const vf nothing = vf_set1(-0.0f);
    const vq r = {nothing, nothing, nothing, nothing};
    return r;
}

FN vq add_rotation(vq sum, vq lead, const sqt_blend_part *part, bool leads, uint32_t joint) {
    const vq q = load_rotation(rows_at(part->pose, joint));
    const vf weight = vf_set1(part->weight);
    return vq_add(sum, q, leads ? weight : vf_xorsign(weight, vq_dot(lead, q)));
}

FN void add_rows(vf sums[ROWS], const sqt_blend_part *part, uint32_t joint) {
    const float *const rows = rows_at(part->pose, joint);
    const vf weight = vf_set1(part->weight);
    UNROLL for (uint32_t i = TRANSLATION; i < ROWS; ++i) {
        sums[i] = vf_add(sums[i], vf_mul(load_row(rows, i), weight));
    }
}

FN void many_lanes(sqt_pose_block *out, const sqt_blend_part *parts, uint32_t part_count, uint32_t heaviest,
                   uint32_t joint) {
    float *const rows = out_rows_at(out, joint);
    const vq lead = load_rotation(rows_at(parts[heaviest].pose, joint));
    vq q = vq_nothing();
    vf sums[ROWS];
    UNROLL for (uint32_t i = TRANSLATION; i < ROWS; ++i) sums[i] = vf_set1(-0.0f);
    for (uint32_t k = 0; k < part_count; ++k) q = add_rotation(q, lead, parts + k, k == heaviest, joint);
    store_rotation(rows, vq_normalize(q));
    for (uint32_t k = 0; k < part_count; ++k) add_rows(sums, parts + k, joint);
    UNROLL for (uint32_t i = TRANSLATION; i < ROWS; ++i) store_row(rows, i, sums[i]);
}

/// The same for all joints with a constant count, unrolled. Poses and weights are read before the loop: for all that the
/// compiler knows, storing a pose might change the parts. (A copy of the parts would do, but is 4 to 25% slower.)
FN void blend_few(sqt_pose_block *out, const sqt_blend_part *parts, uint32_t part_count, uint32_t heaviest,
                  uint32_t joint_count) {
    const sqt_pose_block *poses[4], *const first = parts[heaviest].pose;
    vf weights[4];
    UNROLL for (uint32_t k = 0; k < part_count; ++k) {
        poses[k] = parts[k].pose;
        weights[k] = vf_set1(parts[k].weight);
    }
    for (uint32_t joint = 0; joint < joint_count; joint += LANES) {
        float *const rows = out_rows_at(out, joint);
        const vq lead = load_rotation(rows_at(first, joint));
        vq q = vq_nothing();
        vf sums[ROWS];
        UNROLL for (uint32_t k = 0; k < part_count; ++k) {
            const vq p = load_rotation(rows_at(poses[k], joint));
            q = vq_add(q, p, k == heaviest ? weights[k] : vf_xorsign(weights[k], vq_dot(lead, p)));
        }
        UNROLL for (uint32_t i = TRANSLATION; i < ROWS; ++i) {
            sums[i] = vf_set1(-0.0f);
            UNROLL for (uint32_t k = 0; k < part_count; ++k) {
                sums[i] = vf_add(sums[i], vf_mul(load_row(rows_at(poses[k], joint), i), weights[k]));
            }
        }
        store_rotation(rows, vq_normalize(q));
        UNROLL for (uint32_t i = TRANSLATION; i < ROWS; ++i) store_row(rows, i, sums[i]);
    }
}

KERNEL void blend_many(sqt_pose_block *out, const sqt_blend_part *parts, uint32_t part_count, uint32_t heaviest,
                       uint32_t joint_count) {
    switch (part_count) {
    case 2:
        blend_few(out, parts, 2, heaviest, joint_count);
        break;
    case 3:
        blend_few(out, parts, 3, heaviest, joint_count);
        break;
    case 4:
        blend_few(out, parts, 4, heaviest, joint_count);
        break;
    default:
        for (uint32_t joint = 0; joint < joint_count; joint += LANES)
            many_lanes(out, parts, part_count, heaviest, joint);
    }
    pad_lanes(out, joint_count);
}

/// An input's weights before the division. A mask below 0 counts as 0.
FN vf input_weights(float weight, const float *mask, uint32_t joint, uint32_t joint_count) {
    if (!mask) return vf_set1(weight);
    return vf_max(vf_mul(vf_set1(weight), load_weights(mask + joint, joint_count - joint)), vf_set1(0.0f));
}

FN const float *translation_mask(const sqt_blend_input *input) {
    return input->translation_mask ? input->translation_mask : input->mask;
}

/// What the rest pose weighs before the division, where that is anything, and 1 / the total.
typedef struct rest_share {
    vf weight, inverse;
    vm joins;
} rest_share;

FN rest_share share_of_rest(vf sum, float rest_threshold) {
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    const vf rest = vf_max(vf_sub(vf_set1(rest_threshold), sum), zero), total = vf_add(sum, rest);
    const vm none = vf_less(total, vf_set1(1e-30f));
    const vf weight = vf_select(none, one, rest);
    const rest_share r = {weight, vf_div(one, vf_select(none, one, total)), vf_less(zero, weight)};
    return r;
}

FN rest_share masked_rotations(float *out, const sqt_blend_masked_job *job, uint32_t joint, uint32_t joint_count) {
    vf sum = vf_set1(0.0f), most = vf_set1(-1.0f);
    vq lead = vq_nothing();
    for (uint32_t k = 0; k < job->input_count; ++k) {
        const sqt_blend_input *const input = job->inputs + k;
        if (input->weight == 0.0f) continue;
        const vf weight = input_weights(input->weight, input->mask, joint, joint_count);
        lead = vq_select(vf_less(most, weight), load_rotation(rows_at(input->pose, joint)), lead);
        most = vf_max(most, weight);
        sum = vf_add(sum, weight);
    }
    const rest_share share = share_of_rest(sum, job->rest_threshold);
    const bool rest_joins = vm_any(share.joins);
    const vq rest = rest_joins ? load_rotation(rows_at(job->rest, joint)) : lead;
    lead = vq_select(vf_less(most, share.weight), rest, lead);
    vq q = vq_nothing();
    for (uint32_t k = 0; k < job->input_count; ++k) {
        const sqt_blend_input *const input = job->inputs + k;
        if (input->weight == 0.0f) continue;
        const vf weight = vf_mul(input_weights(input->weight, input->mask, joint, joint_count), share.inverse);
        const vq p = load_rotation(rows_at(input->pose, joint));
        q = vq_add(q, p, vf_xorsign(weight, vq_dot(lead, p)));
    }
    if (rest_joins) {
        const vf weight = vf_mul(share.weight, share.inverse);
        q = vq_select(share.joins, vq_add(q, rest, vf_xorsign(weight, vq_dot(lead, rest))), q);
    }
    store_rotation(out, vq_normalize(q));
    return share;
}

/// Three rows from `first` on: translation or scale.
FN void masked_rows(float *out, uint32_t first, const sqt_blend_masked_job *job, rest_share share, uint32_t joint,
                    uint32_t joint_count) {
    vf sums[3];
    UNROLL for (uint32_t i = 0; i < 3; ++i) sums[i] = vf_set1(-0.0f);
    for (uint32_t k = 0; k < job->input_count; ++k) {
        const sqt_blend_input *const input = job->inputs + k;
        if (input->weight == 0.0f) continue;
        const float *const mask = first == TRANSLATION ? translation_mask(input) : input->mask;
        const float *const rows = rows_at(input->pose, joint);
        const vf weight = vf_mul(input_weights(input->weight, mask, joint, joint_count), share.inverse);
        UNROLL for (uint32_t i = 0; i < 3; ++i) {
            sums[i] = vf_add(sums[i], vf_mul(load_row(rows, first + i), weight));
        }
    }
    if (vm_any(share.joins)) {
        const float *const rows = rows_at(job->rest, joint);
        const vf weight = vf_mul(share.weight, share.inverse);
        UNROLL for (uint32_t i = 0; i < 3; ++i) {
            const vf sum = vf_add(sums[i], vf_mul(load_row(rows, first + i), weight));
            sums[i] = vf_select(share.joins, sum, sums[i]);
        }
    }
    UNROLL for (uint32_t i = 0; i < 3; ++i) store_row(out, first + i, sums[i]);
}

FN rest_share translation_share(const sqt_blend_masked_job *job, uint32_t joint, uint32_t joint_count) {
    vf sum = vf_set1(0.0f);
    for (uint32_t k = 0; k < job->input_count; ++k) {
        const sqt_blend_input *const input = job->inputs + k;
        if (input->weight == 0.0f) continue;
        sum = vf_add(sum, input_weights(input->weight, translation_mask(input), joint, joint_count));
    }
    return share_of_rest(sum, job->rest_threshold);
}

KERNEL void blend_many_masked(sqt_pose_block *out, const sqt_blend_masked_job *job, uint32_t joint_count) {
    bool apart = false;
    for (uint32_t k = 0; k < job->input_count; ++k) apart = apart || job->inputs[k].translation_mask;
    for (uint32_t joint = 0; joint < joint_count; joint += LANES) {
        float *const rows = out_rows_at(out, joint);
        const rest_share share = masked_rotations(rows, job, joint, joint_count);
        const rest_share moved = apart ? translation_share(job, joint, joint_count) : share;
        masked_rows(rows, TRANSLATION, job, moved, joint, joint_count);
        masked_rows(rows, SCALE, job, share, joint, joint_count);
    }
    pad_lanes(out, joint_count);
}

// ---- Additive

/// conjugate(reference) * pose, and exactly the identity where they are the same rotation.
FN vq rotation_difference(vq pose, vq reference) {
    vq q = vq_multiply(vq_conjugate(reference), pose);
    const vm still = vq_is_still(q);
    // Of what nearly cancels, products of tiny numbers are left, which a flush-to-zero mode would change.
    q.x = vf_zero_where(still, vf_snap(q.x));
    q.y = vf_zero_where(still, vf_snap(q.y));
    q.z = vf_zero_where(still, vf_snap(q.z));
    q.w = vf_select(still, vf_set1(1.0f), vf_snap(q.w));
    return vq_normalize_except(still, q);
}

KERNEL void difference(sqt_pose_block *out, const sqt_pose_block *pose, const sqt_pose_block *reference,
                       uint32_t joint_count, bool scale_difference) {
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    for (uint32_t joint = 0; joint < joint_count; joint += LANES) {
        const float *const p = rows_at(pose, joint), *const r = rows_at(reference, joint);
        float *const o = out_rows_at(out, joint);
        store_rotation(o, rotation_difference(load_rotation(p), load_rotation(r)));
        UNROLL for (uint32_t i = TRANSLATION; i < SCALE; ++i) store_row(o, i, vf_sub(load_row(p, i), load_row(r, i)));
        UNROLL for (uint32_t i = SCALE; i < ROWS; ++i) {
            const vf to = load_row(p, i), from = load_row(r, i);
            const vm none = vf_equal(from, zero);
            const vf ratio = vf_select(none, one, vf_div(to, vf_select(none, one, from)));
            store_row(o, i, scale_difference ? vf_add(one, vf_sub(to, from)) : ratio);
        }
    }
    pad_lanes(out, joint_count);
}

/// delta^t, not yet normalised. Where t or the turn is nothing, the power is exactly the identity.
FN vq rotation_power(vq delta, vf t, bool slerp) {
    const vf s = vf_sub(vf_set1(1.0f), t);
    vf wa = s, wb = t;
    if (slerp) {
        const vf zero = vf_set1(0.0f), arc = vf_arc(delta.w);
        const vm nothing = vm_or(vf_equal(arc, zero), vf_equal(t, zero));
        vf_slerp_weights(&wa, &wb, s, t, arc);
        wa = vf_select(nothing, s, wa);
        wb = vf_select(nothing, t, wb);
    }
    vq power = vq_scale(delta, vf_xorsign(wb, delta.w)); // along the shorter arc from the identity
    power.w = vf_add(wa, power.w);
    return power;
}

FN void add_rest_of_rows(float *out, const float *base, const float *delta, vf t, bool scale_difference) {
    const vf one = vf_set1(1.0f);
    UNROLL for (uint32_t i = TRANSLATION; i < SCALE; ++i) {
        store_row(out, i, vf_add(load_row(base, i), vf_mul(load_row(delta, i), t)));
    }
    UNROLL for (uint32_t i = SCALE; i < ROWS; ++i) {
        const vf from = load_row(base, i), change = vf_mul(vf_sub(load_row(delta, i), one), t);
        store_row(out, i, scale_difference ? vf_add(from, change) : vf_mul(from, vf_add(one, change)));
    }
}

/// Rotation base * delta^t. The other rows stand where the inverse length is waited for, and only after them is the
/// rotation of base read, so that all fits into the registers.
FN void add_blocks(sqt_pose_block *out, const sqt_pose_block *base, const sqt_pose_block *delta, const float *mask,
                   float weight, uint32_t joint_count, bool slerp, bool scale_difference) {
    for (uint32_t joint = 0; joint < joint_count; joint += LANES) {
        const float *const b = rows_at(base, joint), *const d = rows_at(delta, joint);
        float *const o = out_rows_at(out, joint);
        vf t = vf_set1(weight);
        if (mask) t = vf_mul(t, load_weights(mask + joint, joint_count - joint));
        vq power = rotation_power(load_rotation(d), t, slerp);
        const vf inverse = vq_inverse_length(&power);
        add_rest_of_rows(o, b, d, t, scale_difference);
        store_rotation(o, vq_scale(vq_multiply(load_rotation(b), power), inverse));
    }
}

KERNEL void add(sqt_pose_block *out, const sqt_pose_block *base, const sqt_pose_block *delta, const float *mask,
                float weight, uint32_t joint_count, bool slerp, bool scale_difference) {
    if (slerp) {
        add_blocks(out, base, delta, mask, weight, joint_count, true, scale_difference);
    } else if (mask) {
        add_blocks(out, base, delta, mask, weight, joint_count, false, scale_difference);
    } else {
        add_blocks(out, base, delta, NULL, weight, joint_count, false, scale_difference);
    }
    pad_lanes(out, joint_count);
}
