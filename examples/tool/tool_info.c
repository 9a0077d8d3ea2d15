// `sqt info`: what a file holds, for people and as JSON.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_stats.h"
#include "seams.h"
#include "tool.h"

/// Channels of one clip that are alike.
typedef struct channel_group {
    uint32_t count, keys_least, keys_most;
} channel_group;

enum { TARGET_COUNT = SQT_TARGET_EULER_Z + 1, INTERPOLATION_COUNT = SQT_CUBIC + 1 };

typedef channel_group channel_groups[TARGET_COUNT][INTERPOLATION_COUNT];

static const char *const target_names[TARGET_COUNT] = {
    "rotation", "translation", "scale", "translation.x", "translation.y", "translation.z", "scale.x",
    "scale.y",  "scale.z",     "euler", "euler.x",       "euler.y",       "euler.z"};
static const char *const interpolation_names[INTERPOLATION_COUNT] = {"step", "linear", "cubic"};

/// What is counted before anything is printed.
typedef struct info {
    const asset *a;
    uint32_t root_count, level_count;
    uint32_t *levels;      ///< [joint_count] below the roots, which are at 0
    mesh_stats *meshes;    ///< [prim_count]
    uint32_t *used;        ///< [skin_count] palette entries that a vertex hangs on
    channel_groups *clips; ///< [clip_count]
    seams seams;           ///< where they were asked for
} info;

static void collect_levels(info *i) {
    const sqt_skeleton *const skeleton = &i->a->skeleton;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) { // parents come first
        const uint32_t parent = skeleton->parents[j];
        i->levels[j] = parent == SQT_NO_JOINT ? 0 : i->levels[parent] + 1;
        i->root_count += parent == SQT_NO_JOINT;
        if (i->levels[j] + 1 > i->level_count) i->level_count = i->levels[j] + 1;
    }
}

static void collect_clip(channel_groups groups, const sqt_channel_clip *clip) {
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        const sqt_channel *const channel = &clip->channels[c];
        const uint32_t keys = channel->curve.key_count;
        channel_group *const group = &groups[channel->target][channel->curve.interpolation];
        if (group->count == 0 || keys < group->keys_least) group->keys_least = keys;
        if (keys > group->keys_most) group->keys_most = keys;
        group->count++;
    }
}

static void warn_of_mesh(asset *a, const asset_prim *prim, const mesh_stats *stats) {
    const unsigned mesh = prim->mesh, primitive = prim->primitive;
    if (stats->unweighted_count > 0) {
        asset_warn(a, "mesh %u: primitive %u: %u vertices without a weight, skinned to the origin", mesh, primitive,
                   (unsigned)stats->unweighted_count);
    }
    if (stats->unbalanced_count > 0) {
        asset_warn(a, "mesh %u: primitive %u: weights of %u vertices do not sum to 1: %.6g to %.6g", mesh, primitive,
                   (unsigned)stats->unbalanced_count, stats->sum_least, stats->sum_most);
    }
}

