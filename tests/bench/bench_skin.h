// The jobs of vertices: skinning of positions, normals, tangents.
#ifndef BENCH_SKIN_H
#define BENCH_SKIN_H

#include "bench_case.h"

void bench_skin(bench *b);

#endif
