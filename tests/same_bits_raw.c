// One description of the file serves both directions: every function below writes what the asset holds, or fills it.
// The numbers are those of memory: little-endian, like every machine that this runs on.
#include "same_bits.h"

#include <string.h>

typedef struct archive {
    FILE *file;
    asset *a;
    bool reading, failed;
    size_t left; ///< bytes of the file that were not read yet: no count can ask for more
} archive;

static const uint32_t signature = 0x31425153u; // "SQB1"

static void bytes(archive *r, void *data, size_t count) {
    if (r->failed || count == 0) return;
    if (r->reading && count > r->left) r->failed = true;
    if (r->failed) return;
    r->failed = (r->reading ? fread(data, 1, count, r->file) : fwrite(data, 1, count, r->file)) != count;
    r->left -= r->reading ? count : 0;
}

static void word(archive *r, uint32_t *value) { bytes(r, value, sizeof *value); }

static void real(archive *r, float *value) { bytes(r, value, sizeof *value); }

static void half(archive *r, uint16_t *value) {
    uint32_t wide = *value;
    word(r, &wide);
    if (wide > UINT16_MAX) r->failed = true;
    *value = (uint16_t)wide;
}

/// Memory for an array that is to be read; NULL after a failure.
static void *room(archive *r, size_t count, size_t size) {
    if (count > r->left / (size ? size : 1)) r->failed = true;
    void *const memory = r->failed ? NULL : asset_alloc(r->a, count, size);
    if (!memory) r->failed = true;
    return memory;
}

/// An array of numbers: written from `data`, or read into new memory.
static const void *array(archive *r, const void *data, size_t count, size_t size) {
    if (!r->reading) {
        if (!r->failed && count > 0) r->failed = fwrite(data, size, count, r->file) != count;
        return data;
    }
    void *const memory = room(r, count, size);
    if (memory) bytes(r, memory, count * size);
    return memory;
}

/// An array that may be absent.
static const void *optional(archive *r, const void *data, size_t count, size_t size) {
    uint32_t present = data != NULL;
    word(r, &present);
    return present && !r->failed ? array(r, data, count, size) : NULL;
}

/// An array of structures, of which the caller passes each through the archive.
static void *structures(archive *r, void *data, uint32_t *count, size_t size) {
    word(r, count);
    if (!r->reading) return data;
    if (*count > r->left) r->failed = true; // each takes a byte at the very least
    void *const memory = r->failed ? NULL : asset_alloc(r->a, *count, size);
    if (!memory) r->failed = true;
    if (r->failed) *count = 0;
    return memory;
}

static void pass_skeleton(archive *r, sqt_skeleton *skeleton) {
    uint32_t count = skeleton->joint_count;
    sqt_joint *const joints = structures(r, NULL, &count, sizeof *joints);
    for (uint32_t j = 0; j < count && !r->failed; ++j) {
        sqt_joint joint = r->reading ? joints[j] : sqt_skeleton_joint(skeleton, j);
        word(r, &joint.parent);
        bytes(r, &joint.rest, sizeof joint.rest);
        if (r->reading) joints[j] = joint;
    }
    if (!r->reading || r->failed) return;
    const size_t memory_bytes = sqt_skeleton_bytes(joints, count);
    void *const memory = asset_alloc(r->a, 1, memory_bytes);
    if (!memory || sqt_skeleton_build(skeleton, joints, count, memory, memory_bytes, NULL)) r->failed = true;
}

static void pass_channel(archive *r, sqt_channel *channel) {
    sqt_curve *const curve = &channel->curve;
    uint32_t target = channel->target, order = channel->euler_order;
    word(r, &curve->key_count);
    half(r, &curve->component_count);
    half(r, &curve->interpolation);
    half(r, &channel->joint);
    word(r, &target);
    word(r, &order);
    if (target > UINT8_MAX || order > UINT8_MAX) r->failed = true;
    bytes(r, &channel->euler_base, sizeof channel->euler_base);
    const size_t values = (curve->interpolation == SQT_CUBIC ? 3u : 1u) * (size_t)curve->component_count;
    curve->times = array(r, curve->times, curve->key_count, sizeof(float));
    curve->values = array(r, curve->values, curve->key_count, values * sizeof(float));
    channel->target = (uint8_t)target;
    channel->euler_order = (uint8_t)order;
}

static void pass_clip(archive *r, sqt_channel_clip *clip) {
    real(r, &clip->timeline.duration_seconds);
    word(r, &clip->timeline.loop);
    real(r, &clip->authored_speed);
    word(r, &clip->flags);
    sqt_channel *const channels = structures(r, NULL, &clip->channel_count, sizeof *channels);
    for (uint32_t i = 0; i < clip->channel_count && !r->failed; ++i) {
        sqt_channel channel = r->reading ? channels[i] : clip->channels[i];
        pass_channel(r, &channel);
        if (r->reading) channels[i] = channel;
    }
    if (!r->reading) return;
    clip->channels = channels;
    if (!r->failed && sqt_channel_clip_validate(clip, &r->a->skeleton, NULL)) r->failed = true;
}

