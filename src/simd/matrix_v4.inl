// 4x4 matrices as four columns of four lanes, for the sets whose vectors have four: m4 and what the kernels do with it.
// Sets with wider vectors hold a matrix in fewer registers and supply the same functions with the same order of
// operations.

typedef struct m4 {
    v4 c0, c1, c2, c3;
} m4;

FN void m4_store(float *p, m4 a) {
    v4_store(p, a.c0);
    v4_store(p + 4, a.c1);
    v4_store(p + 8, a.c2);
    v4_store(p + 12, a.c3);
}

FN m4 m4_load(const float *p) {
    const m4 r = {v4_load(p), v4_load(p + 4), v4_load(p + 8), v4_load(p + 12)};
    return r;
}

/// The upper three rows, row after row.
FN void m4_store_rows(float *p, m4 a) {
    const v4_four r = v4_transpose(a.c0, a.c1, a.c2, a.c3);
    v4_store(p, r.a);
    v4_store(p + 4, r.b);
    v4_store(p + 8, r.c);
}

FN v4 v4_combine(v4 p0, v4 p1, v4 p2, const float *l, v4 e) {
    const v4 sum = v4_add(v4_mul(p0, v4_set1(l[0])), v4_mul(p1, v4_set1(l[1])));
    return v4_add(v4_add(sum, v4_mul(p2, v4_set1(l[2]))), e);
}

/// p * l of two affine matrices, column by column: ((p0 l0 + p1 l1) + p2 l2) + e, e the translation of p for the last
/// column: added last, because it is the large number far from the origin. For the others e is -0, which changes nothing,
/// and +0 in the last row, which makes a zero there positive.
FN m4 m4_product(const float *p, const float *l) {
    static const float zero[4] = {-0.0f, -0.0f, -0.0f, 0.0f};
    const v4 p0 = v4_load(p), p1 = v4_load(p + 4), p2 = v4_load(p + 8), p3 = v4_load(p + 12), e = v4_load(zero);
    const m4 r = {v4_combine(p0, p1, p2, l, e), v4_combine(p0, p1, p2, l + 4, e), v4_combine(p0, p1, p2, l + 8, e),
                  v4_combine(p0, p1, p2, l + 12, p3)};
    return r;
}

FN m4 m4_zero(void) {
    const v4 zero = v4_set1(0.0f);
    const m4 r = {zero, zero, zero, zero};
    return r;
}

/// p * w, all elements.
FN m4 m4_scaled(const float *p, float w) {
    const v4 s = v4_set1(w);
    const m4 r = {v4_mul(v4_load(p), s), v4_mul(v4_load(p + 4), s), v4_mul(v4_load(p + 8), s),
                  v4_mul(v4_load(p + 12), s)};
    return r;
}

/// p * s + a, s in all lanes.
FN m4 m4_madd_times(const float *p, v4 s, m4 a) {
    const m4 r = {v4_madd(v4_load(p), s, a.c0), v4_madd(v4_load(p + 4), s, a.c1), v4_madd(v4_load(p + 8), s, a.c2),
                  v4_madd(v4_load(p + 12), s, a.c3)};
    return r;
}

/// p * w + a.
FN m4 m4_madd(const float *p, float w, m4 a) { return m4_madd_times(p, v4_set1(w), a); }

#if !defined(SQT_SCALAR_LANES)

enum { COLUMNS = 1 }; // of LANES matrices that are stored at once

/// COLUMNS columns of LANES matrices, one a lane, from structure of arrays to `at` floats behind each of LANES
/// addresses. The last of the four rows is 0; in the last column of a matrix, 1.
FN void m4_scatter(float *const *to, size_t at, const vf *columns, bool last) {
    const v4_four r = v4_transpose(columns[0], columns[1], columns[2], vf_set1(last ? 1.0f : 0.0f));
    v4_store(to[0] + at, r.a);
    v4_store(to[1] + at, r.b);
    v4_store(to[2] + at, r.c);
    v4_store(to[3] + at, r.d);
}

