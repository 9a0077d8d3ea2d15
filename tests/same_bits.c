// same_bits                      the embedded character; every hash must be that of same_bits_golden.h
// same_bits RAW...               assets of raw files (same_bits_import writes them), without hashes to compare with
// same_bits --ulp                changes single numbers by the smallest amount, and the hashes must see it
// same_bits --golden             prints same_bits_golden.h
// same_bits --dump STAGE SET [RAW]           writes what a stage hashes, to find where two builds part
// same_bits --dump-flushed STAGE SET [RAW]   without denormals
//
// Every run takes every instruction set of the build, with denormals and without: all must agree. Standard output is
// the same for every build, so that outputs can be compared; the sets go to standard error. Exits with 1 on a
// difference.
//
// The golden hashes are renewed where bits change on purpose (SQT_NUMERICS_VERSION then goes up), where a stage is
// added or the character changes:
//     build/tests/same_bits --golden >tests/same_bits_golden.h
#include "same_bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "character.h"
#include "same_bits_golden.h"

#if defined(__SSE__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

enum { MOST_STAGES = 64 };

// ---- Hashes

static uint32_t canonical(uint32_t word, uint64_t *nan_count) {
    if ((word & 0x7FFFFFFFu) <= 0x7F800000u) return word;
    ++*nan_count;
    return 0x7FC00000u;
}

void digest_floats(digest *to, const void *floats, size_t bytes) {
    const char *const from = floats;
    uint64_t hash = to->hash, nan_count = 0;
    for (size_t i = 0; i < bytes / sizeof(uint32_t); ++i) {
        uint32_t word;
        memcpy(&word, from + i * sizeof word, sizeof word);
        word = canonical(word, &nan_count);
        hash = (hash ^ word) * 0x100000001B3u;
        hash ^= hash >> 32; // or the sign of a number would reach the upper half alone
        if (to->dump) fwrite(&word, sizeof word, 1, to->dump);
    }
    to->hash = hash;
    to->bytes += bytes;
    to->nan_count += nan_count;
}

void digest_expect(digest *to, sqt_result result) { to->failure_count += result != SQT_OK; }

static digest run_stage(const same_bits_stage *stage, const same_bits_input *in, FILE *dump) {
    digest d = {.hash = 0xCBF29CE484222325u, .dump = dump};
    stage->run(&d, in);
    return d;
}

static uint32_t stage_count(void) {
    uint32_t count = 0;
    while (same_bits_stages[count].name) ++count;
    return count < MOST_STAGES ? count : MOST_STAGES;
}

static const same_bits_stage *find_stage(const char *name) {
    for (const same_bits_stage *stage = same_bits_stages; stage->name; ++stage) {
        if (strcmp(stage->name, name) == 0) return stage;
    }
    return NULL;
}

// ---- Denormals

/// Sets whether denormals count as zero, as input and as result. False where this machine has no such mode.
static bool set_flush(bool flush) {
#if defined(__SSE__) || defined(_M_X64)
    const unsigned both = 0x8040u;
    _mm_setcsr(flush ? _mm_getcsr() | both : _mm_getcsr() & ~both);
    return true;
#elif defined(__aarch64__)
    uint64_t control;
    const uint64_t fz = (uint64_t)1 << 24;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    control = flush ? control | fz : control & ~fz;
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
    return true;
#else
    return !flush;
#endif
}

/// Whether the mode does what its name says: half of the smallest normal number.
static bool denormals_vanish(void) {
    volatile float smallest = 1.17549435e-38f, half = 0.5f;
    const volatile float product = smallest * half;
    uint32_t bits;
    memcpy(&bits, (const void *)&product, sizeof bits);
    return bits == 0;
}

// ---- One asset through every stage

static bool make_asset(asset *a, const char *path) { return path ? same_bits_read(a, path) : character_make(a); }

typedef struct comparison {
    digest reference[MOST_STAGES];
    bool known[MOST_STAGES];
    uint32_t difference_count;
} comparison;

static void complain(comparison *c, const char *file, uint32_t stage, uint32_t isa, bool flush, const char *what) {
    ++c->difference_count;
    fprintf(stderr, "same_bits: %s, %s, %s%s: %s\n", file, same_bits_stages[stage].name, sqt_isa_name(isa),
            flush ? ", flush-to-zero" : "", what);
}

