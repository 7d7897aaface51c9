/* Numbers of an input at which alone a function of one operand is wrong: what is left to say where
 * every output is made of the right element, and no fault of the bank makes these of it. */
#ifndef LB_HARNESS_DIAGNOSE_FEW_VALUES_H
#define LB_HARNESS_DIAGNOSE_FEW_VALUES_H

#include "harness/diagnose/identity.h"
#include "harness/diagnose/left.h"
#include "harness/faults/faults.h"

/* Numbers met lie in a hash table with open addressing: room for all of 16 bits that suites use. */
enum { LB_FEW_VALUES = 6, LB_VALUE_PLACES = 1 << 15 };

typedef struct lb_value_met {
    bool is_used, is_wrong;
    int32_t in, right, got;
} lb_value_met;

/* Zero at first. */
typedef struct lb_few_values {
    lb_value_met *table;
    size_t met, wrong;    /* different numbers; of them: with a wrong result */
    uint64_t right;       /* elements */
    bool is_contradicted; /* the same number with a right result and with a wrong one */
} lb_few_values;

/* Takes in the elements of a result; left NULL: the port was right. Cases of more operands, or
 * whose output has another number of elements, are passed over. */
void lb_few_values_look(lb_few_values *few, const lb_fault_bench *bench, const lb_left *left);
/* "in -3: expected 7 (0x07), got 6 (0x06); ...", or NULL where it is not so; and in numbers: those
 * that went in and by how much each is off. */
const char *lb_few_values_words(const lb_few_values *few, const lb_case *c, lb_arena *arena,
                                int32_t shown[LB_SHOWN_NUMBERS]);
/* "is wrong at ties alone, and gives a result farther from zero": the class of numbers, of which
 * there may be many; NULL: there is none. */
const char *lb_few_values_class(const lb_few_values *few, const lb_case *c, lb_arena *arena,
                                int32_t shown[LB_SHOWN_NUMBERS]);
void lb_few_values_free(lb_few_values *few);

#endif
