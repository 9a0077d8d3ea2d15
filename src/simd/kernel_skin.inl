// Linear blend skinning, LANES vertices at a time, one lane a vertex. Kernels differ only in where their blended
// matrices come from: vertices that share their joints blend in structure of arrays; others blend a matrix a vertex,
// and GROUP of them are transposed in registers. Everything after that is the same work.

// ---- vectors

typedef struct v3 {
    vf x, y, z;
} v3;

FN v3 v3_cross(v3 a, v3 b) {
    const v3 r = {vf_sub(vf_mul(a.y, b.z), vf_mul(a.z, b.y)), vf_sub(vf_mul(a.z, b.x), vf_mul(a.x, b.z)),
                  vf_sub(vf_mul(a.x, b.y), vf_mul(a.y, b.x))};
    return r;
}

FN vf v3_dot(v3 a, v3 b) { return vf_madd(a.z, b.z, vf_madd(a.x, b.x, vf_mul(a.y, b.y))); }

/// (c0 x + c2 z) + c1 y.
FN v3 v3_transform(v3 c0, v3 c1, v3 c2, v3 v) {
    const v3 r = {vf_madd(c1.x, v.y, vf_madd(c0.x, v.x, vf_mul(c2.x, v.z))),
                  vf_madd(c1.y, v.y, vf_madd(c0.y, v.x, vf_mul(c2.y, v.z))),
                  vf_madd(c1.z, v.y, vf_madd(c0.z, v.x, vf_mul(c2.z, v.z)))};
    return r;
}

/// (c0 x + c2 z) + (c1 y + c3).
FN v3 v3_point(const vf m[12], v3 p) {
    const v3 r = {vf_add(vf_madd(m[0], p.x, vf_mul(m[6], p.z)), vf_madd(m[3], p.y, m[9])),
                  vf_add(vf_madd(m[1], p.x, vf_mul(m[7], p.z)), vf_madd(m[4], p.y, m[10])),
                  vf_add(vf_madd(m[2], p.x, vf_mul(m[8], p.z)), vf_madd(m[5], p.y, m[11]))};
    return r;
}

/// 1 / |v|; zero where |v|^2 < 1e-30.
FN vf v3_inverse_length(v3 v) {
    const vf square = v3_dot(v, v);
    const vm tiny = vf_less(square, vf_set1(1e-30f));
    const vf inverse = vf_div(vf_set1(1.0f), vf_sqrt(vf_select(tiny, vf_set1(1.0f), square)));
    return vf_select(tiny, vf_set1(0.0f), inverse);
}

FN v3 v3_unit(v3 v) {
    const vf scale = v3_inverse_length(v);
    const v3 r = {vf_mul(v.x, scale), vf_mul(v.y, scale), vf_mul(v.z, scale)};
    return r;
}

/// v turned around where the determinant is negative. Not by its sign bit: that of a NaN is not defined.
FN v3 v3_on_side(v3 v, vf determinant) {
    const vm mirrored = vf_less(determinant, vf_set1(0.0f));
    const v3 r = {vf_flip(mirrored, v.x), vf_flip(mirrored, v.y), vf_flip(mirrored, v.z)};
    return r;
}

/// The normal under the cofactor matrix, whose columns are cross products of the matrix's columns. Its length is the
/// change of area; under a mirror (negative determinant) the cofactors point inwards, so the sign follows.
FN v3 v3_normal(v3 c0, v3 c1, v3 c2, v3 n) {
    const v3 k0 = v3_cross(c1, c2), k1 = v3_cross(c2, c0), k2 = v3_cross(c0, c1);
    return v3_on_side(v3_transform(k0, k1, k2, n), v3_dot(k0, c0));
}

// ---- LANES vertices under their blended matrices

enum { POSITION_BYTES = 12, NORMAL_BYTES = 12, TANGENT_BYTES = 16 };

/// Attributes without gaps: pointers to those of the first vertex. Absent: NULL.
typedef struct skin_streams {
    const char *positions, *normals, *tangents;
    char *out_positions, *out_normals, *out_tangents;
} skin_streams;

/// What is wanted, as far as kernels are made for it: positions, which all but ANYTHING have, and what goes with them.
enum { POINTS = 0, PLAIN_NORMALS = 1, COFACTORS = 2, TANGENTS = 4, ANYTHING = 8 };

typedef struct skin_style {
    bool plain_normals, raw_normals;
} skin_style;