static void compare_stage(comparison *c, const same_bits_input *in, uint32_t stage, uint32_t isa, bool flush) {
    const digest got = run_stage(same_bits_stages + stage, in, NULL);
    const char *const file = in->a->file;
    if (got.failure_count) complain(c, file, stage, isa, flush, "calls failed");
    if (got.nan_count && !same_bits_stages[stage].extreme) complain(c, file, stage, isa, flush, "NaN");
    if (!c->known[stage]) {
        c->reference[stage] = got;
        c->known[stage] = true;
    } else if (got.hash != c->reference[stage].hash || got.bytes != c->reference[stage].bytes) {
        complain(c, file, stage, isa, flush, "other bits than those of the first set, scalar with denormals");
    }
}

/// Every stage with every set. The asset itself is made anew, so that making it is tested as well.
static bool compare_asset(comparison *c, const char *path, bool flush) {
    asset a;
    same_bits_input in;
    if (!make_asset(&a, path)) return false;
    same_bits_prepare(&in, &a);
    for (uint32_t stage = 0; stage < stage_count(); ++stage) {
        for (uint32_t isa = SQT_ISA_SCALAR; isa < SQT_ISA_COUNT; ++isa) {
            const bool run = sqt_isa_available(isa) && sqt_isa_cap(isa) == isa;
            if (run && !(flush && same_bits_stages[stage].extreme)) compare_stage(c, &in, stage, isa, flush);
        }
    }
    asset_free(&a);
    return true;
}

static bool compare_modes(comparison *c, const char *path) {
    memset(c, 0, sizeof *c);
    if (!compare_asset(c, path, false)) return false;
    if (!set_flush(true)) return true;
    const bool vanish = denormals_vanish(), compared = compare_asset(c, path, true);
    set_flush(false);
    if (!vanish) fputs("same_bits: denormals do not vanish in the mode that should do it\n", stderr);
    return compared && vanish;
}

static void print_sets(void) {
    fputs("sets:", stderr);
    for (uint32_t isa = SQT_ISA_SCALAR; isa < SQT_ISA_COUNT; ++isa) {
        if (sqt_isa_available(isa)) fprintf(stderr, " %s", sqt_isa_name(isa));
    }
    const bool both = set_flush(true);
    set_flush(false);
    fputs(both ? "; with denormals and without\n" : "; with denormals\n", stderr);
}

static void print_stages(const comparison *c, const char *file) {
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < stage_count(); ++s) {
        bytes += c->reference[s].bytes;
        printf("%-24s %-18s %9" PRIu64 " bytes  %016" PRIx64 "\n", file, same_bits_stages[s].name,
               c->reference[s].bytes, c->reference[s].hash);
    }
    printf("%-24s %-18s %9" PRIu64 " bytes\n", file, "all", bytes);
}

static const char *short_name(const char *path) {
    const char *const slash = path ? strrchr(path, '/') : NULL;
    return !path ? "character" : slash ? slash + 1 : path;
}

// ---- The hashes of the character

static bool golden_is(const char *stage, const digest *d) {
    for (size_t i = 0; i < sizeof same_bits_golden / sizeof *same_bits_golden; ++i) {
        if (strcmp(same_bits_golden[i].stage, stage) != 0) continue;
        return same_bits_golden[i].bytes == d->bytes && same_bits_golden[i].hash == d->hash;
    }
    return false;
}

static void compare_golden(comparison *c) {
    if (SAME_BITS_NUMERICS_VERSION != SQT_NUMERICS_VERSION) {
        ++c->difference_count;
        fputs("same_bits: the golden hashes are of another SQT_NUMERICS_VERSION\n", stderr);
    }
    for (uint32_t s = 0; s < stage_count(); ++s) {
        if (golden_is(same_bits_stages[s].name, &c->reference[s])) continue;
        complain(c, "character", s, SQT_ISA_SCALAR, false, "other bits than the golden hash");
    }
}

static int run_asset(const char *path) {
    comparison c;
    if (!compare_modes(&c, path)) return 1;
    if (!path) compare_golden(&c);
    print_stages(&c, short_name(path));
    return c.difference_count ? 1 : 0;
}

