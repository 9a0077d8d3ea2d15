// `sqt eval`: what the library computes for a file, as one JSON document.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

typedef struct eval_options {
    const char *file, *clip; ///< NULL: the embedded character, the rest pose
    float *times;            ///< [time_count]
    uint32_t time_count;
    bool skin;
    uint32_t normal_flags;
} eval_options;

/// Everything that is computed for one instant. The arrays of floats are as they are printed.
typedef struct eval_sample {
    float *local;      ///< [node_count][10] translation, rotation, scale
    float *world;      ///< [node_count][16]
    float **skins;     ///< [skin_count] each [joint_count][16]
    float **positions; ///< [prim_count] each [vertex_count][3]; NULL: not asked for
    float **normals;   ///< [prim_count] each [vertex_count][3], or NULL where the mesh has none
} eval_sample;

static bool parse_time(float *time, const char *argument) {
    char *end = NULL;
    // strtof alone would take hexadecimal numbers, "infinity" and leading spaces.
    if (argument[0] != '\0' && argument[strspn(argument, "0123456789+-.eE")] == '\0') {
        *time = strtof(argument, &end);
        if (end != argument && *end == '\0' && isfinite(*time)) return true;
    }
    tool_refuse("--time \"%s\" is not a finite number", argument);
    return false;
}

static bool parse_normals(uint32_t *flags, const char *argument) {
    if (strcmp(argument, "cofactor") == 0) {
        *flags = 0;
    } else if (strcmp(argument, "plain") == 0) {
        *flags = SQT_PLAIN_NORMALS;
    } else {
        tool_refuse("--normals \"%s\" is neither cofactor nor plain", argument);
        return false;
    }
    return true;
}

/// One option and its value; false, with a message, where either is wrong.
static bool parse_option(eval_options *options, tool_args *args, const char *option) {
    if (strcmp(option, "--skin") == 0) {
        options->skin = true;
        return true;
    }
    static const char *const with_value[] = {"--clip", "--time", "--normals", "--isa"};
    const size_t known = sizeof with_value / sizeof with_value[0];
    size_t which = 0;
    while (which < known && strcmp(option, with_value[which]) != 0) which++;
    if (which == known) {
        tool_refuse("eval has no option %s", option);
        return false;
    }
    const char *const value = tool_args_value(args, option);
    if (!value) return false;
    switch (which) {
    case 0:
        options->clip = value;
        return true;
    case 1:
        return parse_time(&options->times[options->time_count++], value);
    case 2:
        return parse_normals(&options->normal_flags, value);
    default:
        return tool_use_isa(value);
    }
}

static bool parse_options(eval_options *options, int argc, char **argv) {
    tool_args args = tool_args_begin(argc, argv);
    const char *argument;
    bool is_option;
    while (tool_args_take(&args, &argument, &is_option)) {
        if (is_option ? !parse_option(options, &args, argument) : !tool_take_file(&options->file, argument))
            return false;
    }
    if (options->time_count == 0) options->times[options->time_count++] = 0.0f;
    return true;
}

// The library's calls cannot fail on an asset that its loader validated; if one does, it is said and not printed over.
static bool check(sqt_result result, const char *call) {
    if (result == SQT_OK) return true;
    tool_refuse("%s: %s", call, sqt_result_string(result));
    return false;
}

static bool no_memory(void) {
    tool_refuse("out of memory");
    return false;
}

/// A pose in the file's order of nodes.
static bool copy_local(eval_sample *sample, asset *a, const sqt_pose_block *pose) {
    sample->local = asset_alloc(a, a->node_count, 10 * sizeof(float));
    if (!sample->local) return no_memory();
    for (uint32_t i = 0; i < a->node_count; i++) {
        const sqt_transform t = sqt_pose_get(pose, a->nodes[i].joint);
        const float numbers[10] = {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                                   t.rotation.z,    t.rotation.w,    t.scale.x,       t.scale.y,    t.scale.z};
        memcpy(sample->local + (size_t)10 * i, numbers, sizeof numbers);
    }
    return true;
}

static bool copy_world(eval_sample *sample, asset *a, const sqt_mat4 *global) {
    sample->world = asset_alloc(a, a->node_count, sizeof(sqt_mat4));
    if (!sample->world) return no_memory();
    for (uint32_t i = 0; i < a->node_count; i++) {
        memcpy(sample->world + (size_t)16 * i, &global[a->nodes[i].joint], sizeof(sqt_mat4));
    }
    return true;
}

