// sqt render: a contact sheet of a clip, each instant sampled, posed and skinned by the library.
#include "tool_render.h"

#include <float.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "character.h"
#include "demo.h"
#include "raster.h"
#include "tool.h"

enum { CELL = 320, COLUMNS = 4, SAMPLES = 3, MAX_FRAMES = 400, DEFAULT_FRAMES = 12 };

typedef struct render_options {
    const char *file, *clip, *out;
    const demo *demo; ///< NULL: a clip
    float azimuth;    ///< radians
    uint32_t frame_count;
    bool skeleton;
} render_options;

/// An asset in one pose, ready to be drawn.
typedef struct scene {
    asset a;
    const sqt_channel_clip *clip; ///< NULL: the rest pose
    const demo *demo;             ///< in place of a clip; NULL: none
    void *demo_state;             ///< [demo->state_bytes]
    double demo_seconds;          ///< of its last frame; below 0: not started
    sqt_transform placement;      ///< where the demo stands; only the way along z scrolls the ground
    sqt_pose_block *pose;         ///< [SQT_POSE_BLOCKS(joint_count)]
    sqt_mat4 *global, *palette;
    bool has_triangles;
    bool *drawn;          ///< [joint_count] whether --skeleton draws the joint
    raster_mesh *meshes;  ///< [a.prim_count]
    sqt_skinned *skinned; ///< [a.prim_count] the meshes' vertices
    character_body body;  ///< of the embedded character, for its colours
} scene;

static sqt_vec3 paint_character(const void *context, sqt_vec3 place) { return character_colour(context, place); }

/// Buffers of the asset's own memory for everything that a frame needs.
static bool scene_prepare(scene *s, bool embedded) {
    static const sqt_vec3 clay[] = {
        {0.5f, 0.33f, 0.2f}, {0.24f, 0.35f, 0.46f}, {0.3f, 0.4f, 0.24f}, {0.5f, 0.45f, 0.33f}};
    asset *const a = &s->a;
    const uint32_t joint_count = a->skeleton.joint_count;
    uint32_t palette_count = 0;
    for (uint32_t k = 0; k < a->skin_count; ++k)
        if (a->skins[k].skin.joint_count > palette_count) palette_count = a->skins[k].skin.joint_count;
    s->pose = asset_alloc(a, SQT_POSE_BLOCKS(joint_count), sizeof *s->pose);
    s->global = asset_alloc(a, joint_count, sizeof *s->global);
    s->palette = asset_alloc(a, palette_count, sizeof *s->palette);
    s->drawn = asset_alloc(a, joint_count, sizeof *s->drawn);
    s->meshes = asset_alloc(a, a->prim_count, sizeof *s->meshes);
    s->skinned = asset_alloc(a, a->prim_count, sizeof *s->skinned);
    bool ready = s->pose && s->global && s->palette && s->drawn && s->meshes && s->skinned;
    for (uint32_t k = 0; ready && k < a->prim_count; ++k) {
        const asset_prim *const prim = &a->prims[k];
        const uint32_t count = prim->geometry.vertex_count;
        sqt_skinned *const skinned = &s->skinned[k];
        skinned->positions = asset_alloc(a, count, 3 * sizeof(float));
        if (prim->geometry.normals.data) skinned->normals = asset_alloc(a, count, 3 * sizeof(float));
        ready = skinned->positions && (skinned->normals || !prim->geometry.normals.data);
        const raster_mesh mesh = {.positions = skinned->positions,
                                  .normals = skinned->normals,
                                  .indices = prim->indices,
                                  .index_count = prim->index_count,
                                  .colour = clay[k % (sizeof clay / sizeof *clay)],
                                  .paint = embedded ? paint_character : NULL,
                                  .context = &s->body,
                                  .places = embedded ? prim->geometry.positions.data : NULL};
        s->meshes[k] = mesh;
        s->has_triangles = s->has_triangles || prim->index_count > 0;
    }
    // Joints that a skin uses; all of them where there is no skin.
    for (uint32_t j = 0; ready && j < joint_count; ++j) s->drawn[j] = a->skin_count == 0;
    for (uint32_t k = 0; ready && k < a->skin_count; ++k) {
        const sqt_skin *const skin = &a->skins[k].skin;
        for (uint32_t j = 0; j < skin->joint_count; ++j) s->drawn[skin->joints ? skin->joints[j] : j] = true;
    }
    if (embedded) character_body_make(&s->body);
    if (s->demo) s->demo_state = asset_alloc(a, 1, s->demo->state_bytes);
    return ready && (!s->demo || s->demo_state);
}