static int print_golden(void) {
    comparison c;
    if (!compare_modes(&c, NULL) || c.difference_count) return 1;
    printf("// Written by: same_bits --golden >tests/same_bits_golden.h\n"
           "#ifndef SAME_BITS_GOLDEN_H\n#define SAME_BITS_GOLDEN_H\n\n#include <stdint.h>\n\n"
           "enum { SAME_BITS_NUMERICS_VERSION = %d };\n\n"
           "static const struct {\n    const char *stage;\n    uint64_t bytes, hash;\n} same_bits_golden[] = {\n",
           SQT_NUMERICS_VERSION);
    for (uint32_t s = 0; s < stage_count(); ++s) {
        printf("    {\"%s\", %" PRIu64 "u, 0x%016" PRIX64 "u},\n", same_bits_stages[s].name, c.reference[s].bytes,
               c.reference[s].hash);
    }
    puts("};\n\n#endif");
    return 0;
}

// ---- The smallest change of every kind of input

/// Finds the number `wanted` among those large enough to count, neither lost beside larger ones nor large itself.
typedef struct picker {
    uint64_t wanted, count;
    float *found;
} picker;

static void pick(picker *p, const float *values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const float magnitude = values[i] < 0.0f ? -values[i] : values[i];
        if (magnitude < 0.0625f || magnitude > 64.0f) continue;
        if (p->count++ == p->wanted) p->found = (float *)(values + i); // made writable by who made the input
    }
}

static void pick_components(picker *p, const sqt_pose_block *pose, uint32_t joint_count, uint32_t first,
                            uint32_t last) {
    for (uint32_t j = 0; j < joint_count; j += SQT_POSE_LANES) {
        const uint32_t lanes = joint_count - j < SQT_POSE_LANES ? joint_count - j : SQT_POSE_LANES;
        const sqt_pose_block *const b = pose + j / SQT_POSE_LANES;
        const float *const components[] = {b->rx, b->ry, b->rz, b->rw, b->tx, b->ty, b->tz, b->sx, b->sy, b->sz};
        for (uint32_t k = first; k <= last; ++k) pick(p, components[k], lanes);
    }
}

static void pick_samples(picker *p, const same_bits_input *in, uint32_t first, uint32_t last) {
    for (uint32_t c = 0; c < in->a->clip_count; ++c) {
        for (uint32_t i = 0; i < in->baked[c].sample_count; ++i) {
            const sqt_pose_block *const sample = in->baked[c].samples + (size_t)i * in->block_count;
            pick_components(p, sample, in->a->skeleton.joint_count, first, last);
        }
    }
}

static void pick_rotations(picker *p, const same_bits_input *in) { pick_samples(p, in, 0, 3); }
static void pick_translations(picker *p, const same_bits_input *in) { pick_samples(p, in, 4, 6); }
static void pick_scales(picker *p, const same_bits_input *in) { pick_samples(p, in, 7, 9); }

/// What stands still or is an offset; the samples are integers.
static void pick_uniform(picker *p, const same_bits_input *in) {
    for (uint32_t c = 0; c < in->a->clip_count; ++c) {
        pick(p, in->uniform[c].block_values, in->uniform[c].block_value_count);
    }
}

static void pick_keys(picker *p, const same_bits_input *in, bool times) {
    for (uint32_t c = 0; c < in->a->clip_count; ++c) {
        const sqt_channel_clip *const clip = in->reread[SAME_BITS_AS_STORED] + c;
        for (uint32_t i = 0; i < clip->channel_count; ++i) {
            const sqt_curve *const curve = &clip->channels[i].curve;
            const size_t values = curve->interpolation == SQT_CUBIC ? 3u : 1u;
            if (times)
                pick(p, curve->times, curve->key_count);
            else
                pick(p, curve->values, values * curve->key_count * curve->component_count);
        }
    }
}

static void pick_key_times(picker *p, const same_bits_input *in) { pick_keys(p, in, true); }
static void pick_key_values(picker *p, const same_bits_input *in) { pick_keys(p, in, false); }

static void pick_rest(picker *p, const same_bits_input *in) {
    pick_components(p, in->a->skeleton.rest, in->a->skeleton.joint_count, 0, 9);
}

