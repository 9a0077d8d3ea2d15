// Results, hashing, snapping and the choice of instruction set: published FNV-1a vectors, hand-made floats, and what
// the kernel of the operating system says about the processor.
#include "check.h"

#include "../src/simd/kernels.h"

/// What sqt_isa_cap(SQT_ISA_BEST) must come to here: the families never mix, so the last set that is there is the best.
static uint32_t best_available(void) {
    uint32_t best = SQT_ISA_SCALAR;
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) {
        if (sqt_isa_available(isa)) best = isa;
    }
    return best;
}

static bool is_x86_set(uint32_t isa) { return isa == SQT_ISA_SSE || isa == SQT_ISA_AVX2 || isa == SQT_ISA_AVX512; }

// The first test of the group: no cap has been set yet.
static void without_any_cap_the_best_available_set_runs(void **state) {
    (void)state;
    assert_int_equal(sqt_isa_current(), best_available());
    assert_ptr_equal(sqt_kernels_current(), sqt_kernels_of(best_available()));
}

static int lift_cap(void **state) {
    (void)state;
    (void)sqt_isa_cap(SQT_ISA_BEST);
    return 0;
}

static void values_of_results_flags_and_sets_are_pinned(void **state) {
    (void)state;
    assert_int_equal(SQT_OK, 0);
    assert_int_equal(SQT_ERROR_NULL, 1);
    assert_int_equal(SQT_ERROR_COUNT, 2);
    assert_int_equal(SQT_ERROR_NUMBER, 3);
    assert_int_equal(SQT_ERROR_ORDER, 4);
    assert_int_equal(SQT_ERROR_RIG, 5);
    assert_int_equal(SQT_ERROR_SPACE, 6);
    assert_int_equal(SQT_ERROR_FLAG, 7);
    assert_int_equal(SQT_ERROR_NOT_FOUND, 8);
    assert_int_equal(SQT_NLERP, 0);
    assert_int_equal(SQT_SLERP, 1);
    assert_int_equal(SQT_PLAIN_NORMALS, 4);
    assert_int_equal(SQT_RAW_NORMALS, 16);
    assert_int_equal(SQT_ISA_SCALAR, 0);
    assert_int_equal(SQT_ISA_SSE, 1);
    assert_int_equal(SQT_ISA_AVX2, 2);
    assert_int_equal(SQT_ISA_AVX512, 3);
    assert_int_equal(SQT_ISA_NEON, 4);
    assert_int_equal(SQT_ISA_WASM, 5);
    assert_int_equal(SQT_ISA_COUNT, 6);
    assert_int_equal(SQT_ISA_BEST, 0xFF);
    assert_int_equal(SQT_MAX_JOINTS, 65535);
    assert_int_equal(SQT_NO_JOINT, 65535);
}

static void every_result_has_a_string_of_its_own(void **state) {
    (void)state;
    const char *strings[SQT_ERROR_NOT_FOUND + 2];
    const int count = SQT_ERROR_NOT_FOUND + 2; // the last is a value that is no result
    for (int i = 0; i < count; ++i) {
        strings[i] = sqt_result_string((sqt_result)i);
        assert_non_null(strings[i]);
        assert_true(strlen(strings[i]) > 0);
        for (int k = 0; k < i; ++k) assert_string_not_equal(strings[i], strings[k]);
    }
    assert_string_equal(strings[SQT_ERROR_NULL], "null pointer");
    assert_string_equal(strings[SQT_ERROR_NOT_FOUND + 1], "unknown result");
    assert_string_equal(sqt_result_string((sqt_result)1000), "unknown result");
    assert_string_equal(sqt_result_string((sqt_result)0x7FFFFFFF), "unknown result");
}

// The published test vectors of FNV-1a, 32 bits (Noll's test suite; RFC 9923). The last two are worked out by hand:
// bytes above 127 count as 128..255.
static void hash_gives_the_published_vectors(void **state) {
    (void)state;
    assert_int_equal(sqt_hash(""), 0x811C9DC5u);
    assert_int_equal(sqt_hash(NULL), 0x811C9DC5u);
    assert_int_equal(sqt_hash("a"), 0xE40C292Cu);
    assert_int_equal(sqt_hash("b"), 0xE70C2DE5u);
    assert_int_equal(sqt_hash("c"), 0xE60C2C52u);
    assert_int_equal(sqt_hash("foo"), 0xA9F37ED7u);
    assert_int_equal(sqt_hash("fooba"), 0x39AAA18Au);
    assert_int_equal(sqt_hash("foobar"), 0xBF9CF968u);
    assert_int_equal(sqt_hash("chongo was here!\n"), 0xD49930D5u);
    assert_int_equal(sqt_hash("\xFF"), 0x7A0B824Eu);
    assert_int_equal(sqt_hash("\xC3\xA9"), 0x1E9DE8C1u);
}

static void hash_ends_at_the_terminator(void **state) {
    (void)state;
    const char name[] = "foo\0bar";
    assert_int_equal(sqt_hash(name), 0xA9F37ED7u);
}

