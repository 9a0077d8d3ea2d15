// Writes a glTF file's skeleton, clips, skins and meshes as raw numbers for same_bits: same_bits_import IN.gltf OUT.raw
#include "same_bits.h"

#include "gltf_import.h"

int main(int argc, char **argv) {
    if (argc != 3) {
        fputs("usage: same_bits_import IN.gltf OUT.raw\n", stderr);
        return 2;
    }
    asset a;
    char error[256];
    if (!gltf_import(&a, argv[1], error, sizeof error)) {
        fprintf(stderr, "same_bits_import: %s\n", error);
        return 1;
    }
    const bool written = same_bits_write(&a, argv[2]);
    asset_free(&a);
    return written ? 0 : 1;
}