/// Sixty frames a second up to a time; time that goes back starts the demo again.
static bool demo_play(scene *s, double seconds) {
    static const double dt = 1.0 / 60;
    if (s->demo_seconds < 0 || seconds < s->demo_seconds) {
        if (!s->demo->start(s->demo_state, &s->a)) return false;
        s->demo_seconds = 0;
        if (!s->demo->frame(s->pose, &s->placement, &s->a, s->demo_state, 0)) return false;
    }
    while (s->demo_seconds < seconds - dt / 2) {
        s->demo_seconds += dt;
        if (!s->demo->frame(s->pose, &s->placement, &s->a, s->demo_state, s->demo_seconds)) return false;
    }
    return true;
}

/// A difference clip shows what it does to the rest pose.
static bool clip_play(scene *s, double seconds) {
    const sqt_skeleton *const skeleton = &s->a.skeleton;
    if (!s->clip) return sqt_skeleton_rest(s->pose, skeleton) == SQT_OK;
    sqt_result result = sqt_channel_clip_sample(s->pose, skeleton, s->clip, NULL, seconds);
    if (result == SQT_OK && s->clip->flags & SQT_CLIP_DIFFERENCE) {
        result = sqt_blend_add(s->pose, skeleton, skeleton->rest, s->pose, NULL, 1, SQT_NLERP);
    }
    return result == SQT_OK;
}

/// The whole path of the library: sample, global pose, palettes, vertices.
static bool scene_pose(scene *s, double seconds) {
    const sqt_skeleton *const skeleton = &s->a.skeleton;
    if (!(s->demo ? demo_play(s, seconds) : clip_play(s, seconds))) return false;
    sqt_result result = sqt_global_from_local(s->global, skeleton, s->pose, NULL);
    for (uint32_t k = 0; result == SQT_OK && k < s->a.prim_count; ++k) {
        const asset_prim *const prim = &s->a.prims[k];
        const sqt_skin *const skin = &s->a.skins[prim->skin].skin;
        result = sqt_skin_palette(s->palette, skeleton, skin, s->global, NULL);
        if (result == SQT_OK)
            result = sqt_skin_vertices(&s->skinned[k], &prim->geometry, s->palette, skin->joint_count, 0,
                                       prim->geometry.vertex_count, 0);
    }
    return result == SQT_OK;
}

/// Where a clip that wraps comes round, the last instant would repeat the first.
static double frame_seconds(const scene *s, const render_options *options, uint32_t frame) {
    if (s->demo) return s->demo->seconds * frame / (options->frame_count > 1 ? options->frame_count - 1 : 1);
    if (!s->clip || options->frame_count == 1) return 0;
    const bool wraps = s->clip->timeline.loop == SQT_LOOP_WRAP;
    return (double)s->clip->timeline.duration_seconds * frame / (options->frame_count - (wraps ? 0 : 1));
}

static sqt_vec3 joint_place(const scene *s, uint32_t joint) {
    const float *const m = s->global[joint].m;
    const sqt_vec3 place = {m[12], m[13], m[14]};
    return place;
}

/// All that the frames show. False where it has no size or is not finite.
static bool scene_frame(scene *s, const render_options *options, raster_frame *shown) {
    *shown = raster_frame_towards(options->azimuth, 0.14f);
    for (uint32_t frame = 0; frame < options->frame_count; ++frame) {
        if (!scene_pose(s, frame_seconds(s, options, frame))) return false;
        for (uint32_t k = 0; k < s->a.prim_count; ++k) {
            for (uint32_t v = 0; v < s->a.prims[k].geometry.vertex_count; ++v) {
                sqt_vec3 p;
                memcpy(&p, s->skinned[k].positions + 3 * (size_t)v, sizeof p);
                raster_frame_add(shown, p);
            }
        }
        for (uint32_t j = 0; (!s->has_triangles || options->skeleton) && j < s->a.skeleton.joint_count; ++j)
            if (s->drawn[j]) raster_frame_add(shown, joint_place(s, j));
    }
    const sqt_vec3 low = shown->low, high = shown->high;
    const float size = fmaxf(high.x - low.x, fmaxf(high.y - low.y, high.z - low.z));
    return size > 0 && size < 1e15f;
}

