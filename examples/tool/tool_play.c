// `sqt play`: one character through the whole path, two clips blended, with what came out and how long it took.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tool.h"

/// What one character needs to play: everything is allocated once, before the first frame.
typedef struct player {
    asset a;
    const sqt_channel_clip *clips[2]; ///< NULL where the asset has none: then its rest pose plays
    const char *names[2];
    sqt_pose_block *pose, *other;
    uint32_t *cursors[2];
    sqt_mat4 *global;
    sqt_mat4 **palettes;  ///< [skin_count]
    sqt_skinned *skinned; ///< [prim_count]
    uint32_t palette_joints, vertex_count;
} player;

/// A moment of the blend: both clips at one phase, the second weighing `weight`.
typedef struct moment {
    double phase;
    float weight;
} moment;

typedef struct bounds {
    sqt_vec3 lower, upper;
} bounds;

static bool choose_clips(player *p, const char *const *arguments, uint32_t argument_count) {
    const asset *const a = &p->a;
    uint32_t chosen[2] = {0, 0}, count = 0;
    for (; count < argument_count; count++) {
        if (!tool_find_clip(&chosen[count], a, arguments[count])) return false;
    }
    for (uint32_t i = 0; i < a->clip_count && count < 2; i++) {
        const bool additive = a->clips[i].clip.flags & SQT_CLIP_DIFFERENCE;
        if (!additive && !(count == 1 && chosen[0] == i)) chosen[count++] = i;
    }
    if (count == 1) chosen[count++] = chosen[0];
    for (uint32_t i = 0; i < count; i++) {
        p->clips[i] = &a->clips[chosen[i]].clip;
        p->names[i] = a->clips[chosen[i]].name;
    }
    return true;
}

static bool allocate_vertices(player *p, uint32_t index) {
    const sqt_mesh *const mesh = &p->a.prims[index].geometry;
    sqt_skinned *const skinned = &p->skinned[index];
    skinned->positions = asset_alloc(&p->a, mesh->vertex_count, 3 * sizeof(float));
    if (!skinned->positions) return false;
    if (mesh->normals.data) {
        skinned->normals = asset_alloc(&p->a, mesh->vertex_count, 3 * sizeof(float));
        if (!skinned->normals) return false;
    }
    if (mesh->tangents.data) {
        skinned->tangents = asset_alloc(&p->a, mesh->vertex_count, 4 * sizeof(float));
        if (!skinned->tangents) return false;
    }
    p->vertex_count += mesh->vertex_count;
    return true;
}

static bool allocate(player *p) {
    asset *const a = &p->a;
    const uint32_t joint_count = a->skeleton.joint_count;
    p->pose = asset_alloc(a, SQT_POSE_BLOCKS(joint_count), sizeof *p->pose);
    p->other = asset_alloc(a, SQT_POSE_BLOCKS(joint_count), sizeof *p->other);
    p->global = asset_alloc(a, joint_count, sizeof *p->global);
    p->palettes = asset_alloc(a, a->skin_count, sizeof *p->palettes);
    p->skinned = asset_alloc(a, a->prim_count, sizeof *p->skinned);
    if (!p->pose || !p->other || !p->global || !p->palettes || !p->skinned) return false;
    for (uint32_t i = 0; i < 2; i++) {
        p->cursors[i] = asset_alloc(a, p->clips[i] ? p->clips[i]->channel_count : 0, sizeof(uint32_t));
        if (!p->cursors[i]) return false;
    }
    for (uint32_t i = 0; i < a->skin_count; i++) {
        p->palettes[i] = asset_alloc(a, a->skins[i].skin.joint_count, sizeof(sqt_mat4));
        if (!p->palettes[i]) return false;
        p->palette_joints += a->skins[i].skin.joint_count;
    }
    for (uint32_t i = 0; i < a->prim_count; i++) {
        if (!allocate_vertices(p, i)) return false;
    }
    return true;
}

// The stages, in the order of a frame. Each is one call of the library, for every clip, skin or mesh that there is.

static void sample(player *p, moment m) {
    sqt_pose_block *const poses[2] = {p->pose, p->other};
    for (int i = 0; i < 2; i++) {
        if (p->clips[i]) {
            const double seconds = m.phase * (double)p->clips[i]->timeline.duration_seconds;
            sqt_channel_clip_sample(poses[i], &p->a.skeleton, p->clips[i], p->cursors[i], seconds);
        } else {
            sqt_skeleton_rest(poses[i], &p->a.skeleton);
        }
    }
}

