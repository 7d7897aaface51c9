/* Statuses of calls; the numbers are those of the API, the names those of case files. Spec:
 * api.md 2. */
#ifndef LB_REFERENCE_STATUS_H
#define LB_REFERENCE_STATUS_H

typedef enum lb_status {
    LB_OK,
    LB_BAD_TENSOR,
    LB_SHAPE_MISMATCH,
    LB_INCOMPATIBLE_TENSORS,
    LB_BAD_FUNC_CFG,
    LB_NOT_ENOUGH_MEM,
    LB_NOT_SUPPORTED,
    LB_SPEC_PARAM_MISMATCH,
    LB_ARGUMENT_ERROR,
    LB_LENGTH_ERROR,
    LB_SIZE_MISMATCH,
    LB_RANK_MISMATCH,
    LB_TYPE_MISMATCH,
    LB_MEM_BANK_MISMATCH,
    LB_MISALIGNMENT_ERROR,
    LB_STATUS_COUNT
} lb_status;

/* "ok", "bad_tensor", ...; "?" for a number outside the list. */
const char *lb_status_name(int status);
/* The number for a name, or -1. */
int lb_status_find(const char *name);

#endif