/// The palette of every skin.
static bool make_palettes(sqt_mat4 **palettes, asset *a, const sqt_mat4 *global) {
    for (uint32_t i = 0; i < a->skin_count; i++) {
        const sqt_skin *const skin = &a->skins[i].skin;
        palettes[i] = asset_alloc(a, skin->joint_count, sizeof(sqt_mat4));
        if (!palettes[i]) return no_memory();
        if (!check(sqt_skin_palette(palettes[i], &a->skeleton, skin, global, NULL), "sqt_skin_palette")) return false;
    }
    return true;
}

static bool skin_prim(eval_sample *sample, asset *a, uint32_t index, const sqt_mat4 *palette, uint32_t flags) {
    const asset_prim *const prim = &a->prims[index];
    const sqt_mesh *const mesh = &prim->geometry;
    sample->positions[index] = asset_alloc(a, mesh->vertex_count, 3 * sizeof(float));
    if (!sample->positions[index]) return no_memory();
    if (mesh->normals.data) {
        sample->normals[index] = asset_alloc(a, mesh->vertex_count, 3 * sizeof(float));
        if (!sample->normals[index]) return no_memory();
    }
    const sqt_skinned skinned = {.positions = sample->positions[index], .normals = sample->normals[index]};
    return check(
        sqt_skin_vertices(&skinned, mesh, palette, a->skins[prim->skin].skin.joint_count, 0, mesh->vertex_count, flags),
        "sqt_skin_vertices");
}

static bool make_sample(eval_sample *sample, asset *a, const sqt_pose_block *pose, const eval_options *options) {
    sqt_mat4 *const global = asset_alloc(a, a->skeleton.joint_count, sizeof *global);
    sqt_mat4 **const palettes = asset_alloc(a, a->skin_count, sizeof *palettes);
    sample->skins = asset_alloc(a, a->skin_count, sizeof *sample->skins);
    if (!global || !palettes || !sample->skins) return no_memory();
    if (!check(sqt_global_from_local(global, &a->skeleton, pose, NULL), "sqt_global_from_local")) return false;
    if (!copy_local(sample, a, pose) || !copy_world(sample, a, global) || !make_palettes(palettes, a, global)) {
        return false;
    }
    for (uint32_t i = 0; i < a->skin_count; i++) sample->skins[i] = palettes[i]->m;
    if (!options->skin) return true;
    sample->positions = asset_alloc(a, a->prim_count, sizeof *sample->positions);
    sample->normals = asset_alloc(a, a->prim_count, sizeof *sample->normals);
    if (!sample->positions || !sample->normals) return no_memory();
    for (uint32_t i = 0; i < a->prim_count; i++) {
        if (!skin_prim(sample, a, i, palettes[a->prims[i].skin], options->normal_flags)) return false;
    }
    return true;
}

static void write_nodes(json_text *out, const asset *a) {
    json_name(out, "nodes");
    json_raw(out, "[");
    for (uint32_t i = 0; i < a->node_count; i++) {
        json_comma(out);
        json_raw(out, "{");
        json_name(out, "name");
        json_string(out, a->nodes[i].name);
        json_name(out, "parent");
        json_integer(out, a->nodes[i].parent == SQT_NO_JOINT ? -1 : (int64_t)a->nodes[i].parent);
        json_raw(out, "}");
    }
    json_raw(out, "]");
}

static void write_skins(json_text *out, const asset *a) {
    static const sqt_mat4 identity = SQT_MAT4_IDENTITY;
    json_name(out, "skins");
    json_raw(out, "[");
    for (uint32_t i = 0; i < a->skin_count; i++) {
        const asset_skin *const skin = &a->skins[i];
        json_comma(out);
        json_raw(out, "{");
        json_name(out, "name");
        json_string(out, skin->name);
        json_name(out, "joints");
        json_raw(out, "[");
        for (uint32_t k = 0; k < skin->skin.joint_count; k++) json_integer(out, skin->nodes[k]);
        json_raw(out, "]");
        json_name(out, "ibm");
        json_raw(out, "[");
        for (uint32_t k = 0; k < skin->skin.joint_count; k++) {
            const sqt_mat4 *const matrix = skin->skin.inverse_bind ? &skin->skin.inverse_bind[k] : &identity;
            for (int e = 0; e < 16; e++) json_number(out, matrix->m[e]);
        }
        json_raw(out, "]}");
    }
    json_raw(out, "]");
}

