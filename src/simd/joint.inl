// The mathematics of joints, LANES of them at a time, in the vocabulary of the set that includes this file. The order
// of operations written here is the order on every set: it is what makes the bits the same.

typedef struct vq {
    vf x, y, z, w;
} vq;

FN vf vq_dot(vq a, vq b) {
    return vf_add(vf_add(vf_mul(a.x, b.x), vf_mul(a.y, b.y)), vf_add(vf_mul(a.z, b.z), vf_mul(a.w, b.w)));
}

/// a * b, as sqt_quat_multiply.
FN vq vq_multiply(vq a, vq b) {
    const vq r = {vf_add(vf_add(vf_mul(a.w, b.x), vf_mul(a.x, b.w)), vf_sub(vf_mul(a.y, b.z), vf_mul(a.z, b.y))),
                  vf_add(vf_add(vf_mul(a.w, b.y), vf_mul(a.y, b.w)), vf_sub(vf_mul(a.z, b.x), vf_mul(a.x, b.z))),
                  vf_add(vf_add(vf_mul(a.w, b.z), vf_mul(a.z, b.w)), vf_sub(vf_mul(a.x, b.y), vf_mul(a.y, b.x))),
                  vf_sub(vf_sub(vf_mul(a.w, b.w), vf_mul(a.x, b.x)), vf_add(vf_mul(a.y, b.y), vf_mul(a.z, b.z)))};
    return r;
}

FN vq vq_conjugate(vq q) {
    const vf minus = vf_set1(-0.0f);
    const vq r = {vf_xorsign(q.x, minus), vf_xorsign(q.y, minus), vf_xorsign(q.z, minus), q.w};
    return r;
}

/// Where q turns nothing: the length of (x, y, z) is below 1e-15.
FN vm vq_is_still(vq q) {
    const vf square = vf_add(vf_add(vf_mul(q.x, q.x), vf_mul(q.y, q.y)), vf_mul(q.z, q.z));
    return vf_less(square, vf_set1(1e-30f));
}

/// As sqt_snap: magnitudes below 1e-30 become 0, denormals with them.
FN vf vf_snap(vf a) { return vf_zero_where(vf_less(vf_abs(a), vf_set1(1e-30f)), a); }

FN vq vq_scale(vq q, vf factor) {
    const vq r = {vf_mul(q.x, factor), vf_mul(q.y, factor), vf_mul(q.z, factor), vf_mul(q.w, factor)};
    return r;
}

// A branch for quaternions too short to have a direction: they are so rare that it costs less than the selects, one of
// which the square root would wait for.

/// 1 / |q|. Where |q|^2 < 1e-30, q becomes the identity, to rounding.
FN vf vq_inverse_length(vq *q) {
    const vf one = vf_set1(1.0f);
    vf square = vq_dot(*q, *q);
    const vm tiny = vf_less(square, vf_set1(1e-30f));
    if (vm_any(tiny)) {
        q->w = vf_select(tiny, one, q->w);
        square = vf_select(tiny, one, square);
    }
    return vf_div(one, vf_sqrt(square));
}

/// q / |q|; the identity, to rounding, where |q|^2 < 1e-30.
FN vq vq_normalize(vq q) {
    const vf inverse = vq_inverse_length(&q);
    return vq_scale(q, inverse);
}

/// The same, and q as it is in some lanes, where nothing is divided by 0 either: an engine may trap it.
FN vq vq_normalize_except(vm kept, vq q) {
    const vf one = vf_set1(1.0f);
    vf square = vq_dot(q, q);
    const vm tiny = vf_less(square, vf_set1(1e-30f));
    if (vm_any(tiny)) {
        q.w = vf_select(vm_and_not(tiny, kept), one, q.w);
        square = vf_select(tiny, one, square);
    }
    return vq_scale(q, vf_select(kept, one, vf_div(one, vf_sqrt(square))));
}

/// wa a + wb b.
FN vq vq_sum(vq a, vf wa, vq b, vf wb) {
    const vq r = {vf_add(vf_mul(a.x, wa), vf_mul(b.x, wb)), vf_add(vf_mul(a.y, wa), vf_mul(b.y, wb)),
                  vf_add(vf_mul(a.z, wa), vf_mul(b.z, wb)), vf_add(vf_mul(a.w, wa), vf_mul(b.w, wb))};
    return r;
}

FN vq vq_mix(vq a, vf wa, vq b, vf wb) { return vq_normalize(vq_sum(a, wa, b, wb)); }

FN vq vq_nlerp(vq a, vq b, vf t) {
    const vf dot = vq_dot(a, b);
    return vq_mix(a, vf_sub(vf_set1(1.0f), t), b, vf_xorsign(t, dot));
}

/// S(x) = sin(A) / A with x = A^2, relative error 6e-8 on 0..pi^2 (Estrin's scheme).
FN vf vf_sinc(vf x) {
    const vf p01 = vf_add(vf_set1(0.99999994f), vf_mul(vf_set1(-0.16666621f), x));
    const vf p23 = vf_add(vf_set1(0.00833279453f), vf_mul(vf_set1(-0.000198177164f), x));
    const vf p45 = vf_add(vf_set1(2.70893042e-06f), vf_mul(vf_set1(-2.07021618e-08f), x));
    const vf xx = vf_mul(x, x);
    return vf_add(vf_add(p01, vf_mul(p23, xx)), vf_mul(p45, vf_mul(xx, xx)));
}

