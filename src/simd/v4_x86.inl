// Four lanes on x86, for the sets built on them: matrix columns, and the 4x4 transposes.

typedef __m128 v4;

FN v4 v4_load(const float *p) { return _mm_loadu_ps(p); }
FN void v4_store(float *p, v4 a) { _mm_storeu_ps(p, a); }
FN v4 v4_set1(float x) { return _mm_set1_ps(x); }
FN v4 v4_add(v4 a, v4 b) { return _mm_add_ps(a, b); }
FN v4 v4_mul(v4 a, v4 b) { return _mm_mul_ps(a, b); }

typedef struct v4_four {
    v4 a, b, c, d;
} v4_four;

FN v4_four v4_transpose(v4 a, v4 b, v4 c, v4 d) {
    const v4 ab_low = _mm_unpacklo_ps(a, b), ab_high = _mm_unpackhi_ps(a, b);
    const v4 cd_low = _mm_unpacklo_ps(c, d), cd_high = _mm_unpackhi_ps(c, d);
    const v4_four r = {_mm_movelh_ps(ab_low, cd_low), _mm_movehl_ps(cd_low, ab_low), _mm_movelh_ps(ab_high, cd_high),
                       _mm_movehl_ps(cd_high, ab_high)};
    return r;
}

FN void v4_store_rows(float *p, v4 c0, v4 c1, v4 c2, v4 c3) {
    const v4_four r = v4_transpose(c0, c1, c2, c3);
    v4_store(p, r.a);
    v4_store(p + 4, r.b);
    v4_store(p + 8, r.c);
}

/// Columns of four consecutive matrices, from and to structure of arrays.
FN void v4_store_columns(float *p, v4 x, v4 y, v4 z, v4 w) {
    const v4_four r = v4_transpose(x, y, z, w);
    v4_store(p, r.a);
    v4_store(p + 16, r.b);
    v4_store(p + 32, r.c);
    v4_store(p + 48, r.d);
}

FN v4_four v4_load_columns(const float *p) {
    return v4_transpose(v4_load(p), v4_load(p + 16), v4_load(p + 32), v4_load(p + 48));
}
