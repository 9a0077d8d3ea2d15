// What the tests look at in the locomotion example.
#ifndef DEMO_LOCOMOTION_H
#define DEMO_LOCOMOTION_H

#include "demo.h"

enum { LOCOMOTION_MAX_STEPS = 64, LOCOMOTION_LEFT = 0, LOCOMOTION_RIGHT = 1 };

typedef struct locomotion_step {
    double seconds; ///< the frame in which the foot came down
    uint32_t foot;  ///< LOCOMOTION_LEFT or LOCOMOTION_RIGHT
} locomotion_step;

typedef struct locomotion_state {
    double last;          ///< time of the last frame
    double position;      ///< along the foot-down marks of walk and run together: what keeps them in step
    sqt_root_place place; ///< where the character stands
    locomotion_step steps[LOCOMOTION_MAX_STEPS];
    uint32_t step_count;
} locomotion_state;

/// The speed that the player asks for, metres a second.
float locomotion_wanted_speed(double now);

#endif
