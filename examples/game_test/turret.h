// The game's own code: a turret that aims and kicks back.
#ifndef TURRET_H
#define TURRET_H

#include <sqt/sqt.h>

enum { TURRET_MAX_JOINTS = 16 };

/// The joints that the game moves, found by name at load time.
typedef struct turret {
    uint16_t base;   ///< "base" turns about y
    uint16_t barrel; ///< "barrel" turns about x
    uint16_t muzzle; ///< "muzzle": where shells leave, along its -z
} turret;

/// @return SQT_OK, SQT_ERROR_COUNT (more than TURRET_MAX_JOINTS), or what sqt_skeleton_map returns: fault.index is 0, 1
///         or 2 for base, barrel or muzzle.
SQT_NODISCARD sqt_result turret_init(turret *made, const sqt_skeleton *skeleton, sqt_fault *fault);

/// The rest pose, turned left by `yaw` and up by `pitch` (at most 80 degrees up, 10 down), in radians.
sqt_result turret_aim(sqt_pose_block *pose, const sqt_skeleton *skeleton, const turret *which, float yaw, float pitch);

/// Lets the barrel slide back: `ratio` 0 leaves the pose, 1 is all the way.
sqt_result turret_kick(sqt_pose_block *pose, const sqt_skeleton *skeleton, const turret *which, float ratio);

/// Where shells leave, in the turret's space.
sqt_vec3 turret_muzzle(const sqt_skeleton *skeleton, const turret *which, const sqt_pose_block *pose);

#endif