/// Skinned meshes, and which joints of each skin they use.
static bool collect_meshes(info *i, asset *a) {
    for (uint32_t s = 0; s < a->skin_count; s++) {
        const uint32_t joint_count = a->skins[s].skin.joint_count;
        bool *const used = asset_alloc(a, joint_count, sizeof *used);
        if (!used) return false;
        bool has_mesh = false;
        for (uint32_t p = 0; p < a->prim_count; p++) {
            if (a->prims[p].skin != s) continue;
            has_mesh = true;
            i->meshes[p] = mesh_stats_collect(used, &a->prims[p].geometry);
            warn_of_mesh(a, &a->prims[p], &i->meshes[p]);
        }
        for (uint32_t k = 0; k < joint_count; k++) i->used[s] += used[k];
        if (!has_mesh) {
            asset_warn(a, "skin %u: no mesh uses it", (unsigned)s);
        } else if (i->used[s] < joint_count) {
            asset_warn(a, "skin %u: no vertex hangs on %u of its %u joints", (unsigned)s,
                       (unsigned)(joint_count - i->used[s]), (unsigned)joint_count);
        }
    }
    return true;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/// Warns of names that are missing or stand more than once. `names` is sorted.
static void warn_of_names(asset *a, const char *what, const char **names, uint32_t name_count, uint32_t count) {
    if (name_count < count) {
        asset_warn(a, "%u of %u %s have no name", (unsigned)(count - name_count), (unsigned)count, what);
    }
    if (name_count == 0) return;
    qsort(names, name_count, sizeof *names, compare_names);
    for (uint32_t n = 0; n < name_count;) {
        uint32_t end = n + 1;
        while (end < name_count && strcmp(names[n], names[end]) == 0) end++;
        if (end > n + 1) asset_warn(a, "%u %s are named \"%s\"", (unsigned)(end - n), what, names[n]);
        n = end;
    }
}

static bool check_names(asset *a) {
    const uint32_t most = a->node_count > a->clip_count ? a->node_count : a->clip_count;
    const char **const names = asset_alloc(a, most, sizeof *names);
    if (!names) return false;
    uint32_t count = 0;
    for (uint32_t n = 0; n < a->node_count; n++) {
        if (a->nodes[n].name && a->nodes[n].name[0]) names[count++] = a->nodes[n].name;
    }
    warn_of_names(a, "joints", names, count, a->node_count);
    count = 0;
    for (uint32_t c = 0; c < a->clip_count; c++) {
        if (a->clips[c].name && a->clips[c].name[0]) names[count++] = a->clips[c].name;
    }
    warn_of_names(a, "clips", names, count, a->clip_count);
    return true;
}

/// Rest transforms and clips that are allowed, but rarely meant.
static void check_values(asset *a) {
    for (uint32_t n = 0; n < a->node_count; n++) {
        const sqt_vec3 s = sqt_pose_get(a->skeleton.rest, a->nodes[n].joint).scale;
        if (s.x == 0 || s.y == 0 || s.z == 0) {
            asset_warn(a, "node %u: its rest scale has a zero", (unsigned)n);
        } else if (s.x * s.y * s.z < 0) {
            asset_warn(a, "node %u: its rest scale mirrors", (unsigned)n);
        }
    }
    for (uint32_t c = 0; c < a->clip_count; c++) {
        const sqt_channel_clip *const clip = &a->clips[c].clip;
        if (clip->channel_count == 0) {
            asset_warn(a, "clip %u: moves no joint", (unsigned)c);
        } else if (clip->timeline.duration_seconds == 0) {
            asset_warn(a, "clip %u: lasts no time", (unsigned)c);
        }
    }
}

static bool collect(info *i, asset *a) {
    i->a = a;
    i->levels = asset_alloc(a, a->skeleton.joint_count, sizeof *i->levels);
    i->meshes = asset_alloc(a, a->prim_count, sizeof *i->meshes);
    i->used = asset_alloc(a, a->skin_count, sizeof *i->used);
    i->clips = asset_alloc(a, a->clip_count, sizeof *i->clips);
    if (!i->levels || !i->meshes || !i->used || !i->clips) return false;
    collect_levels(i);
    for (uint32_t c = 0; c < a->clip_count; c++) collect_clip(i->clips[c], &a->clips[c].clip);
    check_values(a);
    return collect_meshes(i, a) && check_names(a);
}

static void json_member(json_text *out, const char *name, uint32_t value) {
    json_name(out, name);
    json_integer(out, value);
}

static void write_json_skeleton(json_text *out, const info *i) {
    json_name(out, "skeleton");
    json_raw(out, "{");
    json_member(out, "joints", i->a->skeleton.joint_count);
    json_member(out, "roots", i->root_count);
    json_member(out, "levels", i->level_count);
    json_name(out, "nodes");
    json_raw(out, "[");
    for (uint32_t n = 0; n < i->a->node_count; n++) {
        const asset_node *const node = &i->a->nodes[n];
        json_comma(out);
        json_raw(out, "{");
        json_name(out, "name");
        json_string(out, node->name);
        json_name(out, "parent");
        json_integer(out, node->parent == SQT_NO_JOINT ? -1 : (int64_t)node->parent);
        json_member(out, "joint", node->joint);
        json_raw(out, "}");
    }
    json_raw(out, "]}");
}

static void write_json_skins(json_text *out, const info *i) {
    json_name(out, "skins");
    json_raw(out, "[");
    for (uint32_t s = 0; s < i->a->skin_count; s++) {
        const asset_skin *const skin = &i->a->skins[s];
        json_comma(out);
        json_raw(out, "{");
        json_name(out, "name");
        json_string(out, skin->name);
        json_member(out, "joints", skin->skin.joint_count);
        json_member(out, "usedJoints", i->used[s]);
        json_name(out, "inverseBindMatrices");
        json_bool(out, skin->has_inverse_bind);
        json_raw(out, "}");
    }
    json_raw(out, "]");
}

static void write_json_clips(json_text *out, const info *i) {
    json_name(out, "clips");
    json_raw(out, "[");
    for (uint32_t c = 0; c < i->a->clip_count; c++) {
        const asset_clip *const clip = &i->a->clips[c];
        json_comma(out);
        json_raw(out, "{");
        json_member(out, "index", c);
        json_name(out, "name");
        json_string(out, clip->name);
        json_name(out, "duration");
        json_number(out, clip->clip.timeline.duration_seconds);
        json_name(out, "additive");
        json_bool(out, clip->clip.flags & SQT_CLIP_DIFFERENCE);
        json_name(out, "channels");
        json_raw(out, "[");
        for (int t = 0; t < TARGET_COUNT; t++) {
            for (int m = 0; m < INTERPOLATION_COUNT; m++) {
                const channel_group *const group = &i->clips[c][t][m];
                if (group->count == 0) continue;
                json_comma(out);
                json_raw(out, "{");
                json_name(out, "target");
                json_string(out, target_names[t]);
                json_name(out, "interpolation");
                json_string(out, interpolation_names[m]);
                json_member(out, "count", group->count);
                json_member(out, "keysLeast", group->keys_least);
                json_member(out, "keysMost", group->keys_most);
                json_raw(out, "}");
            }
        }
        json_raw(out, "]}");
    }
    json_raw(out, "]");
}

static void write_json_prims(json_text *out, const info *i) {
    json_name(out, "prims");
    json_raw(out, "[");
    for (uint32_t p = 0; p < i->a->prim_count; p++) {
        const asset_prim *const prim = &i->a->prims[p];
        json_comma(out);
        json_raw(out, "{");
        json_member(out, "node", prim->node);
        json_member(out, "mesh", prim->mesh);
        json_name(out, "meshName");
        json_string(out, prim->mesh_name);
        json_member(out, "primitive", prim->primitive);
        json_member(out, "skin", prim->skin);
        json_member(out, "vertexCount", prim->geometry.vertex_count);
        json_member(out, "triangles", prim->index_count / 3);
        json_member(out, "jointSets", prim->joint_set_count);
        json_member(out, "morphTargets", prim->morph_target_count);
        json_name(out, "normals");
        json_bool(out, prim->geometry.normals.data);
        json_name(out, "tangents");
        json_bool(out, prim->geometry.tangents.data);
        json_member(out, "influencesMost", i->meshes[p].influences_most);
        json_name(out, "influencesAverage");
        json_number(out, i->meshes[p].influences_average);
        json_raw(out, "}");
    }
    json_raw(out, "]");
}

static void write_json_measure(json_text *out, const char *name, float value) {
    json_name(out, name);
    json_number(out, (double)value);
}

static void write_json_seams(json_text *out, const seams *s) {
    json_name(out, "seams");
    json_raw(out, "{");
    write_json_measure(out, "positionLimit", s->position_limit);
    json_name(out, "pairs");
    json_raw(out, "[");
    for (uint32_t p = 0; p < s->count; p++) {
        const seam *const pair = &s->list[p];
        json_comma(out);
        json_raw(out, "{");
        json_member(out, "from", pair->from);
        json_member(out, "to", pair->to);
        write_json_measure(out, "position", pair->distance.position);
        write_json_measure(out, "positionMost", pair->distance.position_most);
        write_json_measure(out, "velocity", pair->distance.velocity);
        write_json_measure(out, "velocityMost", pair->distance.velocity_most);
        write_json_measure(out, "velocityLimit", pair->velocity_limit);
        json_name(out, "joins");
        json_bool(out, pair->joins);
        json_raw(out, "}");
    }
    json_raw(out, "]}");
}

static int print_json(const info *i, bool with_seams) {
    json_text out = {0};
    json_raw(&out, "{");
    json_name(&out, "file");
    json_string(&out, i->a->file);
    write_json_skeleton(&out, i);
    write_json_skins(&out, i);
    write_json_clips(&out, i);
    write_json_prims(&out, i);
    if (with_seams) write_json_seams(&out, &i->seams);
    json_name(&out, "warnings");
    json_raw(&out, "[");
    for (uint32_t w = 0; w < i->a->warning_count; w++) json_string(&out, i->a->warnings[w]);
    json_raw(&out, "]}");
    const int status = tool_print(&out);
    json_free(&out);
    return status;
}

/// A name for people: quoted, on one line; nothing where there is none.
static void print_name(asset *a, const char *name) {
    if (!name) return;
    char *const line = asset_alloc(a, strlen(name) + 1, 1);
    if (!line) return;
    strcpy(line, name);
    asset_one_line(line);
    printf(" \"%s\"", line);
}

static void print_skeleton(asset *a, const info *i) {
    printf("skeleton: %u joints, %u roots, %u levels\n", (unsigned)a->skeleton.joint_count, (unsigned)i->root_count,
           (unsigned)i->level_count);
    for (uint32_t n = 0; n < a->node_count; n++) {
        const asset_node *const node = &a->nodes[n];
        printf("  %5u", (unsigned)n);
        print_name(a, node->name);
        if (node->parent != SQT_NO_JOINT) printf(" on %u", (unsigned)node->parent);
        printf("\n");
    }
}

static void print_skins(asset *a, const info *i) {
    printf("skins: %u\n", (unsigned)a->skin_count);
    for (uint32_t s = 0; s < a->skin_count; s++) {
        const asset_skin *const skin = &a->skins[s];
        printf("  %5u", (unsigned)s);
        print_name(a, skin->name);
        printf(" %u joints, %u used, inverse bind matrices %s\n", (unsigned)skin->skin.joint_count,
               (unsigned)i->used[s], skin->has_inverse_bind ? "given" : "absent (identity)");
    }
}

static void print_clips(asset *a, const info *i) {
    printf("clips: %u\n", (unsigned)a->clip_count);
    for (uint32_t c = 0; c < a->clip_count; c++) {
        const asset_clip *const clip = &a->clips[c];
        printf("  %5u", (unsigned)c);
        print_name(a, clip->name);
        printf(" %.6g s, %u channels%s\n", (double)clip->clip.timeline.duration_seconds,
               (unsigned)clip->clip.channel_count, clip->clip.flags & SQT_CLIP_DIFFERENCE ? ", additive" : "");
        for (int t = 0; t < TARGET_COUNT; t++) {
            for (int m = 0; m < INTERPOLATION_COUNT; m++) {
                const channel_group *const group = &i->clips[c][t][m];
                if (group->count == 0) continue;
                printf("        %s %s: %u channels of %u to %u keys\n", target_names[t], interpolation_names[m],
                       (unsigned)group->count, (unsigned)group->keys_least, (unsigned)group->keys_most);
            }
        }
    }
}

static void print_prims(asset *a, const info *i) {
    printf("skinned meshes: %u\n", (unsigned)a->prim_count);
    for (uint32_t p = 0; p < a->prim_count; p++) {
        const asset_prim *const prim = &a->prims[p];
        printf("  %5u", (unsigned)p);
        print_name(a, prim->mesh_name);
        printf(" mesh %u, primitive %u, on node %u, skin %u: %u vertices, %u triangles, %u influences at most, %.3g on "
               "average%s%s\n",
               (unsigned)prim->mesh, (unsigned)prim->primitive, (unsigned)prim->node, (unsigned)prim->skin,
               (unsigned)prim->geometry.vertex_count, (unsigned)(prim->index_count / 3),
               (unsigned)i->meshes[p].influences_most, i->meshes[p].influences_average,
               prim->geometry.normals.data ? ", normals" : "", prim->geometry.tangents.data ? ", tangents" : "");
    }
}

/// A joint of an asset for people, as its node.
static void print_joint(asset *a, uint32_t joint) {
    for (uint32_t n = 0; n < a->node_count; n++) {
        if (a->nodes[n].joint != joint) continue;
        printf(" at node %u", (unsigned)n);
        print_name(a, a->nodes[n].name);
    }
}

static void print_seams(asset *a, const seams *s) {
    printf(
        "seams: from the end of one clip to the start of another; yes where no joint is more than %.4g away (1%% of "
        "the\n       size of the rest pose), nor changes its velocity by more than the limit (20%% of it a second, or "
        "1.25 times\n       what it changes from key to key inside either clip)\n",
        (double)s->position_limit);
    for (uint32_t p = 0; p < s->count; p++) {
        const seam *const pair = &s->list[p];
        printf("  %5u", (unsigned)pair->from);
        print_name(a, a->clips[pair->from].name);
        printf(" to %u", (unsigned)pair->to);
        print_name(a, a->clips[pair->to].name);
        printf(": %s, positions %.3g", pair->joins ? "yes" : "no", (double)pair->distance.position_most);
        print_joint(a, pair->distance.position_at);
        printf(", velocities %.3g of %.3g", (double)pair->distance.velocity_most, (double)pair->velocity_limit);
        print_joint(a, pair->distance.velocity_at);
        printf("\n");
    }
}

static int print_text(asset *a, const info *i, bool with_seams) {
    printf("%s\n", a->file);
    print_skeleton(a, i);
    print_skins(a, i);
    print_clips(a, i);
    print_prims(a, i);
    if (with_seams) print_seams(a, &i->seams);
    for (uint32_t w = 0; w < a->warning_count; w++) printf("warning: %s\n", a->warnings[w]);
    return tool_flush();
}

int tool_info(int argc, char **argv) {
    const char *file = NULL, *argument;
    bool as_json = false, with_seams = false, is_option;
    tool_args args = tool_args_begin(argc, argv);
    while (tool_args_take(&args, &argument, &is_option)) {
        if (!is_option) {
            if (!tool_take_file(&file, argument)) return TOOL_REFUSED;
        } else if (strcmp(argument, "--json") == 0) {
            as_json = true;
        } else if (strcmp(argument, "--seams") == 0) {
            with_seams = true;
        } else {
            return tool_refuse("info has no option %s", argument);
        }
    }
    asset a = {0};
    if (!tool_load(&a, file)) return TOOL_REFUSED;
    info i = {0};
    int status = TOOL_FAILED;
    if (collect(&i, &a) && (!with_seams || seams_collect(&i.seams, &a))) {
        status = as_json ? print_json(&i, with_seams) : print_text(&a, &i, with_seams);
    } else {
        tool_refuse("out of memory");
    }
    asset_free(&a);
    return status;
}
