// Linear blend skinning, LANES vertices at a time. A kernel differs only in where its blended matrices come from: a
// run of vertices that share their joints blends in structure of arrays, one lane a vertex; others blend a matrix a
// vertex and transpose. Everything after that is the same work.

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

FN size_t index_size(uint32_t format) { return format == SQT_FORMAT_U8 ? 1 : format == SQT_FORMAT_U16 ? 2 : 4; }

FN size_t weight_size(uint32_t format) {
    return format == SQT_FORMAT_UNORM8 ? 1 : format == SQT_FORMAT_UNORM16 ? 2 : 4;
}

// ---- vectors

typedef struct v3 {
    vf x, y, z;
} v3;

FN v3 v3_cross(v3 a, v3 b) {
    const v3 r = {vf_sub(vf_mul(a.y, b.z), vf_mul(a.z, b.y)), vf_sub(vf_mul(a.z, b.x), vf_mul(a.x, b.z)),
                  vf_sub(vf_mul(a.x, b.y), vf_mul(a.y, b.x))};
    return r;
}

FN vf v3_dot(v3 a, v3 b) { return vf_add(vf_add(vf_mul(a.x, b.x), vf_mul(a.y, b.y)), vf_mul(a.z, b.z)); }

/// (c0 x + c2 z) + c1 y.
FN v3 v3_transform(v3 c0, v3 c1, v3 c2, v3 v) {
    const v3 r = {vf_add(vf_add(vf_mul(c0.x, v.x), vf_mul(c2.x, v.z)), vf_mul(c1.x, v.y)),
                  vf_add(vf_add(vf_mul(c0.y, v.x), vf_mul(c2.y, v.z)), vf_mul(c1.y, v.y)),
                  vf_add(vf_add(vf_mul(c0.z, v.x), vf_mul(c2.z, v.z)), vf_mul(c1.z, v.y))};
    return r;
}

/// (c0 x + c2 z) + (c1 y + c3).
FN v3 v3_point(const vf m[12], v3 p) {
    const v3 r = {vf_add(vf_add(vf_mul(m[0], p.x), vf_mul(m[6], p.z)), vf_add(vf_mul(m[3], p.y), m[9])),
                  vf_add(vf_add(vf_mul(m[1], p.x), vf_mul(m[7], p.z)), vf_add(vf_mul(m[4], p.y), m[10])),
                  vf_add(vf_add(vf_mul(m[2], p.x), vf_mul(m[8], p.z)), vf_add(vf_mul(m[5], p.y), m[11]))};
    return r;
}

/// v / |v|; zero where |v|^2 < 1e-30.
FN v3 v3_unit(v3 v) {
    const vf square = v3_dot(v, v);
    const vm tiny = vf_less(square, vf_set1(1e-30f));
    const vf inverse = vf_div(vf_set1(1.0f), vf_sqrt(vf_select(tiny, vf_set1(1.0f), square)));
    const vf scale = vf_select(tiny, vf_set1(0.0f), inverse);
    const v3 r = {vf_mul(v.x, scale), vf_mul(v.y, scale), vf_mul(v.z, scale)};
    return r;
}

/// The normal under the cofactor matrix, whose columns are cross products of the matrix's columns. Its length is the
/// change of area; under a mirror (negative determinant) the cofactors point inwards, so the sign follows.
FN v3 v3_normal(v3 c0, v3 c1, v3 c2, v3 n) {
    const v3 k0 = v3_cross(c1, c2), k1 = v3_cross(c2, c0), k2 = v3_cross(c0, c1);
    const vm mirrored = vf_less(v3_dot(k0, c0), vf_set1(0.0f)); // not by the sign bit: that of a NaN is not defined
    const vf sign = vf_select(mirrored, vf_set1(-0.0f), vf_set1(0.0f));
    const v3 v = v3_transform(k0, k1, k2, n);
    const v3 r = {vf_xorsign(v.x, sign), vf_xorsign(v.y, sign), vf_xorsign(v.z, sign)};
    return r;
}

// ---- vertices in memory

/// Three floats of LANES vertices, one lane a vertex.
FN v3 load_vectors(const char *p, size_t stride) {
    v3 r;
    if (stride == 12) {
        vf_load3(&r.x, &r.y, &r.z, p);
    } else {
        float packed[3 * LANES];
        for (uint32_t i = 0; i < LANES; ++i) memcpy(packed + 3 * i, p + i * stride, 3 * sizeof(float));
        vf_load3(&r.x, &r.y, &r.z, (const char *)packed);
    }
    return r;
}

