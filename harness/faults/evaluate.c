/* Results of steps: see evaluate.h. */
#include "harness/faults/evaluate.h"
#include "reference/core/arith.h"
#include "reference/core/lut.h"

static int count_of(int64_t v)
{
    return (int)lb_sat(v, 16);
}

static int64_t sum_of(const lb_num_step *s, int64_t sum, int width)
{
    return s->saturates ? lb_sat(sum, width) : lb_wrap(sum, width);
}

bool lb_fault_evaluate(const lb_num_step *s, int64_t *result)
{
    int width = s->width > 0 ? s->width : 64;
    int64_t a = s->operand[0].v, b = s->operand[1].v, c = s->operand[2].v;
    switch (s->operation) {
    case LB_STEP_MAC:
        *result = sum_of(s, (int64_t)((uint64_t)a + (uint64_t)b * (uint64_t)c), width);
        return true;
    case LB_STEP_ADD:
        *result = lb_add(lb_sat(a, width), lb_sat(b, width), width);
        return true;
    case LB_STEP_SUB:
        *result = lb_sub(lb_sat(a, width), lb_sat(b, width), width);
        return true;
    case LB_STEP_MUL:
        *result = (int64_t)((uint64_t)a * (uint64_t)b);
        return true;
    case LB_STEP_SHL:
        *result = lb_shl(lb_sat(a, width), count_of(b), width);
        return true;
    case LB_STEP_ASR:
        *result = lb_asr(lb_sat(a, width), count_of(b), width);
        return true;
    case LB_STEP_RSH:
        *result = lb_rsh(s->rounding, lb_sat(a, width), count_of(b), width);
        return true;
    case LB_STEP_SAT:
        *result = lb_sat(a, width);
        return true;
    case LB_STEP_WRAP:
        *result = lb_wrap(a, width);
        return true;
    case LB_STEP_MIN:
        *result = a < b ? a : b;
        return true;
    case LB_STEP_MAX:
        *result = a > b ? a : b;
        return true;
    case LB_STEP_TDIV:
        *result = b == 0 || b == -1 ? 0 : a / b;
        return b != 0 && b != -1;
    case LB_STEP_LOOKUP: {
        int64_t last = (int64_t)lb_luts[s->table].length - 1;
        *result = lb_luts[s->table].table[a < 0 ? 0 : a > last ? last : a];
        return true;
    }
    default:
        return false;
    }
}
