// Global poses and palettes.

FN void scatter_matrices(float *const *to, size_t at, const vf m[12]) {
    UNROLL for (uint32_t c = 0; c < 4; c += COLUMNS) m4_scatter(to, at + 4 * c, m + 3 * c, c + COLUMNS == 4);
}

FN void store_local_matrices(float *m, const sqt_pose_block *local, uint32_t joint) {
    const float *const in = rows_at(local, joint);
    float *to[LANES];
    vf rows[12];
    vf_matrix_from_joint(rows, load_rotation(in), load_row(in, SCALE), load_row(in, SCALE + 1),
                         load_row(in, SCALE + 2));
    UNROLL for (uint32_t i = 0; i < 3; ++i) rows[9 + i] = load_row(in, TRANSLATION + i);
    UNROLL for (uint32_t lane = 0; lane < LANES; ++lane) to[lane] = m + 16 * lane;
    scatter_matrices(to, 0, rows);
}

KERNEL void matrices(sqt_mat4 *out, const sqt_pose_block *pose, uint32_t joint_count) {
    for (uint32_t first = 0; first < joint_count; first += LANES) {
        if (joint_count - first >= LANES) {
            store_local_matrices(out[first].m, pose, first);
        } else {
            sqt_mat4 tail[LANES];
            store_local_matrices(tail[0].m, pose, first);
            memcpy(out + first, tail, (joint_count - first) * sizeof *tail);
        }
    }
}

// Two passes: every local matrix into the output, LANES at a time, then in place along the schedule. Going level by
// level keeps a joint away from its parent, so that the products do not wait for one another.
KERNEL void global(sqt_mat4 *global, const uint16_t *parents, const uint16_t *schedule, const sqt_pose_block *local,
                   const sqt_mat4 *root, uint32_t joint_count) {
    matrices(global, local, joint_count);
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

// The usual palette, bound and in model space, in a loop that asks nothing: not every optimisation level takes the
// questions out of it.
KERNEL void palette(sqt_mat4 *palette, const uint16_t *joints, const sqt_mat4 *inverse_bind, const sqt_mat4 *global,
                    const sqt_mat4 *model_to_world, uint32_t count) {
    if (!inverse_bind || model_to_world) {
        for (uint32_t k = 0; k < count; ++k) {
            m4_store(palette[k].m, skin_matrix(k, joints, inverse_bind, global, model_to_world));
        }
    } else if (joints) {
        for (uint32_t k = 0; k < count; ++k) {
            m4_store(palette[k].m, m4_product(global[joints[k]].m, inverse_bind[k].m));
        }
    } else {
        for (uint32_t k = 0; k < count; ++k) m4_store(palette[k].m, m4_product(global[k].m, inverse_bind[k].m));
    }
}

KERNEL void palette_3x4(sqt_mat3x4 *palette, const uint16_t *joints, const sqt_mat4 *inverse_bind,
                        const sqt_mat4 *global, const sqt_mat4 *model_to_world, uint32_t count) {
    if (!inverse_bind || model_to_world) {
        for (uint32_t k = 0; k < count; ++k) {
            m4_store_rows(palette[k].m, skin_matrix(k, joints, inverse_bind, global, model_to_world));
        }
    } else if (joints) {
        for (uint32_t k = 0; k < count; ++k) {
            m4_store_rows(palette[k].m, m4_product(global[joints[k]].m, inverse_bind[k].m));
        }
    } else {
        for (uint32_t k = 0; k < count; ++k) m4_store_rows(palette[k].m, m4_product(global[k].m, inverse_bind[k].m));
    }
}

// ---- Many characters, one a lane, with the single character's order of operations

#if defined(SQT_SCALAR_LANES)

#define GLOBAL_MANY NULL

#else

#define GLOBAL_MANY global_many

FN void gather_row(vf joints[4][ROWS], const float *const *rows, uint32_t row) {
    const size_t at = row * SQT_POSE_LANES;
    const vf_four j = vf_transpose(vf_load_quarters(rows, at), vf_load_quarters(rows + 1, at),
                                   vf_load_quarters(rows + 2, at), vf_load_quarters(rows + 3, at));
    joints[0][row] = j.a;
    joints[1][row] = j.b;
    joints[2][row] = j.c;
    joints[3][row] = j.d;
}

/// Four joints of LANES characters: what one joint's transform is in all of them. Without scales these are not there.
FN void gather_joints(vf joints[4][ROWS], const float *const *rows, bool scaled) {
    UNROLL for (uint32_t row = 0; row < SCALE; ++row) gather_row(joints, rows, row);
    if (!scaled) return;
    UNROLL for (uint32_t row = SCALE; row < ROWS; ++row) gather_row(joints, rows, row);
}

/// Whether a scale of any of the characters is not 1. Nearly always none is: then there is nothing to gather and to
/// multiply, and x * 1 is x, bit for bit, so that it does not matter who else goes together.
FN bool any_scaled(const sqt_many_job *job) {
    const vf one = vf_set1(1.0f);
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        vm scaled = vf_not_equal(one, one);
        for (uint32_t first = 0; first < job->joint_count; first += SQT_POSE_LANES) {
            const float *const scales = rows_at(job->locals[lane], first) + SCALE * SQT_POSE_LANES;
            UNROLL for (uint32_t i = 0; i < 3 * SQT_POSE_LANES; i += LANES) {
                scaled = vm_or(scaled, vf_not_equal(vf_load(scales + i), one));
            }
        }
        if (vm_any(scaled)) return true;
    }
    return false;
}