FN void store_vectors(char *p, size_t stride, v3 v) {
    if (stride == 12) {
        vf_store3(p, v.x, v.y, v.z);
    } else {
        float packed[3 * LANES];
        vf_store3((char *)packed, v.x, v.y, v.z);
        for (uint32_t i = 0; i < LANES; ++i) memcpy(p + i * stride, packed + 3 * i, 3 * sizeof(float));
    }
}

/// Where LANES vertices come from and go to: pointers to the first of them.
typedef struct skin_view {
    const char *positions, *normals, *tangents;
    char *out_positions, *out_normals, *out_tangents;
    size_t position_stride, normal_stride, tangent_stride;
    size_t out_position_stride, out_normal_stride, out_tangent_stride;
} skin_view;

FN void skin_lanes(const sqt_skin_job *job, const skin_view *view, const vf m[12]) {
    const v3 c0 = {m[0], m[1], m[2]}, c1 = {m[3], m[4], m[5]}, c2 = {m[6], m[7], m[8]};
    if (view->out_positions) {
        const v3 p = v3_point(m, load_vectors(view->positions, view->position_stride));
        store_vectors(view->out_positions, view->out_position_stride, p);
    }
    if (view->out_normals) {
        const v3 n = load_vectors(view->normals, view->normal_stride);
        const v3 r = job->plain_normals ? v3_transform(c0, c1, c2, n) : v3_normal(c0, c1, c2, n);
        store_vectors(view->out_normals, view->out_normal_stride, job->raw_normals ? r : v3_unit(r));
    }
    if (view->out_tangents) {
        const v3 t = v3_transform(c0, c1, c2, load_vectors(view->tangents, view->tangent_stride));
        for (uint32_t i = 0; i < LANES; ++i) { // the handedness
            memmove(view->out_tangents + i * view->out_tangent_stride + 12,
                    view->tangents + i * view->tangent_stride + 12, sizeof(float));
        }
        store_vectors(view->out_tangents, view->out_tangent_stride, job->raw_normals ? t : v3_unit(t));
    }
}

// ---- blended matrices: ((m0 w0 + m1 w1) + m2 w2) + ..., zero without influences

/// What the vertices of one span have in common.
typedef struct skin_span {
    const uint16_t *joints; ///< of the first vertex; shared: of all
    const float *weights;   ///< of the first vertex, vertex by vertex; shared:
                            ///< influence by influence
    size_t weight_step;     ///< floats from one vertex's weights to the next one's;
                            ///< shared: from influence to influence
    uint32_t influence_count;
} skin_span;

/// One joint set for all lanes: each matrix element is broadcast and weighted lane by lane.
FN void shared_matrices(vf m[12], const sqt_mat4 *palette, const skin_span *span, uint32_t vertex, uint32_t count) {
    vf w = vf_load(span->weights + vertex);
    const float *joint = palette[span->joints[0]].m;
    UNROLL for (int e = 0; e < 12; ++e) m[e] = vf_mul(vf_set1(joint[e / 3 * 4 + e % 3]), w);
    for (uint32_t k = 1; k < count; ++k) {
        w = vf_load(span->weights + k * span->weight_step + vertex);
        joint = palette[span->joints[k]].m;
        UNROLL for (int e = 0; e < 12; ++e) m[e] = vf_add(m[e], vf_mul(vf_set1(joint[e / 3 * 4 + e % 3]), w));
    }
}

FN void rigid_matrices(vf m[12], const sqt_mat4 *palette, const skin_span *span) {
    const float *const joint = palette[span->joints[0]].m;
    UNROLL for (int e = 0; e < 12; ++e) m[e] = vf_set1(joint[e / 3 * 4 + e % 3]);
}

/// A joint set a vertex.
FN m4 mixed_matrix(const sqt_mat4 *palette, const uint16_t *joints, const float *weights, uint32_t count) {
    m4 sum = m4_scaled(palette[joints[0]].m, weights[0]);
    for (uint32_t k = 1; k < count; ++k) sum = m4_add(sum, m4_scaled(palette[joints[k]].m, weights[k]));
    return sum;
}