static void pick_poses(picker *p, const same_bits_input *in) {
    for (uint32_t f = 0; f < in->pose_count; ++f) {
        pick_components(p, in->poses + (size_t)f * in->block_count, in->a->skeleton.joint_count, 0, 9);
    }
}

static void pick_mask(picker *p, const same_bits_input *in) { pick(p, in->mask, in->a->skeleton.joint_count); }

static void pick_matrices(picker *p, const sqt_mat4 *matrices, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        for (uint32_t column = 0; column < 4; ++column) pick(p, matrices[i].m + 4 * column, 3);
    }
}

static void pick_globals(picker *p, const same_bits_input *in) {
    pick_matrices(p, in->globals, (size_t)in->pose_count * in->a->skeleton.joint_count);
}

static void pick_inverse_bind(picker *p, const same_bits_input *in) {
    for (uint32_t s = 0; s < in->a->skin_count; ++s) {
        pick_matrices(p, in->a->skins[s].skin.inverse_bind, in->a->skins[s].skin.joint_count);
    }
}

static void pick_palettes(picker *p, const same_bits_input *in) {
    pick_matrices(p, in->palettes, (size_t)in->skinned_count * in->palette_count);
}

/// The character's attributes are floats without gaps.
static void pick_positions(picker *p, const same_bits_input *in) {
    const sqt_mesh *const mesh = &in->a->prims[0].geometry;
    pick(p, mesh->positions.data, 3 * (size_t)mesh->vertex_count);
}

static void pick_normals(picker *p, const same_bits_input *in) {
    const sqt_mesh *const mesh = &in->a->prims[0].geometry;
    pick(p, mesh->normals.data, 3 * (size_t)mesh->vertex_count);
}

static void pick_tangents(picker *p, const same_bits_input *in) {
    const sqt_mesh *const mesh = &in->a->prims[0].geometry;
    pick(p, mesh->tangents.data, 4 * (size_t)mesh->vertex_count);
}

static void pick_weights(picker *p, const same_bits_input *in) {
    const sqt_mesh *const mesh = &in->a->prims[0].geometry;
    pick(p, mesh->weights.data, (size_t)mesh->influence_count * mesh->vertex_count);
}

static void pick_grouped_weights(picker *p, const same_bits_input *in) {
    pick(p, in->grouped[0].groups.weights, in->grouped[0].groups.weight_count);
}

typedef struct input_class {
    const char *name;
    void (*pick)(picker *p, const same_bits_input *in);
    const char *stages[3]; ///< that read it, each of which has to see the change
} input_class;

static const input_class input_classes[] = {
    {"sample rotations", pick_rotations, {"sample_nlerp", "sample_slerp", "sample_pair"}},
    {"sample translations", pick_translations, {"sample_nlerp", "sample_slerp", "sample_pair"}},
    {"sample scales", pick_scales, {"sample_nlerp", "sample_slerp", "sample_pair"}},
    {"values of 16 bits", pick_uniform, {"uniform_nlerp", "uniform_slerp"}},
    {"key times", pick_key_times, {"channels", "inputs"}},
    {"key values", pick_key_values, {"channels", "inputs"}},
    {"rest pose", pick_rest, {"inverse_bind", "inputs"}},
    {"local poses", pick_poses, {"blend_nlerp", "blend_slerp", "global"}},
    {"local poses", pick_poses, {"blend_masked", "global_transforms"}},
    {"local poses", pick_poses, {"blend_many", "blend_many_masked", "global_many"}},
    {"local poses", pick_poses, {"difference", "add"}},
    {"masks", pick_mask, {"blend_masked", "blend_many_masked", "add"}},
    {"global matrices", pick_globals, {"palette", "palette_3x4"}},
    {"inverse bind matrices", pick_inverse_bind, {"palette", "palette_3x4", "inputs"}},
    {"inverse bind matrices", pick_inverse_bind, {"global_many"}},
    {"skin matrices", pick_palettes, {"skin_positions"}},
    {"weights", pick_weights, {"skin_positions", "skin_raw"}},
    {"weights of groups", pick_grouped_weights, {"skin_grouped"}},
    {"positions", pick_positions, {"skin_positions", "inputs"}},
    {"normals", pick_normals, {"skin_cofactor", "skin_plain", "skin_raw"}},
    {"tangents", pick_tangents, {"skin_tangents", "skin_raw"}},
};