static void write_prims(json_text *out, const asset *a) {
    json_name(out, "prims");
    json_raw(out, "[");
    for (uint32_t i = 0; i < a->prim_count; i++) {
        const asset_prim *const prim = &a->prims[i];
        const struct {
            const char *name;
            uint32_t value;
        } members[] = {{"node", prim->node},
                       {"mesh", prim->mesh},
                       {"primitive", prim->primitive},
                       {"skin", prim->skin},
                       {"vertexCount", prim->geometry.vertex_count},
                       {"jointSets", prim->joint_set_count},
                       {"morphTargets", prim->morph_target_count}};
        json_comma(out);
        json_raw(out, "{");
        for (size_t m = 0; m < sizeof members / sizeof members[0]; m++) {
            json_name(out, members[m].name);
            json_integer(out, members[m].value);
        }
        json_name(out, "vertices");
        json_string(out, "all");
        json_raw(out, "}");
    }
    json_raw(out, "]");
}

/// One array of three numbers a vertex for each primitive; null for those without.
static void write_vertices(json_text *out, const char *name, const asset *a, float *const *arrays) {
    json_name(out, name);
    json_raw(out, "[");
    for (uint32_t i = 0; i < a->prim_count; i++) {
        if (arrays[i]) {
            json_floats(out, arrays[i], (size_t)3 * a->prims[i].geometry.vertex_count);
        } else {
            json_string(out, NULL);
        }
    }
    json_raw(out, "]");
}

static void write_sample(json_text *out, const asset *a, const eval_sample *sample) {
    json_name(out, "local");
    json_floats(out, sample->local, (size_t)10 * a->node_count);
    json_name(out, "world");
    json_floats(out, sample->world, (size_t)16 * a->node_count);
    json_name(out, "skins");
    json_raw(out, "[");
    for (uint32_t i = 0; i < a->skin_count; i++) {
        json_floats(out, sample->skins[i], (size_t)16 * a->skins[i].skin.joint_count);
    }
    json_raw(out, "]");
    if (!sample->positions) return;
    write_vertices(out, "pos", a, sample->positions);
    write_vertices(out, "nrm", a, sample->normals);
}

static bool eval_rest(json_text *out, asset *a, sqt_pose_block *pose, const eval_options *options) {
    eval_sample sample = {0};
    if (!check(sqt_skeleton_rest(pose, &a->skeleton), "sqt_skeleton_rest")) return false;
    if (!make_sample(&sample, a, pose, options)) return false;
    json_name(out, "rest");
    json_raw(out, "{");
    write_sample(out, a, &sample);
    json_raw(out, "}");
    return true;
}

static bool eval_clip(json_text *out, asset *a, sqt_pose_block *pose, const eval_options *options) {
    uint32_t index = 0;
    if (!tool_find_clip(&index, a, options->clip)) return false;
    const asset_clip *const clip = &a->clips[index];
    json_name(out, "clips");
    json_raw(out, "[{");
    json_name(out, "index");
    json_integer(out, index);
    json_name(out, "name");
    json_string(out, clip->name);
    json_name(out, "duration");
    json_number(out, clip->clip.timeline.duration_seconds);
    json_name(out, "samples");
    json_raw(out, "[");
    for (uint32_t i = 0; i < options->time_count; i++) {
        eval_sample sample = {0};
        const double seconds = sqt_timeline_wrap(&clip->clip.timeline, (double)options->times[i]);
        const sqt_result result = sqt_channel_clip_sample(pose, &a->skeleton, &clip->clip, NULL, seconds);
        if (!check(result, "sqt_channel_clip_sample") || !make_sample(&sample, a, pose, options)) return false;
        json_comma(out);
        json_raw(out, "{");
        json_name(out, "t");
        json_number(out, seconds);
        write_sample(out, a, &sample);
        json_raw(out, "}");
    }
    json_raw(out, "]}]");
    return true;
}

static int eval_asset(asset *a, const eval_options *options) {
    sqt_pose_block *const pose = asset_alloc(a, SQT_POSE_BLOCKS(a->skeleton.joint_count), sizeof *pose);
    if (!pose) {
        no_memory();
        return TOOL_FAILED;
    }
    json_text out = {0};
    json_raw(&out, "{");
    json_name(&out, "file");
    json_string(&out, a->file);
    write_nodes(&out, a);
    write_skins(&out, a);
    write_prims(&out, a);
    const bool done = options->clip ? eval_clip(&out, a, pose, options) : eval_rest(&out, a, pose, options);
    json_raw(&out, "}");
    const int status = done ? tool_print(&out) : TOOL_REFUSED;
    json_free(&out);
    return status;
}

int tool_eval(int argc, char **argv) {
    eval_options options = {.times = malloc((size_t)argc * sizeof(float))};
    int status = TOOL_REFUSED;
    asset a = {0};
    if (!options.times) {
        no_memory();
        status = TOOL_FAILED;
    } else if (parse_options(&options, argc, argv) && tool_load(&a, options.file)) {
        status = eval_asset(&a, &options);
    }
    asset_free(&a);
    free(options.times);
    return status;
}