FN void mixed_matrices(vf m[12], const sqt_mat4 *palette, const skin_span *span, uint32_t vertex, uint32_t count) {
    float blended[LANES][16];
    for (uint32_t i = 0; i < LANES; ++i) {
        const size_t v = vertex + i;
        m4_store(blended[i],
                 mixed_matrix(palette, span->joints + v * count, span->weights + v * span->weight_step, count));
    }
    m4_load_lanes(m, blended[0]);
}

enum { RIGID, SHARED, MIXED };

/// Blended matrices of LANES vertices; kind and count are constants where this is inlined for the common cases.
FN void span_matrices(vf m[12], const sqt_mat4 *palette, const skin_span *span, uint32_t vertex, int kind,
                      uint32_t count) {
    if (kind == RIGID) {
        rigid_matrices(m, palette, span);
    } else if (count == 0) {
        UNROLL for (int e = 0; e < 12; ++e) m[e] = vf_set1(0.0f);
    } else if (kind == SHARED) {
        shared_matrices(m, palette, span, vertex, count);
    } else {
        mixed_matrices(m, palette, span, vertex, count);
    }
}

// ---- spans of vertices

FN skin_view view_at(const sqt_skin_job *job, size_t vertex) {
    const skin_view v = {job->positions ? job->positions + vertex * job->position_stride : NULL,
                         job->normals ? job->normals + vertex * job->normal_stride : NULL,
                         job->tangents ? job->tangents + vertex * job->tangent_stride : NULL,
                         job->out_positions ? job->out_positions + vertex * job->out_position_stride : NULL,
                         job->out_normals ? job->out_normals + vertex * job->out_normal_stride : NULL,
                         job->out_tangents ? job->out_tangents + vertex * job->out_tangent_stride : NULL,
                         job->position_stride,
                         job->normal_stride,
                         job->tangent_stride,
                         job->out_position_stride,
                         job->out_normal_stride,
                         job->out_tangent_stride};
    return v;
}

/// Outputs of LANES vertices, for those that cannot be written yet.
typedef struct skin_buffer {
    float positions[3 * LANES], normals[3 * LANES], tangents[4 * LANES];
} skin_buffer;

FN skin_view view_into_buffer(skin_view view, skin_buffer *buffer) {
    view.out_positions = view.out_positions ? (char *)buffer->positions : NULL;
    view.out_normals = view.out_normals ? (char *)buffer->normals : NULL;
    view.out_tangents = view.out_tangents ? (char *)buffer->tangents : NULL;
    view.out_position_stride = view.out_normal_stride = 12;
    view.out_tangent_stride = 16;
    return view;
}

FN void copy_rows(char *to, size_t to_stride, const char *from, size_t from_stride, size_t bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) memcpy(to + i * to_stride, from + i * from_stride, bytes);
}

FN void store_buffer(skin_view view, const skin_buffer *buffer, uint32_t count) {
    if (view.out_positions) {
        copy_rows(view.out_positions, view.out_position_stride, (const char *)buffer->positions, 12, 12, count);
    }
    if (view.out_normals) {
        copy_rows(view.out_normals, view.out_normal_stride, (const char *)buffer->normals, 12, 12, count);
    }
    if (view.out_tangents) {
        copy_rows(view.out_tangents, view.out_tangent_stride, (const char *)buffer->tangents, 16, 16, count);
    }
}

/// Fewer vertices than lanes: through copies, padded with zeros.
FN void skin_few(const sqt_skin_job *job, size_t first, uint32_t vertices, const vf m[12]) {
    const skin_view view = view_at(job, first);
    skin_buffer in, out;
    memset(&in, 0, sizeof in);
    if (view.out_positions) copy_rows((char *)in.positions, 12, view.positions, view.position_stride, 12, vertices);
    if (view.out_normals) copy_rows((char *)in.normals, 12, view.normals, view.normal_stride, 12, vertices);
    if (view.out_tangents) copy_rows((char *)in.tangents, 16, view.tangents, view.tangent_stride, 16, vertices);
    skin_view padded = view_into_buffer(view, &out);
    padded.positions = (const char *)in.positions;
    padded.normals = (const char *)in.normals;
    padded.tangents = (const char *)in.tangents;
    padded.position_stride = padded.normal_stride = 12;
    padded.tangent_stride = 16;
    skin_lanes(job, &padded, m);
    store_buffer(view, &out, vertices);
}