static void draw_skeleton(raster *r, const raster_view *view, const scene *s) {
    const sqt_vec3 bone = {0.9f, 0.75f, 0.1f}, joint = {0.75f, 0.08f, 0.05f};
    for (uint32_t j = 0; j < s->a.skeleton.joint_count; ++j) {
        const uint32_t parent = s->a.skeleton.parents[j];
        if (s->drawn[j] && parent != SQT_NO_JOINT && s->drawn[parent])
            raster_line(r, view, joint_place(s, parent), joint_place(s, j), 2.2f * SAMPLES, bone);
    }
    for (uint32_t j = 0; j < s->a.skeleton.joint_count; ++j)
        if (s->drawn[j]) raster_line(r, view, joint_place(s, j), joint_place(s, j), 4.5f * SAMPLES, joint);
}

/// About four lines over the height of the figure, at 1, 2 or 5 times a power of ten.
static float ground_spacing(float height) {
    float spacing = 1e-15f;
    for (int k = 0; spacing * 4 < height; ++k) spacing *= k % 3 == 1 ? 2.5f : 2;
    return spacing;
}

/// Draws every frame into its cell. A clip that walks in place is shown over ground that moves.
static bool draw_sheet(scene *s, const render_options *options, uint8_t *rgb) {
    raster r;
    raster_frame shown;
    if (!scene_frame(s, options, &shown)) {
        tool_refuse("%s: nothing to draw", s->a.file);
        return false;
    }
    if (!raster_init(&r, CELL * SAMPLES, CELL * SAMPLES)) {
        tool_refuse("out of memory");
        return false;
    }
    const raster_view view = raster_view_fit(&shown, 1);
    const float spacing = ground_spacing(shown.highest - shown.lowest), speed = s->clip ? s->clip->authored_speed : 0;
    for (uint32_t frame = 0; frame < options->frame_count; ++frame) {
        const double seconds = frame_seconds(s, options, frame);
        (void)scene_pose(s, seconds); // it succeeded when the bounds were taken
        const float scroll = s->demo ? s->placement.translation.z : (float)(speed * seconds);
        raster_ground(&r, &view, shown.lowest, spacing, scroll);
        for (uint32_t k = 0; k < s->a.prim_count; ++k) raster_shadow(&r, &view, &s->meshes[k], shown.lowest);
        for (uint32_t k = 0; k < s->a.prim_count; ++k) raster_triangles(&r, &view, &s->meshes[k]);
        if (options->skeleton || !s->has_triangles) draw_skeleton(&r, &view, s);
        const size_t stride = 3 * CELL * COLUMNS;
        raster_resolve(&r, SAMPLES, rgb + frame / COLUMNS * CELL * stride + frame % COLUMNS * CELL * 3, stride);
    }
    raster_free(&r);
    return true;
}

/// Writes beside the file and renames, so that nobody ever finds half a picture.
static bool write_png(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height) {
    const size_t length = strlen(path) + sizeof ".part";
    char *const part = malloc(length);
    if (!part) return false;
    snprintf(part, length, "%s.part", path);
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGB;
    FILE *const file = fopen(part, "wb");
    bool written = file && png_image_write_to_stdio(&image, file, 0, rgb, 0, NULL);
    if (file && fclose(file) != 0) written = false;
    if (written && rename(part, path) != 0) written = false;
    if (file && !written) remove(part);
    free(part);
    return written;
}

static bool parse_view(const char *name, float *azimuth) {
    static const struct {
        const char *name;
        float azimuth;
    } views[] = {{"front", 0}, {"side", -1.5707963f}, {"three-quarter", -0.7f}};
    for (size_t k = 0; k < sizeof views / sizeof *views; ++k) {
        if (strcmp(name, views[k].name) == 0) {
            *azimuth = views[k].azimuth;
            return true;
        }
    }
    tool_refuse("--view %s: the views are front, side, three-quarter", name);
    return false;
}

