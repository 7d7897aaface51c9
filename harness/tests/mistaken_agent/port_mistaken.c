/* A port that is declared for other numerics than its library was built for. */
#include "../../port_kit/lb_kit.h"

const lb_kit_port lb_port = {"a port with a wrong declaration", LB_KIT_CONVERGENT_FULL, 0};
