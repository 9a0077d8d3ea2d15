// Global poses and palettes.

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