/// A^2 for y = 1 - cos(A), 0..1: y Q(y), relative error 4e-8 (a series of acos(1 - y)^2; Estrin's scheme).
FN vf vf_angle_squared(vf y) {
    const vf p01 = vf_add(vf_set1(1.99999988f), vf_mul(vf_set1(0.333343267f), y));
    const vf p23 = vf_add(vf_set1(0.0886901543f), vf_mul(vf_set1(0.0300685391f), y));
    const vf p45 = vf_add(vf_set1(0.00472161034f), vf_mul(vf_set1(0.014231896f), y));
    const vf p67 = vf_add(vf_set1(-0.00878361333f), vf_mul(vf_set1(0.00512922648f), y));
    const vf yy = vf_mul(y, y);
    const vf low = vf_add(p01, vf_mul(p23, yy)), high = vf_add(p45, vf_mul(p67, yy));
    return vf_mul(y, vf_add(low, vf_mul(high, vf_mul(yy, yy))));
}

/// The weights of SLERP, t in -1..2, y = 1 - |a . b|: sin((1 - t) A) / A and sin(t A) / A. The common factor A / sin A
/// is left to the normalisation, which makes acos and every division but one unnecessary.
FN void vf_slerp_weights(vf *wa, vf *wb, vf s, vf t, vf y) {
    const vf square = vf_angle_squared(y);
    *wa = vf_mul(s, vf_sinc(vf_mul(square, vf_mul(s, s))));
    *wb = vf_mul(t, vf_sinc(vf_mul(square, vf_mul(t, t))));
}

FN vq vq_slerp_arc(vq a, vq b, vf t, vf y, vf sign) {
    vf wa, wb;
    vf_slerp_weights(&wa, &wb, vf_sub(vf_set1(1.0f), t), t, y);
    return vq_mix(a, wa, b, vf_xorsign(wb, sign));
}

/// 1 - |a . b|.
FN vf vf_arc(vf dot) { return vf_max(vf_sub(vf_set1(1.0f), vf_abs(dot)), vf_set1(0.0f)); }

FN vq vq_slerp(vq a, vq b, vf t) {
    const vf dot = vq_dot(a, b);
    return vq_slerp_arc(a, b, t, vf_arc(dot), dot);
}

/// (1 - t) a + t b with s = 1 - t.
FN vf vf_lerp(vf a, vf s, vf b, vf t) { return vf_add(vf_mul(a, s), vf_mul(b, t)); }

/// The upper three rows of R, column by column: rows[3 * column + row]. (1 - yy) - zz rather than 1 - (yy + zz): a third
/// less error at the end of a chain.
FN void vf_matrix_from_rotation(vf rows[9], vq q) {
    const vf one = vf_set1(1.0f);
    const vf x2 = vf_add(q.x, q.x), y2 = vf_add(q.y, q.y), z2 = vf_add(q.z, q.z);
    const vf xx = vf_mul(q.x, x2), yy = vf_mul(q.y, y2), zz = vf_mul(q.z, z2);
    const vf xy = vf_mul(q.x, y2), xz = vf_mul(q.x, z2), yz = vf_mul(q.y, z2);
    const vf wx = vf_mul(q.w, x2), wy = vf_mul(q.w, y2), wz = vf_mul(q.w, z2);
    rows[0] = vf_sub(vf_sub(one, yy), zz);
    rows[1] = vf_add(xy, wz);
    rows[2] = vf_sub(xz, wy);
    rows[3] = vf_sub(xy, wz);
    rows[4] = vf_sub(vf_sub(one, xx), zz);
    rows[5] = vf_add(yz, wx);
    rows[6] = vf_add(xz, wy);
    rows[7] = vf_sub(yz, wx);
    rows[8] = vf_sub(vf_sub(one, xx), yy);
}

FN void vf_scale_columns(vf rows[9], vf sx, vf sy, vf sz) {
    rows[0] = vf_mul(rows[0], sx), rows[1] = vf_mul(rows[1], sx), rows[2] = vf_mul(rows[2], sx);
    rows[3] = vf_mul(rows[3], sy), rows[4] = vf_mul(rows[4], sy), rows[5] = vf_mul(rows[5], sy);
    rows[6] = vf_mul(rows[6], sz), rows[7] = vf_mul(rows[7], sz), rows[8] = vf_mul(rows[8], sz);
}

/// The same of T * R * S without T. Where all scales are 1 there is nothing to multiply: x * 1 is x, bit for bit, so
/// that it does not matter with how many others a joint goes.
FN void vf_matrix_from_joint(vf rows[9], vq q, vf sx, vf sy, vf sz) {
    const vf one = vf_set1(1.0f);
    vf_matrix_from_rotation(rows, q);
    if (!vm_any(vm_or(vm_or(vf_not_equal(sx, one), vf_not_equal(sy, one)), vf_not_equal(sz, one)))) return;
    vf_scale_columns(rows, sx, sy, sz);
}