/// Vertices `from` up to `from + LANES` of the inputs, which are vertices `to` up to `to + LANES` of the outputs.
FN void skin_lanes(skin_style style, const skin_streams *s, size_t from, size_t to, const vf m[12], uint32_t wanted) {
    const v3 c0 = {m[0], m[1], m[2]}, c1 = {m[3], m[4], m[5]}, c2 = {m[6], m[7], m[8]};
    v3 v;
    if (wanted == POINTS || s->out_positions) {
        vf_load3(&v.x, &v.y, &v.z, s->positions + from * POSITION_BYTES);
        v = v3_point(m, v);
        vf_store3(s->out_positions + to * POSITION_BYTES, v.x, v.y, v.z);
    }
    if (wanted == ANYTHING && s->out_normals) {
        vf_load3(&v.x, &v.y, &v.z, s->normals + from * NORMAL_BYTES);
        v = style.plain_normals ? v3_transform(c0, c1, c2, v) : v3_normal(c0, c1, c2, v);
        if (!style.raw_normals) v = v3_unit(v);
        vf_store3(s->out_normals + to * NORMAL_BYTES, v.x, v.y, v.z);
    }
    if (wanted == ANYTHING && s->out_tangents) {
        vf handedness;
        vf_load4(&v.x, &v.y, &v.z, &handedness, s->tangents + from * TANGENT_BYTES);
        v = v3_transform(c0, c1, c2, v);
        if (!style.raw_normals) v = v3_unit(v);
        vf_store4(s->out_tangents + to * TANGENT_BYTES, v.x, v.y, v.z, handedness);
    }
}

// ---- blended matrices: ((m0 w0 + m1 w1) + m2 w2) + ...

enum { FIXED, SHARED, MIXED };

enum { ANY = 0 }; // number of influences, where a kernel is not made for one: what the span says

/// Vertices that are blended by one kernel.
typedef struct skin_span {
    const uint16_t *joints; ///< of the first vertex; fixed, shared: of all
    const float *weights;   ///< of the first vertex, vertex by vertex; shared: influence by influence; fixed: none
    size_t weight_step;     ///< shared: floats from influence to influence
    uint32_t influence_count;
    uint32_t kind; ///< FIXED: one matrix for all, that of the joint, or zero without influences
} skin_span;

FN void fixed_matrices(vf m[12], const sqt_mat4 *palette, const skin_span *span) {
    if (span->influence_count == 0) {
        UNROLL for (int e = 0; e < 12; ++e) m[e] = vf_set1(0.0f);
    } else {
        const float *const joint = palette[span->joints[0]].m;
        UNROLL for (int e = 0; e < 12; ++e) m[e] = vf_set1(joint[e / 3 * 4 + e % 3]);
    }
}

/// The elements of shared matrices in all lanes, for up to TABLE_INFLUENCES; not used where a broadcast costs nothing.
enum { TABLE_INFLUENCES = 4 };

typedef struct skin_table {
    vf e[TABLE_INFLUENCES][12];
} skin_table;

FN void fill_table(skin_table *table, const sqt_mat4 *palette, const skin_span *span, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        const float *const joint = palette[span->joints[k]].m;
        UNROLL for (int e = 0; e < 12; ++e) table->e[k][e] = vf_set1(joint[e / 3 * 4 + e % 3]);
    }
}

/// One joint set for all lanes: each matrix element is weighted lane by lane.
FN void table_matrices(vf m[12], const skin_table *table, const skin_span *span, size_t vertex, uint32_t count) {
    vf w[TABLE_INFLUENCES];
    UNROLL for (uint32_t k = 0; k < count; ++k) w[k] = vf_load(span->weights + k * span->weight_step + vertex);
    UNROLL for (int e = 0; e < 12; ++e) {
        m[e] = vf_mul(table->e[0][e], w[0]);
        UNROLL for (uint32_t k = 1; k < count; ++k) m[e] = vf_madd(table->e[k][e], w[k], m[e]);
    }
}

FN void add_shared(vf m[12], const sqt_mat4 *palette, const skin_span *span, size_t vertex, uint32_t k) {
    const vf w = vf_load(span->weights + k * span->weight_step + vertex);
    const float *const joint = palette[span->joints[k]].m;
    UNROLL for (int e = 0; e < 12; ++e) {
        const vf element = vf_set1(joint[e / 3 * 4 + e % 3]);
        m[e] = k == 0 ? vf_mul(element, w) : vf_madd(element, w, m[e]);
    }
}

/// The same, each element broadcast when it is needed.
FN void shared_matrices(vf m[12], const sqt_mat4 *palette, const skin_span *span, size_t vertex, uint32_t count) {
    add_shared(m, palette, span, vertex, 0);
    if (count == ANY) {
        for (uint32_t k = 1; k < span->influence_count; ++k) add_shared(m, palette, span, vertex, k);
    } else {
        UNROLL for (uint32_t k = 1; k < count; ++k) add_shared(m, palette, span, vertex, k);
    }
}