static bool parse_demo(const char *name, const demo **chosen) {
    static const demo *const demos[] = {&demo_layers, &demo_transitions, &demo_locomotion};
    for (size_t k = 0; k < sizeof demos / sizeof *demos; ++k) {
        if (strcmp(demos[k]->name, name) == 0) {
            *chosen = demos[k];
            return true;
        }
    }
    tool_refuse("--demo %s: the demos are layers, transitions, locomotion", name);
    return false;
}

static bool parse_frames(const char *text, uint32_t *count) {
    const size_t digits = strspn(text, "0123456789");
    const long value = digits > 0 && text[digits] == '\0' ? strtol(text, NULL, 10) : 0;
    if (value < 1 || value > MAX_FRAMES) {
        tool_refuse("--frames %s: a number from 1 to %d is needed", text, MAX_FRAMES);
        return false;
    }
    *count = (uint32_t)value;
    return true;
}

static bool parse_option(render_options *options, tool_args *args, const char *option) {
    static const char *const names[] = {"--skeleton", "--clip", "--frames", "--view", "--demo", "-o"};
    enum { SKELETON, CLIP, FRAMES, VIEW, DEMO, OUT, COUNT };
    uint32_t which = 0;
    while (which < COUNT && strcmp(option, names[which]) != 0) ++which;
    if (which == COUNT) {
        tool_refuse("render has no option %s", option);
        return false;
    }
    if (which == SKELETON) options->skeleton = true;
    const char *const value = which == SKELETON ? "" : tool_args_value(args, option);
    if (which == CLIP) options->clip = value;
    if (which == OUT) options->out = value;
    return value && (which != FRAMES || parse_frames(value, &options->frame_count)) &&
           (which != VIEW || parse_view(value, &options->azimuth)) &&
           (which != DEMO || parse_demo(value, &options->demo));
}

static bool parse(render_options *options, int argc, char **argv) {
    const render_options defaults = {.azimuth = -0.7f, .frame_count = DEFAULT_FRAMES};
    *options = defaults;
    tool_args args = tool_args_begin(argc, argv);
    const char *argument;
    bool is_option;
    while (tool_args_take(&args, &argument, &is_option)) {
        if (is_option ? !parse_option(options, &args, argument) : !tool_take_file(&options->file, argument))
            return false;
    }
    if (options->demo && (options->file || options->clip)) {
        tool_refuse("--demo plays the embedded character: it goes with no FILE and no --clip");
        return false;
    }
    if (options->out) return true;
    tool_refuse("render needs -o and the name of the picture");
    return false;
}

/// The clip asked for, else the first (the embedded character: its walk), else the rest pose.
static bool choose_clip(scene *s, const render_options *options) {
    uint32_t index = 0;
    s->demo = options->demo;
    s->demo_seconds = -1;
    if (s->demo) return true;
    const char *const name = options->clip ? options->clip : options->file ? NULL : "walk";
    if (name && !tool_find_clip(&index, &s->a, name)) return false;
    s->clip = index < s->a.clip_count ? &s->a.clips[index].clip : NULL;
    return true;
}

static int render(scene *s, const render_options *options) {
    if (!choose_clip(s, options)) return TOOL_REFUSED;
    const uint32_t rows = (options->frame_count + COLUMNS - 1) / COLUMNS, width = CELL * COLUMNS, height = CELL * rows;
    uint8_t *const rgb = asset_alloc(&s->a, (size_t)width * height, 3);
    if (!rgb || !scene_prepare(s, !options->file)) {
        tool_refuse("out of memory");
        return TOOL_FAILED;
    }
    memset(rgb, 0xFF, (size_t)width * height * 3);
    if (!draw_sheet(s, options, rgb)) return TOOL_REFUSED;
    if (write_png(options->out, rgb, width, height)) return TOOL_OK;
    return tool_refuse("%s: cannot be written", options->out);
}

int tool_render(int argc, char **argv) {
    render_options options;
    if (!parse(&options, argc, argv)) return TOOL_REFUSED;
    static const scene none;
    scene s = none;
    if (!tool_load(&s.a, options.file)) return TOOL_REFUSED;
    const int status = render(&s, &options);
    asset_free(&s.a);
    return status;
}