static void blend(player *p, moment m) {
    sqt_blend_pair(p->pose, &p->a.skeleton, p->pose, p->other, NULL, m.weight, SQT_NLERP);
}

static void make_global(player *p, moment m) {
    (void)m;
    sqt_global_from_local(p->global, &p->a.skeleton, p->pose, NULL);
}

static void make_palettes(player *p, moment m) {
    (void)m;
    for (uint32_t i = 0; i < p->a.skin_count; i++) {
        sqt_skin_palette(p->palettes[i], &p->a.skeleton, &p->a.skins[i].skin, p->global, NULL);
    }
}

static void skin(player *p, moment m) {
    (void)m;
    for (uint32_t i = 0; i < p->a.prim_count; i++) {
        const asset_prim *const prim = &p->a.prims[i];
        sqt_skin_vertices(&p->skinned[i], &prim->geometry, p->palettes[prim->skin],
                          p->a.skins[prim->skin].skin.joint_count, 0, prim->geometry.vertex_count, 0);
    }
}

static const struct stage {
    const char *name;
    void (*run)(player *p, moment m);
    enum { PER_JOINT, PER_PALETTE_JOINT, PER_VERTEX } unit;
} stages[] = {{"sample two clips", sample, PER_JOINT},
              {"blend", blend, PER_JOINT},
              {"global pose", make_global, PER_JOINT},
              {"palettes", make_palettes, PER_PALETTE_JOINT},
              {"skin vertices", skin, PER_VERTEX}};

enum { STAGE_COUNT = sizeof stages / sizeof stages[0], MOMENT_COUNT = 5, BATCH_COUNT = 9 };

static void play(player *p, moment m) {
    for (int i = 0; i < STAGE_COUNT; i++) stages[i].run(p, m);
}

static void extend(bounds *b, sqt_vec3 point, bool first) {
    if (first) *b = (bounds){point, point};
    if (point.x < b->lower.x) b->lower.x = point.x;
    if (point.y < b->lower.y) b->lower.y = point.y;
    if (point.z < b->lower.z) b->lower.z = point.z;
    if (point.x > b->upper.x) b->upper.x = point.x;
    if (point.y > b->upper.y) b->upper.y = point.y;
    if (point.z > b->upper.z) b->upper.z = point.z;
}

/// Of all skinned vertices; of the joints where the asset has no skinned mesh.
static bounds find_bounds(const player *p) {
    bounds b = {{0, 0, 0}, {0, 0, 0}};
    if (p->vertex_count == 0) {
        for (uint32_t j = 0; j < p->a.skeleton.joint_count; j++) {
            const float *const m = p->global[j].m;
            extend(&b, (sqt_vec3){m[12], m[13], m[14]}, j == 0);
        }
        return b;
    }
    bool first = true;
    for (uint32_t i = 0; i < p->a.prim_count; i++) {
        const float *const positions = p->skinned[i].positions;
        for (size_t v = 0; v < p->a.prims[i].geometry.vertex_count; v++) {
            extend(&b, (sqt_vec3){positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]}, first);
            first = false;
        }
    }
    return b;
}

static void print_bounds(player *p) {
    printf("bounds of the %s, both clips at one phase, fading from the first to the second:\n",
           p->vertex_count > 0 ? "skinned mesh" : "joints (there is no skinned mesh)");
    printf("  phase  weight  %-33s %s\n", "lower x, y, z", "upper x, y, z");
    for (int i = 0; i < MOMENT_COUNT; i++) {
        const moment m = {(double)i / (MOMENT_COUNT - 1), (float)i / (float)(MOMENT_COUNT - 1)};
        play(p, m);
        const bounds b = find_bounds(p);
        printf("  %5.2f  %6.2f  %10.4g %10.4g %10.4g   %10.4g %10.4g %10.4g\n", m.phase, (double)m.weight,
               (double)b.lower.x, (double)b.lower.y, (double)b.lower.z, (double)b.upper.x, (double)b.upper.y,
               (double)b.upper.z);
    }
}