/// The matrix of vertex `vertex`.
FN m4 mixed_matrix(const sqt_mat4 *palette, const skin_span *span, size_t vertex, uint32_t count) {
    const size_t at = vertex * (count == ANY ? span->influence_count : count);
    const uint16_t *const joints = span->joints + at;
    const float *const weights = span->weights + at;
#if defined(SQT_MATRIX_COLUMNS)
    if (count == 4) { // one load, and a shuffle each
        const v4 w = v4_load(weights);
        const m4 a = m4_times(palette[joints[0]].m, v4_x(w)), b = m4_madd_times(palette[joints[1]].m, v4_y(w), a);
        return m4_madd_times(palette[joints[3]].m, v4_w(w), m4_madd_times(palette[joints[2]].m, v4_z(w), b));
    }
#endif
    m4 sum = m4_scaled(palette[joints[0]].m, weights[0]);
    if (count == ANY) {
        for (uint32_t k = 1; k < span->influence_count; ++k) { sum = m4_madd(palette[joints[k]].m, weights[k], sum); }
    } else {
        UNROLL for (uint32_t k = 1; k < count; ++k) sum = m4_madd(palette[joints[k]].m, weights[k], sum);
    }
    return sum;
}

#if defined(SQT_MATRIX_COLUMNS)

FN v3 v3_of_rows(v4 a, v4 b, v4 c, v4 d) {
    const v4_four rows = v4_transpose(a, b, c, d);
    const v3 r = {rows.a, rows.b, rows.c};
    return r;
}

FN void store_tangents(char *to, const v4 tangents[LANES], const v4 given[LANES], skin_style style) {
    float *const p = (float *)(void *)to;
    v4 t[LANES] = {tangents[0], tangents[1], tangents[2], tangents[3]};
    if (!style.raw_normals) {
        const v4_four rows = v4_transpose(t[0], t[1], t[2], t[3]);
        const v3 v = {rows.a, rows.b, rows.c};
        const vf scale = v3_inverse_length(v);
        t[0] = v4_mul(t[0], v4_x(scale)), t[1] = v4_mul(t[1], v4_y(scale));
        t[2] = v4_mul(t[2], v4_z(scale)), t[3] = v4_mul(t[3], v4_w(scale));
    }
    UNROLL for (int i = 0; i < LANES; ++i) v4_store(p + 4 * i, v4_with_w(t[i], given[i]));
}

/// skin_lanes of a joint set a vertex. Where a matrix is four registers, it is cheaper to use each at once than to
/// transpose them.
FN void skin_columns(skin_style style, const skin_streams *s, size_t from, size_t to, const sqt_mat4 *palette,
                     const skin_span *span, size_t vertex, uint32_t count, uint32_t wanted) {
    const float *const given =
        wanted & TANGENTS ? (const float *)(const void *)(s->tangents + from * TANGENT_BYTES) : NULL;
    const v4_three p = v4_load3(s->positions + from * POSITION_BYTES);
    const v4_three n = v4_load3(wanted & PLAIN_NORMALS ? s->normals + from * NORMAL_BYTES : s->positions);
    v4 points[LANES], normals[LANES], tangents[LANES], handedness[LANES], c0[LANES], c1[LANES], c2[LANES];
    UNROLL for (int i = 0; i < LANES; ++i) {
        const m4 m = mixed_matrix(palette, span, vertex + (size_t)i, count);
        points[i] = m4_point(m, v4_nth(p, 3 * i), v4_nth(p, 3 * i + 1), v4_nth(p, 3 * i + 2));
        if (wanted & TANGENTS) {
            handedness[i] = v4_load(given + 4 * i);
            tangents[i] = m4_vector(m, v4_x(handedness[i]), v4_y(handedness[i]), v4_z(handedness[i]));
        }
        if (wanted & PLAIN_NORMALS) {
            normals[i] = m4_vector(m, v4_nth(n, 3 * i), v4_nth(n, 3 * i + 1), v4_nth(n, 3 * i + 2));
        }
        if (wanted & COFACTORS) c0[i] = m.c0, c1[i] = m.c1, c2[i] = m.c2;
    }
    v4_store3(s->out_positions + to * POSITION_BYTES, points[0], points[1], points[2], points[3]);
    if (wanted & PLAIN_NORMALS) {
        char *const out = s->out_normals + to * NORMAL_BYTES;
        if (style.raw_normals) {
            v4_store3(out, normals[0], normals[1], normals[2], normals[3]);
        } else {
            const v3 v = v3_unit(v3_of_rows(normals[0], normals[1], normals[2], normals[3]));
            vf_store3(out, v.x, v.y, v.z);
        }
    }
    if (wanted & COFACTORS) {
        v3 v;
        vf_load3(&v.x, &v.y, &v.z, s->normals + from * NORMAL_BYTES);
        v = v3_normal(v3_of_rows(c0[0], c0[1], c0[2], c0[3]), v3_of_rows(c1[0], c1[1], c1[2], c1[3]),
                      v3_of_rows(c2[0], c2[1], c2[2], c2[3]), v);
        if (!style.raw_normals) v = v3_unit(v);
        vf_store3(s->out_normals + to * NORMAL_BYTES, v.x, v.y, v.z);
    }
    if (wanted & TANGENTS) store_tangents(s->out_tangents + to * TANGENT_BYTES, tangents, handedness, style);
}

