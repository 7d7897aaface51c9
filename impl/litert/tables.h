/* The tables of softmax, logistic and tanh of int16. */
#ifndef LB_LITERT_TABLES_H
#define LB_LITERT_TABLES_H

#include <stdint.h>

extern const int16_t lb_litert_softmax_exp[513];                 /* litert.12 */
extern const int16_t lb_litert_softmax_one_over_one_plus_x[513]; /* litert.12 */
extern const uint16_t lb_litert_sigmoid_table[256];              /* litert.14 */

#endif