static double now_nanoseconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static double time_repeats(player *p, const struct stage *stage, uint32_t repeats) {
    const double begin = now_nanoseconds();
    for (uint32_t i = 0; i < repeats; i++) stage->run(p, (moment){(double)(i % 64) / 64.0, 0.5f});
    return (now_nanoseconds() - begin) / repeats;
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Median of several batches, each long enough for the clock.
static double time_stage(player *p, const struct stage *stage) {
    uint32_t repeats = 1;
    while (repeats < 1u << 20 && time_repeats(p, stage, repeats) * repeats < 1e6) repeats *= 2;
    double batches[BATCH_COUNT];
    for (int i = 0; i < BATCH_COUNT; i++) batches[i] = time_repeats(p, stage, repeats);
    qsort(batches, BATCH_COUNT, sizeof batches[0], compare_doubles);
    return batches[BATCH_COUNT / 2];
}

static void print_times(player *p) {
    static const char *const unit_names[] = {"joint", "palette entry", "vertex"};
    const uint32_t counts[] = {p->a.skeleton.joint_count, p->palette_joints, p->vertex_count};
    printf("time a frame (%s kernels, one thread):\n", sqt_isa_name(sqt_isa_current()));
    double total = 0;
    for (int i = 0; i < STAGE_COUNT; i++) {
        const uint32_t count = counts[stages[i].unit];
        if (count == 0) continue;
        const double nanoseconds = time_stage(p, &stages[i]);
        total += nanoseconds;
        printf("  %-17s %12.0f ns %9.2f ns a %s\n", stages[i].name, nanoseconds, nanoseconds / count,
               unit_names[stages[i].unit]);
    }
    printf("  %-17s %12.0f ns\n", "all", total);
}

static void print_clip(const char *label, const sqt_channel_clip *clip, const char *name) {
    if (!clip) {
        printf("%s: the rest pose (the file has no clip)\n", label);
        return;
    }
    char line[128] = "";
    if (name) snprintf(line, sizeof line, " \"%s\"", name);
    asset_one_line(line);
    printf("%s:%s %.4g s, %u channels\n", label, line, (double)clip->timeline.duration_seconds,
           (unsigned)clip->channel_count);
}

static int print_all(player *p) {
    const asset *const a = &p->a;
    printf("%s: %u joints, %u clips, %u skins, %u skinned meshes of %u vertices\n", a->file,
           (unsigned)a->skeleton.joint_count, (unsigned)a->clip_count, (unsigned)a->skin_count, (unsigned)a->prim_count,
           (unsigned)p->vertex_count);
    print_clip("first clip", p->clips[0], p->names[0]);
    print_clip("second clip", p->clips[1], p->names[1]);
    print_bounds(p);
    print_times(p);
    return tool_flush();
}

/// The built-in character walks and runs unless asked otherwise.
static int play_file(const char *file, const char **clips, uint32_t clip_count) {
    if (!file && clip_count == 0) {
        clips[clip_count++] = "walk";
        clips[clip_count++] = "run";
    }
    player p = {0};
    int status = TOOL_REFUSED;
    if (tool_load(&p.a, file) && choose_clips(&p, clips, clip_count)) {
        if (allocate(&p)) {
            status = print_all(&p);
        } else {
            tool_refuse("out of memory");
            status = TOOL_FAILED;
        }
    }
    asset_free(&p.a);
    return status;
}

int tool_play(int argc, char **argv) {
    const char *file = NULL, *clips[2] = {NULL, NULL}, *argument;
    uint32_t clip_count = 0;
    bool is_option;
    tool_args args = tool_args_begin(argc, argv);
    while (tool_args_take(&args, &argument, &is_option)) {
        if (!is_option) {
            if (!tool_take_file(&file, argument)) return TOOL_REFUSED;
            continue;
        }
        const bool is_clip = strcmp(argument, "--clip") == 0;
        if (!is_clip && strcmp(argument, "--isa") != 0) return tool_refuse("play has no option %s", argument);
        if (is_clip && clip_count == 2) return tool_refuse("play blends two clips, not more");
        const char *const value = tool_args_value(&args, argument);
        if (!value) return TOOL_REFUSED;
        if (is_clip) {
            clips[clip_count++] = value;
        } else if (!tool_use_isa(value)) {
            return TOOL_REFUSED;
        }
    }
    return play_file(file, clips, clip_count);
}
