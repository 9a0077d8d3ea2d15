// Inertial blending: a pose with what is left of the offsets that it began with.

// An offset is six rows of 16 floats: direction x y z, size, pull, rate; a block has that of rotation, of translation
// and of scale.
enum { OFFSET_ROWS = 6, SIZE = 3, PULL = 4, RATE = 5 };

/// What is left of the size: size (1 - u)^3 (1 + (3 - k) u + c u^2), held below size against rounding; 0 below `least`,
/// so that no product becomes a denormal, and where rounding made it negative.
FN vf remaining_size(const float *offset, vf seconds, float least) {
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    const vf k = load_row(offset, PULL), passed = vf_mul(seconds, load_row(offset, RATE));
    const vf u = vf_select(vf_less(passed, one), passed, one), s = vf_sub(one, u);
    const vf late = vf_max(vf_sub(vf_mul(vf_set1(4.0f), k), vf_set1(10.0f)), zero);
    const vf b = vf_sub(vf_set1(3.0f), k);
    const vf c = vf_add(vf_sub(vf_set1(6.0f), vf_mul(vf_set1(3.0f), k)), late);
    const vf bracket = vf_add(one, vf_mul(u, vf_add(b, vf_mul(c, u))));
    const vf part = vf_mul(vf_mul(vf_mul(s, s), s), bracket);
    const vf left = vf_mul(load_row(offset, SIZE), vf_select(vf_less(part, one), part, one));
    return vf_zero_where(vf_less(left, vf_set1(least)), left);
}

/// The turn about an axis: sine and cosine of half the angle, 0..pi/2, by polynomials, errors below 1.5e-7 (fitted at
/// Chebyshev's points to 4e-8 and 6e-9, the rest is rounding). Horner's scheme: no power gets small enough to be a
/// denormal. Exactly the identity for 0.
FN vq remaining_turn(const float *offset, vf seconds) {
    const vf one = vf_set1(1.0f), h = vf_mul(remaining_size(offset, seconds, 1e-8f), vf_set1(0.5f)), z = vf_mul(h, h);
    vf s = vf_add(vf_set1(-0.000198227353f), vf_mul(vf_set1(2.63474453e-06f), z));
    s = vf_add(vf_set1(0.0083332425f), vf_mul(s, z));
    s = vf_add(vf_set1(-0.166666657f), vf_mul(s, z));
    s = vf_mul(h, vf_add(one, vf_mul(s, z)));
    vf c = vf_add(vf_set1(2.47745738e-05f), vf_mul(vf_set1(-2.62973941e-07f), z));
    c = vf_add(vf_set1(-0.00138886517f), vf_mul(c, z));
    c = vf_add(vf_set1(0.0416666605f), vf_mul(c, z));
    c = vf_add(vf_set1(-0.5f), vf_mul(c, z));
    c = vf_add(one, vf_mul(c, z));
    const vq r = {vf_mul(load_row(offset, 0), s), vf_mul(load_row(offset, 1), s), vf_mul(load_row(offset, 2), s), c};
    return r;
}

KERNEL void inertial(sqt_pose_block *out, const sqt_pose_block *target, const sqt_inertial_block *offsets,
                     float seconds, uint32_t joint_count) {
    const vf t = vf_set1(seconds);
    for (uint32_t joint = 0; joint < joint_count; joint += LANES) {
        const float *const from = rows_at(target, joint);
        const float *const rotation = (const float *)(offsets + joint / SQT_POSE_LANES) + joint % SQT_POSE_LANES;
        float *const to = out_rows_at(out, joint);
        store_rotation(to, vq_multiply(remaining_turn(rotation, t), load_rotation(from)));
        UNROLL for (uint32_t part = 0; part < 2; ++part) { // translation and scale
            const float *const offset = rotation + (part + 1) * OFFSET_ROWS * SQT_POSE_LANES;
            const vf left = remaining_size(offset, t, 1e-20f);
            UNROLL for (uint32_t i = 0; i < 3; ++i) {
                const uint32_t row = (part ? SCALE : TRANSLATION) + i;
                store_row(to, row, vf_add(load_row(from, row), vf_mul(load_row(offset, i), left)));
            }
        }
    }
    pad_lanes(out, joint_count);
}
