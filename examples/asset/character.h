// The embedded character: a humanoid that is made wholly in code, so that every program here has something to move
// without a file. It is also the example of authoring for sqt: character.c is the rig and puts the asset together,
// character_mesh.c makes the skinned mesh, character_motion.c the clips.
//
// Metres, +Y up, facing +Z, 1.75 m tall; 29 joints; one mesh on one skin; clips "idle", "walk", "run", "turn", "wave"
// and the additive "lean". All its mathematics is sqt's, so that every machine makes the same bits.
#ifndef CHARACTER_H
#define CHARACTER_H

#include "asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Makes the character. False where memory runs out; the asset is then empty. Free it with asset_free.
bool character_make(asset *a);

enum { CHARACTER_FLESH_COUNT = 36 };

/// The shape of the body as a solid: tapered capsules of the bind pose that melt into one another. The mesh is its
/// surface, and its colours are known at every point of it, not only at vertices.
typedef struct character_body {
    struct character_flesh {
        sqt_vec3 start, along;       ///< from `start`, by `along`; metres in model space
        sqt_vec3 side, front;        ///< unit: directions in which the section is wider
        float side_keep, front_keep; ///< 1 / how much wider
        float start_radius, end_radius;
        float inverse_square; ///< 1 / |along|^2; 0 for a ball
        float melt;           ///< metres over which it melts into the rest
        uint8_t limb, colour;
    } flesh[CHARACTER_FLESH_COUNT];
} character_body;

void character_body_make(character_body *body);

/// Colour of the surface nearest to a point of the bind pose: red, green, blue, linear light, 0..1.
sqt_vec3 character_colour(const character_body *body, sqt_vec3 bind_position);

#ifdef __cplusplus
}
#endif

#endif
