// Four lanes on x86: columns of matrices and their 4x4 transposes.

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