/// span_matrices of fewer vertices than lanes, which must not read behind the last.
FN void few_matrices(vf m[12], const sqt_mat4 *palette, const skin_span *span, uint32_t vertex, uint32_t vertices,
                     int kind, uint32_t count) {
    if (kind == RIGID || count == 0) {
        span_matrices(m, palette, span, vertex, kind, count);
        return;
    }
    float blended[LANES][16];
    memset(blended, 0, sizeof blended);
    for (uint32_t i = 0; i < vertices; ++i) {
        const size_t v = vertex + i;
        const uint16_t *const joints = kind == SHARED ? span->joints : span->joints + v * count;
        const float *const weights = kind == SHARED ? span->weights + v : span->weights + v * span->weight_step;
        const size_t step = kind == SHARED ? span->weight_step : 1;
        m4 sum = m4_scaled(palette[joints[0]].m, weights[0]);
        for (uint32_t k = 1; k < count; ++k) sum = m4_add(sum, m4_scaled(palette[joints[k]].m, weights[k * step]));
        m4_store(blended[i], sum);
    }
    m4_load_lanes(m, blended[0]);
}

/// Vertices `vertex` up to `vertex + vertices` of the span, of which the first is job vertex `first`. The last LANES
/// are worked out first and written last, so that full groups suffice: in place, nothing is read after it was written.
FN void skin_vertices_of(const sqt_skin_job *job, size_t first, const skin_span *span, uint32_t vertex,
                         uint32_t vertices, int kind, uint32_t count) {
    vf m[12];
    if (vertices < LANES) {
        few_matrices(m, job->palette, span, vertex, vertices, kind, count);
        skin_few(job, first + vertex, vertices, m);
        return;
    }
    skin_buffer last;
    const uint32_t rest = vertices % LANES, last_vertex = vertex + vertices - LANES;
    if (rest) {
        const skin_view view = view_into_buffer(view_at(job, first + last_vertex), &last);
        span_matrices(m, job->palette, span, last_vertex, kind, count);
        skin_lanes(job, &view, m);
    }
    for (uint32_t v = vertex; v + LANES <= vertex + vertices; v += LANES) {
        const skin_view view = view_at(job, first + v);
        span_matrices(m, job->palette, span, v, kind, count);
        skin_lanes(job, &view, m);
    }
    if (rest) store_buffer(view_at(job, first + last_vertex), &last, LANES);
}

KERNEL void skin_rigid(const sqt_skin_job *job, size_t first, const skin_span *span, uint32_t vertex, uint32_t count) {
    skin_vertices_of(job, first, span, vertex, count, RIGID, 1);
}

KERNEL void skin_shared(const sqt_skin_job *job, size_t first, const skin_span *span, uint32_t vertex, uint32_t count) {
    switch (span->influence_count) {
    case 1:
        skin_vertices_of(job, first, span, vertex, count, SHARED, 1);
        break;
    case 2:
        skin_vertices_of(job, first, span, vertex, count, SHARED, 2);
        break;
    case 3:
        skin_vertices_of(job, first, span, vertex, count, SHARED, 3);
        break;
    case 4:
        skin_vertices_of(job, first, span, vertex, count, SHARED, 4);
        break;
    default:
        skin_vertices_of(job, first, span, vertex, count, SHARED, span->influence_count);
        break;
    }
}

KERNEL void skin_mixed(const sqt_skin_job *job, size_t first, const skin_span *span, uint32_t vertex, uint32_t count) {
    switch (span->influence_count) {
    case 1:
        skin_vertices_of(job, first, span, vertex, count, MIXED, 1);
        break;
    case 2:
        skin_vertices_of(job, first, span, vertex, count, MIXED, 2);
        break;
    case 3:
        skin_vertices_of(job, first, span, vertex, count, MIXED, 3);
        break;
    case 4:
        skin_vertices_of(job, first, span, vertex, count, MIXED, 4);
        break;
    case 8:
        skin_vertices_of(job, first, span, vertex, count, MIXED, 8);
        break;
    default:
        skin_vertices_of(job, first, span, vertex, count, MIXED, span->influence_count);
        break;
    }
}

// ---- grouped meshes: run by run

KERNEL void skin_groups(const sqt_skin_job *job, uint32_t first, uint32_t count) {
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
        const uint32_t vertex = first - run->first_vertex, left = run->vertex_count - vertex;
        const uint32_t n = count < left ? count : left;
        const bool shared = run->kind == SQT_RUN_SHARED;
        const skin_span span = {groups->joints + run->first_joint, groups->weights + run->first_weight,
                                shared ? run->vertex_count : run->influence_count, run->influence_count};
        if (run->kind == SQT_RUN_RIGID) {
            skin_rigid(job, run->first_vertex, &span, vertex, n);
        } else if (shared) {
            skin_shared(job, run->first_vertex, &span, vertex, n);
        } else {
            skin_mixed(job, run->first_vertex, &span, vertex, n);
        }
        first += n;
        count -= n;
    }
}

