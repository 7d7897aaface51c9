/* Names of the statuses of the API, as case files write them. Spec: api.md 2. */
#include "status.h"

#include <string.h>

static const char *const names[LB_STATUS_COUNT] = {
    [LB_OK] = "ok",
    [LB_BAD_TENSOR] = "bad_tensor",
    [LB_SHAPE_MISMATCH] = "shape_mismatch",
    [LB_INCOMPATIBLE_TENSORS] = "incompatible_tensors",
    [LB_BAD_FUNC_CFG] = "bad_func_cfg",
    [LB_NOT_ENOUGH_MEM] = "not_enough_mem",
    [LB_NOT_SUPPORTED] = "not_supported",
    [LB_SPEC_PARAM_MISMATCH] = "spec_param_mismatch",
    [LB_ARGUMENT_ERROR] = "argument_error",
    [LB_LENGTH_ERROR] = "length_error",
    [LB_SIZE_MISMATCH] = "size_mismatch",
    [LB_RANK_MISMATCH] = "rank_mismatch",
    [LB_TYPE_MISMATCH] = "type_mismatch",
    [LB_MEM_BANK_MISMATCH] = "mem_bank_mismatch",
    [LB_MISALIGNMENT_ERROR] = "misalignment_error",
};

const char *lb_status_name(int status)
{
    return status >= 0 && status < LB_STATUS_COUNT ? names[status] : "?";
}

int lb_status_find(const char *name)
{
    for (int i = 0; i < LB_STATUS_COUNT; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}