#endif

/// A joint set a vertex.
FN void mixed_matrices(vf m[12], const sqt_mat4 *palette, const skin_span *span, size_t vertex, uint32_t count) {
    m4_group groups[LANES / GROUP];
    UNROLL for (uint32_t g = 0; g < LANES / GROUP; ++g) {
        m4 blended[GROUP];
        UNROLL for (uint32_t i = 0; i < GROUP; ++i) {
            blended[i] = mixed_matrix(palette, span, vertex + g * GROUP + i, count);
        }
        groups[g] = m4_transpose(blended);
    }
    m4_join(m, groups);
}

// ---- spans

/// What all spans of a job have in common: streams are those of the job's first vertex.
typedef struct skin_work {
    const sqt_mat4 *palette;
    skin_streams streams;
    skin_style style;
} skin_work;

/// Outputs of LANES vertices that cannot be written yet.
typedef struct skin_buffer {
    char positions[LANES * POSITION_BYTES], normals[LANES * NORMAL_BYTES], tangents[LANES * TANGENT_BYTES];
} skin_buffer;

FN skin_streams streams_into(skin_streams s, skin_buffer *buffer) {
    if (s.out_positions) s.out_positions = buffer->positions;
    if (s.out_normals) s.out_normals = buffer->normals;
    if (s.out_tangents) s.out_tangents = buffer->tangents;
    return s;
}

FN void copy_buffer(skin_streams s, size_t to, const skin_buffer *buffer) {
    if (s.out_positions) memcpy(s.out_positions + to * POSITION_BYTES, buffer->positions, sizeof buffer->positions);
    if (s.out_normals) memcpy(s.out_normals + to * NORMAL_BYTES, buffer->normals, sizeof buffer->normals);
    if (s.out_tangents) memcpy(s.out_tangents + to * TANGENT_BYTES, buffer->tangents, sizeof buffer->tangents);
}

/// Vertices first .. first + vertices - 1, LANES or more; kind, count and wanted are constants where this is inlined.
/// The last LANES are worked out first and written last, so that full groups suffice: in place, nothing is read after it
/// was written.
FN void skin_loop(const skin_work *work, size_t first, const skin_span *span, size_t vertices, uint32_t kind,
                  uint32_t count, uint32_t wanted) {
    const sqt_mat4 *const palette = work->palette;
    const skin_style style = work->style;
    const size_t rest = vertices % LANES, last = vertices - LANES;
    const bool with_table = kind == SHARED && BROADCAST_COSTS && count != ANY;
    skin_streams streams = work->streams;
    if (wanted == POINTS) streams.out_normals = streams.out_tangents = NULL;
    skin_table table;
    skin_buffer buffer;
    vf m[12];
    if (kind == FIXED) fixed_matrices(m, palette, span);
    if (with_table) fill_table(&table, palette, span, count);
    for (int pass = rest ? 0 : 1; pass < 2; ++pass) { // the last LANES, then all in front of them
        const skin_streams now = pass == 0 ? streams_into(streams, &buffer) : streams;
        const size_t begin = pass == 0 ? last : 0, shift = pass == 0 ? (size_t)0 - last : first;
        for (size_t v = begin; v <= last; v += LANES) {
            const size_t from = first + v, to = v + shift;
#if defined(SQT_MATRIX_COLUMNS)
            if (kind == MIXED && wanted != ANYTHING) {
                skin_columns(style, &now, from, to, palette, span, v, count, wanted);
                continue;
            }
#endif
            if (kind == MIXED) mixed_matrices(m, palette, span, v, count);
            if (with_table) table_matrices(m, &table, span, v, count);
            if (kind == SHARED && !with_table) shared_matrices(m, palette, span, v, count);
            skin_lanes(style, &now, from, to, m, wanted);
        }
    }
    if (rest) copy_buffer(streams, first + last, &buffer);
}

/// skin_loop for the usual numbers of influences and for any.
FN void skin_counts(const skin_work *work, size_t first, const skin_span *span, size_t vertices, uint32_t kind,
                    uint32_t wanted) {
    switch (span->influence_count) {
    case 1:
        skin_loop(work, first, span, vertices, kind, 1, wanted);
        break;
    case 2:
        skin_loop(work, first, span, vertices, kind, 2, wanted);
        break;
    case 3:
        skin_loop(work, first, span, vertices, kind, 3, wanted);
        break;
    case 4:
        skin_loop(work, first, span, vertices, kind, 4, wanted);
        break;
    default:
        skin_loop(work, first, span, vertices, kind, ANY, wanted);
        break;
    }
}

