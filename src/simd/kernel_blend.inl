// Blending two poses, and sampling between two rows of samples: the same work.

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