static float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void snap_zeroes_what_is_below_the_threshold_and_keeps_the_rest(void **state) {
    (void)state;
    const uint32_t threshold = bits_of_float(1e-30f), negative = 0x80000000u;
    const struct {
        uint32_t before, after;
    } cases[] = {
        {0x80000000u, 0},                             // -0
        {0x00000001u, 0},                             // the smallest denormal
        {0x80000001u, 0},                             //
        {0x007FFFFFu, 0},                             // the largest denormal
        {0x807FFFFFu, 0},                             //
        {0x00800000u, 0},                             // the smallest normal number
        {threshold - 1, 0},                           //
        {(threshold - 1) | negative, 0},              //
        {threshold, threshold},                       // not below: kept
        {threshold | negative, threshold | negative}, //
        {threshold + 1, threshold + 1},               //
        {0x00000000u, 0},                             // +0
        {0x3F800000u, 0x3F800000u},                   // 1
        {0xC2F6E979u, 0xC2F6E979u},                   // -123.456
        {0x7F7FFFFFu, 0x7F7FFFFFu},                   // FLT_MAX
        {0x7F800000u, 0x7F800000u},                   // infinity
        {0xFF800000u, 0xFF800000u},                   // -infinity
        {0x7FC00000u, 0x7FC00000u},                   // NaN
    };
    enum { COUNT = sizeof cases / sizeof cases[0] };
    float values[COUNT + 1];
    for (size_t i = 0; i < COUNT; ++i) values[i] = float_of_bits(cases[i].before);
    values[COUNT] = 1e-40f; // behind the end
    sqt_snap(values, COUNT);
    for (size_t i = 0; i < COUNT; ++i) {
        if (bits_of_float(values[i]) != cases[i].after) {
            print_error("%#x became %#x\n", (unsigned)cases[i].before, (unsigned)bits_of_float(values[i]));
            fail();
        }
    }
    assert_int_equal(bits_of_float(values[COUNT]), bits_of_float(1e-40f));
}

static void snap_of_nothing_touches_nothing(void **state) {
    (void)state;
    float value = 1e-40f;
    const uint32_t before = bits_of_float(value);
    sqt_snap(&value, 0);
    assert_int_equal(bits_of_float(value), before);
    sqt_snap(NULL, 0);
    sqt_snap(NULL, 7);
}

static void sets_have_their_names(void **state) {
    (void)state;
    static const char *const names[SQT_ISA_COUNT] = {"scalar", "sse", "avx2", "avx512", "neon", "wasm"};
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) assert_string_equal(sqt_isa_name(isa), names[isa]);
    assert_string_equal(sqt_isa_name(SQT_ISA_COUNT), "unknown");
    assert_string_equal(sqt_isa_name(SQT_ISA_BEST), "unknown");
    assert_string_equal(sqt_isa_name(UINT32_MAX), "unknown");
}

static void scalar_is_always_available_and_unknown_sets_never(void **state) {
    (void)state;
    assert_true(sqt_isa_available(SQT_ISA_SCALAR));
    assert_false(sqt_isa_available(SQT_ISA_COUNT));
    assert_false(sqt_isa_available(SQT_ISA_BEST));
    assert_false(sqt_isa_available(UINT32_MAX));
}

static void sets_of_two_families_are_never_available_together(void **state) {
    (void)state;
    const bool x86 = sqt_isa_available(SQT_ISA_SSE) || sqt_isa_available(SQT_ISA_AVX2);
    const bool neon = sqt_isa_available(SQT_ISA_NEON), wasm = sqt_isa_available(SQT_ISA_WASM);
    assert_true((int)x86 + (int)neon + (int)wasm <= 1);
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__i386__))

/// Whether the word stands in the text between blanks.
static bool has_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\n' || at[length] == '\0'))
            return true;
    }
    return false;
}

// Linux lists a flag only where it also saves the registers.
static void availability_agrees_with_the_flags_of_the_operating_system(void **state) {
    (void)state;
    FILE *const file = fopen("/proc/cpuinfo", "r");
    assert_non_null(file);
    char line[8192] = "";
    bool found = false;
    while (!found && fgets(line, sizeof line, file)) found = strncmp(line, "flags", 5) == 0;
    fclose(file);
    assert_true(found);
    const bool avx512 = has_word(line, "avx512f") && has_word(line, "avx512bw") && has_word(line, "avx512dq") &&
                        has_word(line, "avx512vl") && has_word(line, "avx2");
    assert_int_equal(sqt_isa_available(SQT_ISA_SSE), has_word(line, "sse2"));
    assert_int_equal(sqt_isa_available(SQT_ISA_AVX2), has_word(line, "avx2"));
    assert_int_equal(sqt_isa_available(SQT_ISA_AVX512), avx512);
    assert_false(sqt_isa_available(SQT_ISA_NEON));
    assert_false(sqt_isa_available(SQT_ISA_WASM));
}

#endif