FN void skin_kinds(const skin_work *work, size_t first, const skin_span *span, size_t vertices, uint32_t wanted) {
    if (span->kind == FIXED || span->influence_count == 0) {
        skin_loop(work, first, span, vertices, FIXED, 1, wanted);
    } else if (span->kind == SHARED) {
        skin_counts(work, first, span, vertices, SHARED, wanted);
#if defined(SQT_MATRIX_COLUMNS)
    } else if (wanted == ANYTHING) { // what skin_mixed does not do
        skin_loop(work, first, span, vertices, MIXED, ANY, wanted);
#endif
    } else {
        skin_counts(work, first, span, vertices, MIXED, wanted);
    }
}

KERNEL void skin_points(const skin_work *work, size_t first, const skin_span *span, size_t vertices) {
    skin_kinds(work, first, span, vertices, POINTS);
}

KERNEL void skin_anything(const skin_work *work, size_t first, const skin_span *span, size_t vertices) {
    skin_kinds(work, first, span, vertices, ANYTHING);
}

#if defined(SQT_MATRIX_COLUMNS)

KERNEL void skin_mixed(const skin_work *work, size_t first, const skin_span *span, size_t vertices) {
    if (work->streams.out_tangents) {
        if (work->style.plain_normals) {
            skin_counts(work, first, span, vertices, MIXED, PLAIN_NORMALS | TANGENTS);
        } else {
            skin_counts(work, first, span, vertices, MIXED, COFACTORS | TANGENTS);
        }
    } else if (work->style.plain_normals) {
        skin_counts(work, first, span, vertices, MIXED, PLAIN_NORMALS);
    } else {
        skin_counts(work, first, span, vertices, MIXED, COFACTORS);
    }
}

#endif

FN void skin_tight(const skin_work *work, size_t first, const skin_span *span, size_t vertices) {
    const skin_streams *const s = &work->streams;
    if (s->out_positions && !s->out_normals && !s->out_tangents) {
        skin_points(work, first, span, vertices);
#if defined(SQT_MATRIX_COLUMNS)
    } else if (s->out_positions && s->out_normals && span->kind == MIXED && span->influence_count > 0) {
        skin_mixed(work, first, span, vertices);
#endif
    } else {
        skin_anything(work, first, span, vertices);
    }
}

// ---- attributes with gaps, and few vertices: through copies

enum { COPIED_VERTICES = 64 }; // enough that nothing waits for what was just stored

/// Room for attributes without gaps.
typedef struct skin_copies {
    char positions[COPIED_VERTICES * POSITION_BYTES], normals[COPIED_VERTICES * NORMAL_BYTES];
    char tangents[COPIED_VERTICES * TANGENT_BYTES];
} skin_copies;

FN void copy_rows(char *to, size_t to_stride, const char *from, size_t from_stride, size_t bytes, size_t count) {
    for (size_t i = 0; i < count; ++i) memcpy(to + i * to_stride, from + i * from_stride, bytes);
}

/// What of the job is wanted, copied without gaps, and where it is to go without gaps.
FN skin_streams copy_in(const sqt_skin_job *job, size_t first, size_t vertices, skin_copies *in, skin_copies *out) {
    skin_streams s = {in->positions, in->normals, in->tangents, NULL, NULL, NULL};
    if (job->out_positions) {
        copy_rows(in->positions, POSITION_BYTES, job->positions + first * job->position_stride, job->position_stride,
                  POSITION_BYTES, vertices);
        s.out_positions = out->positions;
    }
    if (job->out_normals) {
        copy_rows(in->normals, NORMAL_BYTES, job->normals + first * job->normal_stride, job->normal_stride,
                  NORMAL_BYTES, vertices);
        s.out_normals = out->normals;
    }
    if (job->out_tangents) {
        copy_rows(in->tangents, TANGENT_BYTES, job->tangents + first * job->tangent_stride, job->tangent_stride,
                  TANGENT_BYTES, vertices);
        s.out_tangents = out->tangents;
    }
    return s;
}

FN void copy_out(const sqt_skin_job *job, size_t first, size_t vertices, const skin_copies *out) {
    if (job->out_positions) {
        copy_rows(job->out_positions + first * job->out_position_stride, job->out_position_stride, out->positions,
                  POSITION_BYTES, POSITION_BYTES, vertices);
    }
    if (job->out_normals) {
        copy_rows(job->out_normals + first * job->out_normal_stride, job->out_normal_stride, out->normals, NORMAL_BYTES,
                  NORMAL_BYTES, vertices);
    }
    if (job->out_tangents) {
        copy_rows(job->out_tangents + first * job->out_tangent_stride, job->out_tangent_stride, out->tangents,
                  TANGENT_BYTES, TANGENT_BYTES, vertices);
    }
}

