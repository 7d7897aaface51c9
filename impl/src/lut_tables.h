/* The tables that mli_krn_*_create_lut hands out (recurrent.md 3, elementwise.md 6). */
#ifndef LB_MLI_LUT_TABLES_H
#define LB_MLI_LUT_TABLES_H

#include "internal.h"

/* Entries. */
enum {
    LB_MLI_SIGM_LENGTH = 320,
    LB_MLI_TANH_LENGTH = 344,
    LB_MLI_SOFTMAX_LENGTH = 358,
    LB_MLI_L2_LENGTH = 97,
};

extern LB_MLI_HIDDEN const int16_t lb_mli_sigm_table[LB_MLI_SIGM_LENGTH];
extern LB_MLI_HIDDEN const int16_t lb_mli_tanh_table[LB_MLI_TANH_LENGTH];
extern LB_MLI_HIDDEN const int16_t lb_mli_softmax_table[LB_MLI_SOFTMAX_LENGTH];
extern LB_MLI_HIDDEN const int16_t lb_mli_l2_table[LB_MLI_L2_LENGTH];

#endif