FN void gather_matrices(float *lanes, const sqt_mat4 *const *matrices) {
    for (uint32_t i = 0; i < 12; ++i) {
        for (uint32_t lane = 0; lane < LANES; ++lane) lanes[i * LANES + lane] = matrices[lane]->m[i / 3 * 4 + i % 3];
    }
}

FN void load_lanes(vf m[12], const float *p) { UNROLL for (uint32_t i = 0; i < 12; ++i) m[i] = vf_load(p + i * LANES); }

/// p times one column of three rows, as m4_product: ((p0 l0 + p1 l1) + p2 l2), and the translation of p last.
FN void product_column(vf *out, const vf p[12], vf l0, vf l1, vf l2, bool translation) {
    UNROLL for (uint32_t r = 0; r < 3; ++r) {
        const vf sum = vf_add(vf_add(vf_mul(p[r], l0), vf_mul(p[3 + r], l1)), vf_mul(p[6 + r], l2));
        out[r] = translation ? vf_add(sum, p[9 + r]) : sum;
    }
}

FN void product_lanes(vf out[12], const vf p[12], const vf l[12]) {
    UNROLL for (uint32_t c = 0; c < 4; ++c) {
        product_column(out + 3 * c, p, l[3 * c], l[3 * c + 1], l[3 * c + 2], c == 3);
    }
}

FN void store_quads(float *const *to, size_t at, vf a, vf b, vf c, vf d) {
    const vf_four r = vf_transpose(a, b, c, d);
    vf_store_quarters(to, at, r.a);
    vf_store_quarters(to + 1, at, r.b);
    vf_store_quarters(to + 2, at, r.c);
    vf_store_quarters(to + 3, at, r.d);
}

/// @param above the parent's or the root; NULL: identity.
FN void global_lanes(vf m[12], const float *above, const vf joint[ROWS], bool scaled) {
    const vq q = {joint[0], joint[1], joint[2], joint[3]};
    vf local[12], p[12];
    vf_matrix_from_rotation(local, q);
    if (scaled) vf_scale_columns(local, joint[SCALE], joint[SCALE + 1], joint[SCALE + 2]);
    UNROLL for (uint32_t i = 0; i < 3; ++i) local[9 + i] = joint[TRANSLATION + i];
    if (above) {
        load_lanes(p, above);
        product_lanes(m, p, local);
    } else {
        UNROLL for (uint32_t i = 0; i < 12; ++i) m[i] = local[i];
    }
}

/// What a call is to do, as bits.
enum { GLOBALS = 1, PALETTES_4X4 = 2, PALETTES_3X4 = 4, BOUND = 8, PLACED = 16 };

/// Column c of a palette's matrix.
FN void palette_column(vf *out, uint32_t c, const vf global[12], const float *inverse_bind, const vf world[12],
                       uint32_t what) {
    vf m[3], l[3];
    if (what & BOUND) {
        vf_splat3(l, inverse_bind + 4 * c);
        product_column(m, global, l[0], l[1], l[2], c == 3);
    } else {
        UNROLL for (uint32_t i = 0; i < 3; ++i) m[i] = global[3 * c + i];
    }
    if (what & PLACED) {
        product_column(out, world, m[0], m[1], m[2], c == 3);
    } else {
        UNROLL for (uint32_t i = 0; i < 3; ++i) out[i] = m[i];
    }
}