FN skin_style style_of(const sqt_skin_job *job) {
    const skin_style style = {job->plain_normals, job->raw_normals};
    return style;
}

/// Up to LANES vertices whose matrices are blended already; behind them, inputs and matrices are zeros.
KERNEL void skin_blended(const sqt_skin_job *job, size_t first, size_t vertices, const m4 *blended) {
    skin_copies in, out;
    if (vertices < LANES) {
        memset(in.positions, 0, LANES * POSITION_BYTES);
        memset(in.normals, 0, LANES * NORMAL_BYTES);
        memset(in.tangents, 0, LANES * TANGENT_BYTES);
    }
    const skin_streams s = copy_in(job, first, vertices, &in, &out);
    m4_group groups[LANES / GROUP];
    for (uint32_t g = 0; g < LANES / GROUP; ++g) groups[g] = m4_transpose(blended + g * GROUP);
    vf m[12];
    m4_join(m, groups);
    skin_lanes(style_of(job), &s, 0, 0, m, ANYTHING);
    copy_out(job, first, vertices, &out);
}

/// Fewer vertices than lanes, of any span.
KERNEL void skin_few(const sqt_skin_job *job, size_t first, const skin_span *span, size_t vertices) {
    static const float whole = 1.0f;
    const uint32_t count = span->influence_count;
    const size_t next_joint = span->kind == MIXED ? count : 0;
    const size_t next_weight = span->kind == FIXED ? 0 : span->kind == MIXED ? count : 1;
    const size_t next_influence = span->kind == SHARED ? span->weight_step : 1;
    m4 blended[LANES];
    for (uint32_t v = 0; v < LANES; ++v) blended[v] = m4_zero();
    for (size_t v = 0; v < vertices; ++v) {
        for (uint32_t k = 0; k < count; ++k) {
            const float *const weight =
                span->kind == FIXED ? &whole : span->weights + v * next_weight + k * next_influence;
            const float *const matrix = job->palette[span->joints[v * next_joint + k]].m;
            blended[v] = k == 0 ? m4_scaled(matrix, *weight) : m4_madd(matrix, *weight, blended[v]);
        }
    }
    skin_blended(job, first, vertices, blended);
}

/// Whether what is wanted lies without gaps.
FN bool is_tight(const sqt_skin_job *job) {
    const bool positions =
        !job->out_positions || (job->position_stride == POSITION_BYTES && job->out_position_stride == POSITION_BYTES);
    const bool normals =
        !job->out_normals || (job->normal_stride == NORMAL_BYTES && job->out_normal_stride == NORMAL_BYTES);
    const bool tangents =
        !job->out_tangents || (job->tangent_stride == TANGENT_BYTES && job->out_tangent_stride == TANGENT_BYTES);
    return positions && normals && tangents;
}

/// The span without its first vertices.
FN skin_span span_behind(skin_span span, size_t vertices) {
    if (span.influence_count == 0) return span;
    if (span.kind == MIXED) {
        span.joints += vertices * span.influence_count;
        span.weights += vertices * span.influence_count;
    } else if (span.kind == SHARED) {
        span.weights += vertices;
    }
    return span;
}

/// LANES vertices or more with gaps.
KERNEL void skin_with_gaps(const sqt_skin_job *job, size_t first, skin_span span, size_t vertices) {
    while (vertices > 0) { // never fewer than LANES are left
        const size_t most = vertices < COPIED_VERTICES + LANES ? vertices - LANES : COPIED_VERTICES;
        const size_t n = vertices <= COPIED_VERTICES ? vertices : most;
        skin_copies in, out;
        const skin_work work = {job->palette, copy_in(job, first, n, &in, &out), style_of(job)};
        skin_tight(&work, 0, &span, n);
        copy_out(job, first, n, &out);
        span = span_behind(span, n);
        first += n;
        vertices -= n;
    }
}

/// A span of which the first vertex is vertex `first` of the job. work: NULL where the job has gaps.
FN void skin_span_of(const sqt_skin_job *job, const skin_work *work, size_t first, const skin_span *span,
                     size_t vertices) {
    if (vertices < LANES) {
        skin_few(job, first, span, vertices);
    } else if (work) {
        skin_tight(work, first, span, vertices);
    } else {
        skin_with_gaps(job, first, *span, vertices);
    }
}

/// Matrices that straddle cache lines cost a load more each: then many vertices are worth a copy of a small palette.
enum { COPIED_MATRICES = 256, VERTICES_A_COPY = 4 };

FN bool deserves_copy(const sqt_skin_job *job, size_t vertices) {
    return (uintptr_t)job->palette % MATRIX_ALIGNMENT != 0 && job->palette_count - 1 < COPIED_MATRICES &&
           vertices / VERTICES_A_COPY >= job->palette_count;
}