// ---- meshes as they come: influences are decoded a chunk at a time

enum { CHUNK_INFLUENCES = 512 };

/// Joints and weights of `vertices` vertices as uint16_t and float, tight.
FN void decode_joints(uint16_t *joints, const char *p, size_t stride, uint32_t format, uint32_t count,
                      uint32_t vertices) {
    const size_t size = index_size(format);
    for (uint32_t v = 0; v < vertices; ++v, p += stride) {
        for (uint32_t k = 0; k < count; ++k) *joints++ = (uint16_t)load_index(p + k * size, format);
    }
}

FN void decode_weights(float *weights, const char *p, size_t stride, uint32_t format, uint32_t count,
                       uint32_t vertices) {
    const size_t size = weight_size(format);
    for (uint32_t v = 0; v < vertices; ++v, p += stride) {
        for (uint32_t k = 0; k < count; ++k) *weights++ = load_weight(p + k * size, format);
    }
}

KERNEL void skin_fixed(const sqt_skin_job *job, uint32_t first, uint32_t count) {
    const uint32_t influences = job->influence_count;
    const bool joints_as_stored = job->joint_format == SQT_FORMAT_U16 && job->joint_stride == 2 * influences &&
                                  (uintptr_t)job->joints % sizeof(uint16_t) == 0;
    const bool weights_as_stored = job->weight_format == SQT_FORMAT_F32 && job->weight_stride % sizeof(float) == 0 &&
                                   (uintptr_t)job->weights % sizeof(float) == 0;
    if (influences == 0 || (joints_as_stored && weights_as_stored)) {
        const skin_span span = {(const uint16_t *)(const void *)job->joints, (const float *)(const void *)job->weights,
                                job->weight_stride / sizeof(float), influences};
        skin_mixed(job, 0, &span, first, count);
        return;
    }
    uint16_t joints[CHUNK_INFLUENCES];
    float weights[CHUNK_INFLUENCES];
    const uint32_t chunk = CHUNK_INFLUENCES / influences;
    for (uint32_t done = 0; done < count; done += chunk) {
        const uint32_t n = count - done < chunk ? count - done : chunk;
        const size_t v = (size_t)first + done;
        decode_joints(joints, job->joints + v * job->joint_stride, job->joint_stride, job->joint_format, influences, n);
        decode_weights(weights, job->weights + v * job->weight_stride, job->weight_stride, job->weight_format,
                       influences, n);
        const skin_span span = {joints, weights, influences, influences};
        skin_mixed(job, v, &span, 0, n);
    }
}

/// A count of its own for every vertex: each is blended by itself.
KERNEL void skin_variable(const sqt_skin_job *job, uint32_t first, uint32_t count) {
    for (uint32_t done = 0; done < count; done += LANES) {
        const uint32_t n = count - done < LANES ? count - done : LANES;
        float blended[LANES][16];
        memset(blended, 0, sizeof blended);
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t v = first + done + i;
            m4 sum = m4_zero();
            for (uint32_t k = job->influence_offsets[v]; k < job->influence_offsets[v + 1]; ++k) {
                const uint32_t joint = load_index(job->joints + k * job->joint_stride, job->joint_format);
                const float weight = load_weight(job->weights + k * job->weight_stride, job->weight_format);
                const m4 term = m4_scaled(job->palette[joint].m, weight);
                sum = k == job->influence_offsets[v] ? term : m4_add(sum, term);
            }
            m4_store(blended[i], sum);
        }
        vf m[12];
        m4_load_lanes(m, blended[0]);
        if (n == LANES) {
            const skin_view view = view_at(job, (size_t)first + done);
            skin_lanes(job, &view, m);
        } else {
            skin_few(job, (size_t)first + done, n, m);
        }
    }
}

KERNEL void skin(const sqt_skin_job *job, uint32_t first, uint32_t count) {
    if (job->groups) {
        skin_groups(job, first, count);
    } else if (job->influence_offsets) {
        skin_variable(job, first, count);
    } else {
        skin_fixed(job, first, count);
    }
}