static float one_ulp_up(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    ++bits; // away from zero
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool sees(const same_bits_stage *stage, const same_bits_input *in, float *number, uint64_t before) {
    const float kept = *number;
    *number = one_ulp_up(kept);
    const uint64_t changed = run_stage(stage, in, NULL).hash;
    *number = kept;
    return changed != before;
}

/// Numbers spread over a class, and how many have to show. Not all: the rounding that follows can swallow a last bit, a
/// tangent's more often than others'. A class that is left out shows nowhere.
enum { PLACES = 24, PLACES_TO_SEE = 8 };

static bool stage_sees(const input_class *of, const char *name, const same_bits_input *in) {
    const same_bits_stage *const stage = find_stage(name);
    if (!stage) return false;
    picker all = {UINT64_MAX, 0, NULL};
    of->pick(&all, in);
    const uint64_t before = run_stage(stage, in, NULL).hash;
    uint32_t seen = 0;
    for (uint64_t i = 0; i < PLACES && all.count > 0; ++i) {
        picker one = {all.count * (2 * i + 1) / (2 * PLACES), 0, NULL};
        of->pick(&one, in);
        seen += one.found && sees(stage, in, one.found, before);
    }
    const bool restored = run_stage(stage, in, NULL).hash == before;
    printf("%-22s %-18s seen at %u of %u places\n", of->name, name, (unsigned)seen, (unsigned)PLACES);
    return restored && seen >= PLACES_TO_SEE;
}

static int run_ulp(void) {
    asset a;
    same_bits_input in;
    if (!character_make(&a)) return 1;
    same_bits_prepare(&in, &a);
    sqt_isa_cap(SQT_ISA_BEST);
    uint32_t missed = 0;
    for (size_t c = 0; c < sizeof input_classes / sizeof *input_classes; ++c) {
        for (uint32_t s = 0; s < 3 && input_classes[c].stages[s]; ++s) {
            if (stage_sees(input_classes + c, input_classes[c].stages[s], &in)) continue;
            ++missed;
            fprintf(stderr, "same_bits: %s: %s misses a change of one ulp\n", input_classes[c].name,
                    input_classes[c].stages[s]);
        }
    }
    asset_free(&a);
    return missed ? 1 : 0;
}

// ---- What a stage hashes, as it is

static int dump_stage(const char *name, const char *set, const char *path, bool flush) {
    asset a;
    same_bits_input in;
    const same_bits_stage *const stage = find_stage(name);
    uint32_t isa = SQT_ISA_SCALAR;
    while (isa < SQT_ISA_COUNT && strcmp(sqt_isa_name(isa), set) != 0) ++isa;
    if (!stage || !sqt_isa_available(isa)) {
        fprintf(stderr, "same_bits: no stage %s, or no set %s\n", name, set);
        return 2;
    }
    if (!set_flush(flush) || !make_asset(&a, path)) return 1;
    same_bits_prepare(&in, &a);
    sqt_isa_cap(isa);
    run_stage(stage, &in, stdout);
    set_flush(false);
    asset_free(&a);
    return 0;
}

int main(int argc, char **argv) {
    const char *const mode = argc > 1 ? argv[1] : "";
    if (argc == 2 && strcmp(mode, "--golden") == 0) return print_golden();
    if (argc == 2 && strcmp(mode, "--ulp") == 0) return run_ulp();
    const bool flush = strcmp(mode, "--dump-flushed") == 0;
    if ((argc == 4 || argc == 5) && (flush || strcmp(mode, "--dump") == 0)) {
        return dump_stage(argv[2], argv[3], argc == 5 ? argv[4] : NULL, flush);
    }
    if (mode[0] == '-') {
        fputs(
            "usage: same_bits [--ulp | --golden | --dump STAGE SET [RAW] | --dump-flushed STAGE SET [RAW] | RAW...]\n",
            stderr);
        return 2;
    }
    print_sets();
    if (argc == 1) return run_asset(NULL);
    int status = 0;
    for (int i = 1; i < argc; ++i) status |= run_asset(argv[i]);
    return status;
}