/// Three floats in all lanes, of four that may be read.
FN void vf_splat3(vf out[3], const float *p) {
    const v4 v = v4_load(p);
    out[0] = v4_x(v), out[1] = v4_y(v), out[2] = v4_z(v);
}

/// Four matrices transposed, and as many as there are lanes, as columns of three.
enum { GROUP = 4 };

typedef struct m4_group {
    v4_four c0, c1, c2, c3;
} m4_group;

FN m4_group m4_transpose(const m4 *m) {
    const m4_group r = {
        v4_transpose(m[0].c0, m[1].c0, m[2].c0, m[3].c0), v4_transpose(m[0].c1, m[1].c1, m[2].c1, m[3].c1),
        v4_transpose(m[0].c2, m[1].c2, m[2].c2, m[3].c2), v4_transpose(m[0].c3, m[1].c3, m[2].c3, m[3].c3)};
    return r;
}

FN void m4_join(vf rows[12], const m4_group *g) {
    rows[0] = g->c0.a, rows[1] = g->c0.b, rows[2] = g->c0.c, rows[3] = g->c1.a, rows[4] = g->c1.b, rows[5] = g->c1.c;
    rows[6] = g->c2.a, rows[7] = g->c2.b, rows[8] = g->c2.c, rows[9] = g->c3.a, rows[10] = g->c3.b, rows[11] = g->c3.c;
}

#define SQT_MATRIX_COLUMNS

/// p * s, all elements.
FN m4 m4_times(const float *p, v4 s) {
    const m4 r = {v4_mul(v4_load(p), s), v4_mul(v4_load(p + 4), s), v4_mul(v4_load(p + 8), s),
                  v4_mul(v4_load(p + 12), s)};
    return r;
}

/// (c0 x + c2 z) + (c1 y + c3), and without c3: coordinates fill a vector each.
FN v4 m4_point(m4 m, v4 x, v4 y, v4 z) { return v4_add(v4_madd(m.c0, x, v4_mul(m.c2, z)), v4_madd(m.c1, y, m.c3)); }

FN v4 m4_vector(m4 m, v4 x, v4 y, v4 z) { return v4_madd(m.c1, y, v4_madd(m.c0, x, v4_mul(m.c2, z))); }

/// Four vectors of three floats as they lie, and the nth of the twelve in all lanes.
typedef struct v4_three {
    v4 a, b, c;
} v4_three;

FN v4_three v4_load3(const char *from) {
    const float *const p = (const float *)(const void *)from;
    const v4_three r = {v4_load(p), v4_load(p + 4), v4_load(p + 8)};
    return r;
}

FN v4 v4_nth(v4_three v, int n) {
    const v4 in = n < 4 ? v.a : n < 8 ? v.b : v.c;
    switch (n % 4) {
    case 0:
        return v4_x(in);
    case 1:
        return v4_y(in);
    case 2:
        return v4_z(in);
    default:
        return v4_w(in);
    }
}

/// LANES vectors of four floats.
FN void vf_load4(vf *x, vf *y, vf *z, vf *w, const char *from) {
    const float *const p = (const float *)(const void *)from;
    const v4_four r = v4_transpose(v4_load(p), v4_load(p + 4), v4_load(p + 8), v4_load(p + 12));
    *x = r.a, *y = r.b, *z = r.c, *w = r.d;
}

FN void vf_store4(char *to, vf x, vf y, vf z, vf w) {
    float *const p = (float *)(void *)to;
    const v4_four r = v4_transpose(x, y, z, w);
    v4_store(p, r.a);
    v4_store(p + 4, r.b);
    v4_store(p + 8, r.c);
    v4_store(p + 12, r.d);
}

// Quarters: a vector here is one.

typedef v4_four vf_four;

FN vf_four vf_transpose(vf a, vf b, vf c, vf d) { return v4_transpose(a, b, c, d); }

/// Four floats from each of LANES / 4 addresses: quarter q from p[4 * q] + offset.
FN vf vf_load_quarters(const float *const *p, size_t offset) { return v4_load(p[0] + offset); }
FN void vf_store_quarters(float *const *p, size_t offset, vf a) { v4_store(p[0] + offset, a); }

#endif
