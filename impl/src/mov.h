/* The movement itself, without handles: what mli_mov_prepare does (pooling_and_movement.md 4). */
#ifndef LB_MLI_MOV_H
#define LB_MLI_MOV_H

#include "internal.h"

/* Checks, writes the fields of dst and moves the data. Steps 1 to 7 of pooling_and_movement.md 4.1,
 * statuses as there. */
LB_MLI_HIDDEN mli_status lb_mli_move(const mli_tensor *src, const mli_mov_cfg_t *cfg,
                                     mli_tensor *dst);

#endif