/// Columns are stored as soon as they are known, so that they fit in registers.
FN void store_palettes_4x4(float *const *to, size_t at, const vf global[12], const float *inverse_bind,
                           const vf world[12], uint32_t what) {
    UNROLL for (uint32_t c = 0; c < 4; c += COLUMNS) {
        vf m[3 * COLUMNS];
        UNROLL for (uint32_t i = 0; i < COLUMNS; ++i) {
            palette_column(m + 3 * i, c + i, global, inverse_bind, world, what);
        }
        m4_scatter(to, at + 4 * c, m, c + COLUMNS == 4);
    }
}

FN void store_palettes_3x4(float *const *to, size_t at, const vf global[12], const float *inverse_bind,
                           const vf world[12], uint32_t what) {
    vf m[12];
    UNROLL for (uint32_t c = 0; c < 4; ++c) palette_column(m + 3 * c, c, global, inverse_bind, world, what);
    UNROLL for (uint32_t r = 0; r < 3; ++r) store_quads(to, at + 4 * r, m[r], m[3 + r], m[6 + r], m[9 + r]);
}

FN float *slot_at(const sqt_many_job *job, uint32_t slot) { return job->slots + (size_t)slot * 12 * LANES; }

FN void many_joint(const sqt_many_job *job, uint32_t joint, const vf transform[ROWS], bool scaled, const float *root,
                   const float *world, uint32_t what) {
    const sqt_many_step step = job->steps[joint];
    vf m[12], w[12];
    global_lanes(m, step.above != SQT_NO_JOINT ? slot_at(job, step.above) : root, transform, scaled);
    if (step.slot != SQT_NO_JOINT) { // which may be the parent's
        float *const slot = slot_at(job, step.slot);
        UNROLL for (uint32_t i = 0; i < 12; ++i) vf_store(slot + i * LANES, m[i]);
    }
    if (what & GLOBALS) scatter_matrices(job->globals, 16 * (size_t)joint, m);
    for (uint32_t k = step.entry; k != SQT_NO_JOINT; k = job->next_entries ? job->next_entries[k] : SQT_NO_JOINT) {
        const float *const inverse_bind = what & BOUND ? job->inverse_bind[k].m : NULL;
        if (what & PLACED) load_lanes(w, world);
        if (what & PALETTES_4X4) store_palettes_4x4(job->palettes, 16 * (size_t)k, m, inverse_bind, w, what);
        if (what & PALETTES_3X4) store_palettes_3x4(job->palettes_3x4, 12 * (size_t)k, m, inverse_bind, w, what);
    }
}

/// @param root  of each character, in lanes; NULL: identity.
/// @param world the same, for palettes; where `what` has PLACED.
FN void many_joints(const sqt_many_job *job, const float *root, const float *world, uint32_t what) {
    const bool scaled = any_scaled(job);
    for (uint32_t first = 0; first < job->joint_count; first += 4) {
        const float *rows[LANES];
        vf joints[4][ROWS];
        for (uint32_t lane = 0; lane < LANES; ++lane) rows[lane] = rows_at(job->locals[lane], first);
        gather_joints(joints, rows, scaled);
        for (uint32_t joint = first; joint < job->joint_count && joint < first + 4; ++joint) {
            many_joint(job, joint, joints[joint - first], scaled, root, world, what);
        }
    }
}

// The usual palettes, bound and in model space, in loops that ask nothing.

KERNEL void many_palettes_4x4(const sqt_many_job *job) { many_joints(job, NULL, NULL, PALETTES_4X4 | BOUND); }

KERNEL void many_palettes_3x4(const sqt_many_job *job) { many_joints(job, NULL, NULL, PALETTES_3X4 | BOUND); }

KERNEL void global_many(const sqt_many_job *job) {
    const uint32_t what = (job->globals[0] ? GLOBALS : 0u) | (job->palettes[0] ? PALETTES_4X4 : 0u) |
                          (job->palettes_3x4[0] ? PALETTES_3X4 : 0u) | (job->inverse_bind ? BOUND : 0u) |
                          (job->worlds[0] ? PLACED : 0u);
    if (what == (PALETTES_4X4 | BOUND) && !job->roots[0]) {
        many_palettes_4x4(job);
    } else if (what == (PALETTES_3X4 | BOUND) && !job->roots[0]) {
        many_palettes_3x4(job);
    } else {
        float root[12 * LANES], world[12 * LANES];
        if (job->roots[0]) gather_matrices(root, job->roots);
        if (job->worlds[0]) gather_matrices(world, job->worlds);
        many_joints(job, job->roots[0] ? root : NULL, job->worlds[0] ? world : NULL, what);
    }
}

#endif