KERNEL void skin_with_copy(const sqt_skin_job *job, const skin_work *work, size_t first, const skin_span *span,
                           size_t vertices) {
    char room[COPIED_MATRICES * sizeof(sqt_mat4) + MATRIX_ALIGNMENT];
    char *const aligned = room + (MATRIX_ALIGNMENT - (uintptr_t)room % MATRIX_ALIGNMENT);
    memcpy(aligned, job->palette, job->palette_count * sizeof(sqt_mat4));
    sqt_skin_job copied_job = *job;
    copied_job.palette = (const sqt_mat4 *)(const void *)aligned;
    if (work) {
        const skin_work copied_work = {copied_job.palette, work->streams, work->style};
        skin_span_of(&copied_job, &copied_work, first, span, vertices);
    } else {
        skin_span_of(&copied_job, NULL, first, span, vertices);
    }
}

FN void skin_mixed_span(const sqt_skin_job *job, const skin_work *work, size_t first, const skin_span *span,
                        size_t vertices) {
    if (deserves_copy(job, vertices)) {
        skin_with_copy(job, work, first, span, vertices);
    } else {
        skin_span_of(job, work, first, span, vertices);
    }
}

// ---- grouped meshes: run by run

KERNEL void skin_groups(const sqt_skin_job *job, const skin_work *work, uint32_t first, uint32_t count) {
    const sqt_mesh_groups *const groups = job->groups;
    uint32_t low = 0, high = groups->run_count; // the run that holds `first`
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (groups->runs[middle].first_vertex <= first) {
            low = middle;
        } else {
            high = middle;
        }
    }
    for (const sqt_mesh_run *run = groups->runs + low; count > 0; ++run) {
        const uint32_t before = first - run->first_vertex, left = run->vertex_count - before;
        const uint32_t n = count < left ? count : left, influences = run->influence_count;
        skin_span span = {NULL, NULL, run->vertex_count, influences,
                          run->kind == SQT_RUN_RIGID    ? FIXED
                          : run->kind == SQT_RUN_SHARED ? SHARED
                                                        : MIXED};
        if (influences > 0) { // else both may be absent
            span.joints = groups->joints + run->first_joint;
            if (span.kind != FIXED) span.weights = groups->weights + run->first_weight;
        }
        span = span_behind(span, before);
        if (span.kind == MIXED) {
            skin_mixed_span(job, work, first, &span, n);
        } else {
            skin_span_of(job, work, first, &span, n);
        }
        first += n;
        count -= n;
    }
}

// ---- meshes as they come: influences are decoded a chunk at a time

enum { CHUNK_INFLUENCES = 1024 };

FN size_t index_size(uint32_t format) { return format == SQT_FORMAT_U8 ? 1 : format == SQT_FORMAT_U16 ? 2 : 4; }

FN size_t weight_size(uint32_t format) {
    return format == SQT_FORMAT_UNORM8 ? 1 : format == SQT_FORMAT_UNORM16 ? 2 : 4;
}

