/* The index maps of LiteRT (maps.c): which elements its kernels read and write, as data. */
#ifndef LB_REFERENCE_LITERT_MAPS_H
#define LB_REFERENCE_LITERT_MAPS_H

#include "describe/map.h"

extern const lb_map lb_lite_map_conv_2d, lb_lite_map_depthwise_conv_2d, lb_lite_map_transpose_conv,
    lb_lite_map_fully_connected, lb_lite_map_pool, lb_lite_map_broadcast, lb_lite_map_by_place,
    lb_lite_map_rows, lb_lite_map_reduce;

#endif