static void cap_lowers_to_each_available_set(void **state) {
    (void)state;
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) {
        if (!sqt_isa_available(isa)) continue;
        assert_int_equal(sqt_isa_cap(isa), isa);
        assert_int_equal(sqt_isa_current(), isa);
        assert_int_equal(sqt_isa_current(), isa); // asking again changes nothing
        assert_ptr_equal(sqt_kernels_current(), sqt_kernels_of(isa));
    }
}

// Within x86 a cap at a set that this CPU lacks leaves the next one below.
static void cap_at_a_missing_set_uses_the_best_of_the_family_below_it(void **state) {
    (void)state;
    uint32_t best = SQT_ISA_SCALAR;
    for (uint32_t isa = SQT_ISA_SCALAR; isa <= SQT_ISA_AVX512; ++isa) {
        if (sqt_isa_available(isa)) best = isa;
        assert_int_equal(sqt_isa_cap(isa), best);
        assert_int_equal(sqt_isa_current(), best);
    }
}

static void cap_at_a_set_of_another_architecture_leaves_scalar(void **state) {
    (void)state;
    for (uint32_t isa = SQT_ISA_SSE; isa < SQT_ISA_COUNT; ++isa) {
        const bool same_family = is_x86_set(isa) ? sqt_isa_available(SQT_ISA_SSE) : sqt_isa_available(isa);
        if (same_family) continue;
        assert_int_equal(sqt_isa_cap(SQT_ISA_BEST), best_available());
        assert_int_equal(sqt_isa_cap(isa), SQT_ISA_SCALAR);
        assert_int_equal(sqt_isa_current(), SQT_ISA_SCALAR);
    }
}

static void cap_at_no_set_at_all_leaves_scalar(void **state) {
    (void)state;
    const uint32_t values[] = {SQT_ISA_COUNT, 0xFE, 0x100, UINT32_MAX};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        (void)sqt_isa_cap(SQT_ISA_BEST);
        assert_int_equal(sqt_isa_cap(values[i]), SQT_ISA_SCALAR);
    }
}

static void best_lifts_the_cap(void **state) {
    (void)state;
    assert_int_equal(sqt_isa_cap(SQT_ISA_SCALAR), SQT_ISA_SCALAR);
    assert_int_equal(sqt_isa_cap(SQT_ISA_BEST), best_available());
    assert_int_equal(sqt_isa_current(), best_available());
}

static void a_cap_does_not_change_what_is_available(void **state) {
    (void)state;
    bool before[SQT_ISA_COUNT];
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) before[isa] = sqt_isa_available(isa);
    (void)sqt_isa_cap(SQT_ISA_SCALAR);
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) assert_int_equal(sqt_isa_available(isa), before[isa]);
}

static void every_available_set_gives_a_whole_table_of_its_own(void **state) {
    (void)state;
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) {
        const sqt_kernels *const kernels = sqt_kernels_of(isa);
        assert_int_equal(kernels != NULL, sqt_isa_available(isa));
        if (!kernels) continue;
        print_message("%s\n", sqt_isa_name(isa));
        assert_true(kernels->blend != NULL);
        assert_true(kernels->global != NULL);
        assert_true(kernels->palette != NULL);
        assert_true(kernels->palette_3x4 != NULL);
        assert_true(kernels->skin != NULL);
        for (uint32_t below = 0; below < isa; ++below) assert_ptr_not_equal(kernels, sqt_kernels_of(below));
    }
    assert_null(sqt_kernels_of(SQT_ISA_COUNT));
    assert_null(sqt_kernels_of(SQT_ISA_BEST));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_any_cap_the_best_available_set_runs),
        cmocka_unit_test(values_of_results_flags_and_sets_are_pinned),
        cmocka_unit_test(every_result_has_a_string_of_its_own),
        cmocka_unit_test(hash_gives_the_published_vectors),
        cmocka_unit_test(hash_ends_at_the_terminator),
        cmocka_unit_test(snap_zeroes_what_is_below_the_threshold_and_keeps_the_rest),
        cmocka_unit_test(snap_of_nothing_touches_nothing),
        cmocka_unit_test(sets_have_their_names),
        cmocka_unit_test(scalar_is_always_available_and_unknown_sets_never),
        cmocka_unit_test(sets_of_two_families_are_never_available_together),
#if defined(__linux__) && (defined(__x86_64__) || defined(__i386__))
        cmocka_unit_test(availability_agrees_with_the_flags_of_the_operating_system),
#endif
        cmocka_unit_test_teardown(cap_lowers_to_each_available_set, lift_cap),
        cmocka_unit_test_teardown(cap_at_a_missing_set_uses_the_best_of_the_family_below_it, lift_cap),
        cmocka_unit_test_teardown(cap_at_a_set_of_another_architecture_leaves_scalar, lift_cap),
        cmocka_unit_test_teardown(cap_at_no_set_at_all_leaves_scalar, lift_cap),
        cmocka_unit_test_teardown(best_lifts_the_cap, lift_cap),
        cmocka_unit_test_teardown(a_cap_does_not_change_what_is_available, lift_cap),
        cmocka_unit_test(every_available_set_gives_a_whole_table_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
