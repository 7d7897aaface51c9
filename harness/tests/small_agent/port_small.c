/* A small port, as on a microcontroller: little memory, frames of 256 bytes, one profile, some
 * functions left out (see CMakeLists.txt of the kit). */
#include "../../port_kit/lb_kit.h"

const lb_kit_port lb_port = {"a small port for tests", LB_KIT_UP_FULL, 0};
