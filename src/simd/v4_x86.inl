// Four lanes on x86: columns of matrices and their 4x4 transposes.

typedef __m128 v4;

FN v4 v4_load(const float *p) { return _mm_loadu_ps(p); }
FN void v4_store(float *p, v4 a) { _mm_storeu_ps(p, a); }
FN v4 v4_set1(float x) { return _mm_set1_ps(x); }
FN v4 v4_add(v4 a, v4 b) { return _mm_add_ps(a, b); }
FN v4 v4_mul(v4 a, v4 b) { return _mm_mul_ps(a, b); }
FN v4 v4_madd(v4 a, v4 b, v4 c) { return vf_madd(a, b, c); }

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

/// One lane in all four.
FN v4 v4_x(v4 a) { return _mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(a), 0x00)); }
FN v4 v4_y(v4 a) { return _mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(a), 0x55)); }
FN v4 v4_z(v4 a) { return _mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(a), 0xAA)); }
FN v4 v4_w(v4 a) { return _mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(a), 0xFF)); }

/// a with the w of b, bit by bit.
FN v4 v4_with_w(v4 a, v4 b) { return _mm_shuffle_ps(a, _mm_unpackhi_ps(a, b), 0xC4); }

/// The first three lanes of four vectors without gaps.
FN void v4_store3(char *to, v4 a, v4 b, v4 c, v4 d) {
    float *const p = (float *)(void *)to;
    v4_store(p, _mm_shuffle_ps(a, _mm_shuffle_ps(a, b, 0x0A), 0x84));
    v4_store(p + 4, _mm_shuffle_ps(b, c, 0x49));
    v4_store(p + 8, _mm_shuffle_ps(_mm_shuffle_ps(c, d, 0x0A), d, 0x98));
}
