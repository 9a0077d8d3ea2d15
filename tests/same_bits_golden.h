// Written by: same_bits --golden >tests/same_bits_golden.h
#ifndef SAME_BITS_GOLDEN_H
#define SAME_BITS_GOLDEN_H

#include <stdint.h>

enum { SAME_BITS_NUMERICS_VERSION = 1 };

static const struct {
    const char *stage;
    uint64_t bytes, hash;
} same_bits_golden[] = {
    {"inputs", 524148u, 0x27436D8400ABD1EDu},
    {"functions", 2409088u, 0x2AAC5B8C38D1A82Du},
    {"channels", 1208320u, 0x27A9BB35FD6ED658u},
    {"channels_step", 302080u, 0xCD2A0EDE4FC4F1A9u},
    {"channels_linear", 1208320u, 0x4F0804740724F942u},
    {"channels_cubic", 1208320u, 0x3B0D8DBCFD315BC9u},
    {"channels_euler", 604160u, 0x188942FE1BCC2C19u},
    {"bake", 546560u, 0xA94FC56B4AD752EBu},
    {"sample_nlerp", 1208320u, 0x1906D63F7432926Bu},
    {"sample_slerp", 1208320u, 0x7E7F5C227836834Au},
    {"sample_listed", 2416640u, 0xAC9C76CC30B71BB9u},
    {"sample_pair", 1208320u, 0x10FDC237B35D7167u},
    {"uniform_nlerp", 1208320u, 0xF7592AB9D07D3404u},
    {"uniform_slerp", 1208320u, 0x457392354229A829u},
    {"uniform_listed", 2416640u, 0x8EDDA9EA390A2FC8u},
    {"blend_nlerp", 1208320u, 0x3C600D0F401A11AAu},
    {"blend_slerp", 1208320u, 0xAD21835EF435F6FAu},
    {"blend_masked", 2416640u, 0x19673CD44F843217u},
    {"blend_many", 1208320u, 0x1A8CFEF533F1F7F9u},
    {"blend_many_masked", 1208320u, 0xF137A1BAFEBBE0E5u},
    {"difference", 1208320u, 0xB668804BDB60BD58u},
    {"add", 1208320u, 0xAF5BB07584CAEF36u},
    {"layers", 2416640u, 0x6E1D3F7B56A1C85Au},
    {"inertial", 2899968u, 0x48B814C50889E0A5u},
    {"fades", 9668u, 0x4D714F82449BACB2u},
    {"weights", 392000u, 0xDB9A36CCA7395DEFu},
    {"motion", 168000u, 0xF67C01D23D255FCAu},
    {"global", 1752064u, 0xD8A10D73CAE9C5AFu},
    {"global_transforms", 2847104u, 0x205E0FDD2573D828u},
    {"local_from_global", 604160u, 0xB03307BE0D463ED2u},
    {"inverse_bind", 111360u, 0x93A3794F039305B0u},
    {"palette", 1752064u, 0x96AAD1C5FA8058EFu},
    {"palette_3x4", 1314048u, 0x44A93A4441C56C62u},
    {"global_many", 4823280u, 0x308ECCC4179EA997u},
    {"skin_positions", 1803456u, 0xF7A75A3681AABDE7u},
    {"skin_cofactor", 1803456u, 0xE9D2951A57D74AD1u},
    {"skin_plain", 901728u, 0x1A6E244E41ADA663u},
    {"skin_tangents", 2855472u, 0x998CA22AF86482FBu},
    {"skin_raw", 1502880u, 0x0B956D2621F2E1D5u},
    {"skin_grouped", 2404608u, 0x3C53F16842607287u},
    {"extreme_blend", 163840u, 0x7676E07CC35B63CBu},
    {"extreme_global", 48256u, 0x0DFD70BFCE0E4DC2u},
    {"extreme_skin", 3005760u, 0x2B5CE8ECA838BF70u},
};

#endif