static void pass_skin(archive *r, sqt_skin *skin) {
    word(r, &skin->joint_count);
    word(r, &skin->joint_limit);
    skin->joints = optional(r, skin->joints, skin->joint_count, sizeof *skin->joints);
    skin->inverse_bind = optional(r, skin->inverse_bind, skin->joint_count, sizeof *skin->inverse_bind);
    if (r->reading && !r->failed && sqt_skin_validate(skin, &r->a->skeleton, NULL)) r->failed = true;
}

static size_t format_bytes(uint32_t format) {
    const bool one = format == SQT_FORMAT_U8 || format == SQT_FORMAT_UNORM8;
    const bool two = format == SQT_FORMAT_U16 || format == SQT_FORMAT_UNORM16;
    return one ? 1 : two ? 2 : 4;
}

/// Without the gaps that a stride leaves.
static void pass_attribute(archive *r, sqt_attribute *attribute, size_t count, size_t components) {
    word(r, &attribute->format);
    const size_t element = components * format_bytes(attribute->format);
    const char *const from = attribute->data;
    char *tight = NULL;
    if (!r->reading && from) {
        const size_t stride = attribute->stride_bytes ? attribute->stride_bytes : element;
        tight = asset_alloc(r->a, count, element);
        if (!tight) r->failed = true;
        for (size_t i = 0; tight && i < count; ++i) memcpy(tight + i * element, from + i * stride, element);
    }
    attribute->data = optional(r, tight, count, element);
    attribute->stride_bytes = 0;
}

static void pass_mesh(archive *r, sqt_mesh *mesh) {
    word(r, &mesh->vertex_count);
    word(r, &mesh->influence_count);
    word(r, &mesh->palette_count);
    const size_t count = mesh->vertex_count;
    mesh->influence_offsets = optional(r, mesh->influence_offsets, count + 1, sizeof *mesh->influence_offsets);
    const bool variable = mesh->influence_offsets != NULL;
    if (r->failed) return;
    const size_t entries = variable ? mesh->influence_offsets[count] : count;
    const size_t components = variable ? 1 : mesh->influence_count;
    pass_attribute(r, &mesh->positions, count, 3);
    pass_attribute(r, &mesh->normals, count, 3);
    pass_attribute(r, &mesh->tangents, count, 4);
    pass_attribute(r, &mesh->joints, entries, components);
    pass_attribute(r, &mesh->weights, entries, components);
    if (r->reading && !r->failed && sqt_mesh_validate(mesh, NULL)) r->failed = true;
}

static void pass_asset(archive *r) {
    asset *const a = r->a;
    uint32_t first = signature;
    word(r, &first);
    if (first != signature) r->failed = true;
    pass_skeleton(r, &a->skeleton);
    a->clips = structures(r, a->clips, &a->clip_count, sizeof *a->clips);
    for (uint32_t c = 0; c < a->clip_count && !r->failed; ++c) pass_clip(r, &a->clips[c].clip);
    a->skins = structures(r, a->skins, &a->skin_count, sizeof *a->skins);
    for (uint32_t s = 0; s < a->skin_count && !r->failed; ++s) pass_skin(r, &a->skins[s].skin);
    a->prims = structures(r, a->prims, &a->prim_count, sizeof *a->prims);
    for (uint32_t p = 0; p < a->prim_count && !r->failed; ++p) {
        word(r, &a->prims[p].skin);
        pass_mesh(r, &a->prims[p].geometry);
        if (r->failed || a->prims[p].skin >= a->skin_count) {
            r->failed = true;
        } else if (a->prims[p].geometry.palette_count > a->skins[a->prims[p].skin].skin.joint_count) {
            r->failed = true;
        }
    }
}

bool same_bits_write(asset *a, const char *path) {
    archive r = {.file = fopen(path, "wb"), .a = a};
    if (r.file) pass_asset(&r);
    if (!r.file || fclose(r.file) || r.failed) {
        fprintf(stderr, "same_bits: %s: cannot be written\n", path);
        return false;
    }
    return true;
}

static size_t file_bytes(FILE *file) {
    const long end = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    rewind(file);
    return end > 0 ? (size_t)end : 0;
}

bool same_bits_read(asset *a, const char *path) {
    memset(a, 0, sizeof *a);
    archive r = {.file = fopen(path, "rb"), .a = a, .reading = true};
    if (r.file) {
        r.left = file_bytes(r.file);
        pass_asset(&r);
        fclose(r.file);
    }
    if (!r.file || r.failed || r.left > 0) {
        fprintf(stderr, "same_bits: %s: cannot be read, or is no whole raw asset\n", path);
        asset_free(a);
        return false;
    }
    const char *const slash = strrchr(path, '/');
    a->file = asset_copy_string(a, slash ? slash + 1 : path);
    return a->file != NULL;
}