FN uint32_t load_index(const char *p, uint32_t format) {
    if (format == SQT_FORMAT_U8) return (uint8_t)*p;
    if (format == SQT_FORMAT_U16) {
        uint16_t x;
        memcpy(&x, p, sizeof x);
        return x;
    }
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

FN float load_weight(const char *p, uint32_t format) {
    if (format == SQT_FORMAT_UNORM8) return (float)(uint8_t)*p / 255.0f;
    if (format == SQT_FORMAT_UNORM16) {
        uint16_t x;
        memcpy(&x, p, sizeof x);
        return (float)x / 65535.0f;
    }
    float x;
    memcpy(&x, p, sizeof x);
    return x;
}

/// Rows of a few bytes without gaps: where they lie, if they have none, else copied to `room`.
FN const char *rows_without_gaps(char *room, const char *p, size_t stride, size_t bytes, size_t count) {
    if (stride == bytes) return p;
    switch (bytes) {
    case 4:
        copy_rows(room, 4, p, stride, 4, count);
        break;
    case 8:
        copy_rows(room, 8, p, stride, 8, count);
        break;
    case 16:
        copy_rows(room, 16, p, stride, 16, count);
        break;
    default:
        copy_rows(room, bytes, p, stride, bytes, count);
        break;
    }
    return room;
}

KERNEL void decode_joints(uint16_t *joints, const char *p, uint32_t format, size_t count) {
    switch (format) {
    case SQT_FORMAT_U8:
        for (size_t i = 0; i < count; ++i) joints[i] = (uint8_t)p[i];
        break;
    case SQT_FORMAT_U16:
        memcpy(joints, p, count * sizeof *joints);
        break;
    default:
        for (size_t i = 0; i < count; ++i) joints[i] = (uint16_t)load_index(p + i * sizeof(uint32_t), SQT_FORMAT_U32);
        break;
    }
}

KERNEL void decode_weights(float *weights, const char *p, uint32_t format, size_t count) {
    size_t i = 0;
    switch (format) {
    case SQT_FORMAT_UNORM8:
        for (; i + LANES <= count; i += LANES) vf_store(weights + i, vf_div(vf_load_u8(p + i), vf_set1(255.0f)));
        for (; i < count; ++i) weights[i] = load_weight(p + i, format);
        break;
    case SQT_FORMAT_UNORM16:
        for (; i + LANES <= count; i += LANES) vf_store(weights + i, vf_div(vf_load_u16(p + 2 * i), vf_set1(65535.0f)));
        for (; i < count; ++i) weights[i] = load_weight(p + 2 * i, format);
        break;
    default:
        memcpy(weights, p, count * sizeof *weights);
        break;
    }
}

KERNEL void skin_fixed(const sqt_skin_job *job, const skin_work *work, size_t first, size_t count) {
    const uint32_t influences = job->influence_count;
    const size_t joint_row = influences * index_size(job->joint_format);
    const size_t weight_row = influences * weight_size(job->weight_format);
    const bool joints_as_stored = job->joint_format == SQT_FORMAT_U16 && job->joint_stride == joint_row &&
                                  (uintptr_t)job->joints % sizeof(uint16_t) == 0;
    const bool weights_as_stored = job->weight_format == SQT_FORMAT_F32 && job->weight_stride == weight_row &&
                                   (uintptr_t)job->weights % sizeof(float) == 0;
    const size_t chunk_vertices = influences ? CHUNK_INFLUENCES / influences : 1;
    const size_t whole_chunk = chunk_vertices < LANES ? chunk_vertices : chunk_vertices - chunk_vertices % LANES;
    const size_t chunk = influences == 0 || (joints_as_stored && weights_as_stored) ? count : whole_chunk;
    for (size_t n = 0; count > 0; first += n, count -= n) {
        n = count < chunk ? count : chunk;
        uint16_t joints[CHUNK_INFLUENCES];
        float weights[CHUNK_INFLUENCES];
        char room[CHUNK_INFLUENCES * sizeof(float)];
        const char *const joint_rows = job->joints + first * job->joint_stride;
        const char *const weight_rows = job->weights + first * job->weight_stride;
        skin_span span = {joints, weights, 0, influences, MIXED};
        if (joints_as_stored) {
            span.joints = (const uint16_t *)(const void *)joint_rows;
        } else {
            decode_joints(joints, rows_without_gaps(room, joint_rows, job->joint_stride, joint_row, n),
                          job->joint_format, n * influences);
        }
        if (weights_as_stored) {
            span.weights = (const float *)(const void *)weight_rows;
        } else {
            decode_weights(weights, rows_without_gaps(room, weight_rows, job->weight_stride, weight_row, n),
                           job->weight_format, n * influences);
        }
        skin_mixed_span(job, work, first, &span, n);
    }
}

/// A count of its own for every vertex: each is blended by itself.
KERNEL void skin_variable(const sqt_skin_job *job, size_t first, size_t count) {
    for (size_t n = 0; count > 0; first += n, count -= n) {
        n = count < LANES ? count : LANES;
        m4 blended[LANES];
        for (uint32_t v = 0; v < LANES; ++v) blended[v] = m4_zero();
        for (size_t v = 0; v < n; ++v) {
            const uint32_t begin = job->influence_offsets[first + v], end = job->influence_offsets[first + v + 1];
            for (size_t k = begin; k < end; ++k) {
                const uint32_t joint = load_index(job->joints + k * job->joint_stride, job->joint_format);
                const float weight = load_weight(job->weights + k * job->weight_stride, job->weight_format);
                const float *const matrix = job->palette[joint].m;
                blended[v] = k == begin ? m4_scaled(matrix, weight) : m4_madd(matrix, weight, blended[v]);
            }
        }
        skin_blended(job, first, n, blended);
    }
}

KERNEL void skin(const sqt_skin_job *job, uint32_t first, uint32_t count) {
#if defined(SKIN_FUSED)
    if (job->fused) {
        SKIN_FUSED(job, first, count);
        return;
    }
#endif
    const skin_streams streams = {job->positions,     job->normals,     job->tangents,
                                  job->out_positions, job->out_normals, job->out_tangents};
    const skin_work all = {job->palette, streams, style_of(job)};
    const skin_work *const work = is_tight(job) ? &all : NULL;
    if (job->groups) {
        skin_groups(job, work, first, count);
    } else if (job->influence_offsets) {
        skin_variable(job, first, count);
    } else {
        skin_fixed(job, work, first, count);
    }
}
