/* Domains of MLI's functions of one or two operands (describe/domain.h). */
#ifndef LB_REFERENCE_MLI_DOMAINS_H
#define LB_REFERENCE_MLI_DOMAINS_H

#include "describe/domain.h"

extern const lb_domain lb_mli_domains_unary[], lb_mli_domains_slope[], lb_mli_domains_eltwise[],
    lb_mli_domains_convert[];

#endif
