/* The vector programs of LSTM, GRU and rnn_dense. Spec: recurrent.md 5 to 8; names follow the
 * formulas there. */
#include "describe/program.h"

/* clang-format off */

#define OWN(v)   {.vector = LB_VECTOR_##v}
#define GATE(g)  {.vector = LB_VECTOR_GATE + (g)}
#define STATE    LB_VECTOR_COUNT

/* ---- Vectors ---- */

#define MADE(place_, item_, owner_, label_) \
    {.label = (label_), .place = LB_PLACE_##place_, .item = (item_), .owner = LB_OWNER_##owner_, .is_on_the_way = true}
/* It is written over the tensor, and known by its name. */
#define MADE_IN_CELL(label_) {.label = (label_), .place = LB_PLACE_CELL, .owner = LB_OWNER_CELL}
#define GIVEN(place_, format_, owner_, label_) \
    {.label = (label_), .place = LB_PLACE_##place_, .given = LB_FORMAT_##format_, .owner = LB_OWNER_##owner_}
#define STATES_AND_FRAME \
    [LB_VECTOR_HIDDEN] = {.label = "h", .place = LB_PLACE_HIDDEN, .given = LB_FORMAT_HIDDEN, \
                          .owner = LB_OWNER_HIDDEN, .is_on_the_way = true}, \
    [LB_VECTOR_FIRST_HIDDEN] = GIVEN(PREV_OUT, PREV_OUT, PREV_OUT, "prev_out"), \
    [LB_VECTOR_INPUT] = GIVEN(FRAME, IN, IN, "in")

/* ---- Steps ---- */

#define SUM_OF(g, state_, block_, activation_) \
    .operation = LB_PROGRAM_SUM, .a = OWN(state_), .out = LB_VECTOR_GATE + (g), .format = LB_FORMAT_SUMS, \
    .block = LB_BLOCK_##block_, .activation = LB_ACTIVATION_##activation_
#define STEP(operation_, a_, b_, out_, format_, part_, label_) \
    .operation = LB_PROGRAM_##operation_, .a = a_, .b = b_, .out = LB_VECTOR_##out_, \
    .format = LB_FORMAT_##format_, .part = LB_PART_##part_, .label = (label_)
#define NOTHING {0}

#define PAIRS_OF_A_GATE \
    {.term = LB_TERM_INPUT, .x = LB_VECTOR_INPUT, .role = LB_ROLE_WEIGHTS_IN, .weights = LB_OWNER_WEIGHTS_IN}, \
    {.term = LB_TERM_HIDDEN, .x = STATE, .role = LB_ROLE_WEIGHTS_OUT, .weights = LB_OWNER_WEIGHTS_OUT}

/* QUIRK: the format of the hidden state changes after the first frame. */
#define STATE_CARRIED [LB_CARRY_STATE] = {LB_VECTOR_RESULT, LB_VECTOR_HIDDEN, LB_FORMAT_OUT}

/* ---- recurrent.md 7 ---- */

enum { I, G, F, O };

static const lb_program lstm = {
    .section = "recurrent.md 6, 7", .has_frames = true, .gates = 4,
    .vector = {
        [I] = MADE(SCRATCH, 0, I, "i"), [G] = MADE(SCRATCH, 1, G, "g"),
        [F] = MADE(SCRATCH, 2, F, "f"), [O] = MADE(SCRATCH, 3, O, "o"),
        STATES_AND_FRAME,
        [LB_VECTOR_OLD] = GIVEN(CELL, CELL, CELL, "cell"),
        [LB_VECTOR_KEPT] = MADE_IN_CELL("cell * f"),
        [LB_VECTOR_FRESH] = MADE(SCRATCH, 1, G, "g * i"),
        [LB_VECTOR_SUM] = MADE_IN_CELL("the new cell"),
        /* It stands in the row before the result does. */
        [LB_VECTOR_ACTIVATED] = MADE(ROW, 0, ACTIVATED_CELL, "act(cell)"),
        [LB_VECTOR_RESULT] = MADE(ROW, 0, OUT, "out"),
    },
    .sums = {{1, 4, 0}, 10}, /* steps of 1/16 */
    .pairs = 2, .pair = {PAIRS_OF_A_GATE}, .form = LB_DENSE_FORM,
    .step = {
        {SUM_OF(I, HIDDEN, I, SIGM)},
        {SUM_OF(G, HIDDEN, G, TANH)},
        {SUM_OF(F, HIDDEN, F, SIGM)},
        {SUM_OF(O, HIDDEN, O, SIGM)},
        {STEP(MUL, OWN(OLD), GATE(F), KEPT, CELL, CELL_KEPT, "f*cell")},
        {STEP(MUL, GATE(G), GATE(I), FRESH, TANH, CELL_NEW, "i*g")}, /* stays in g's format */
        {STEP(ADD, OWN(KEPT), OWN(FRESH), SUM, CELL, CELL_SUM, "cell")},
        {STEP(ACTIVATE, OWN(SUM), NOTHING, ACTIVATED, CELL, NONE, "act(cell)"), .activation = LB_ACTIVATION_OF_CALL},
        {STEP(MUL, OWN(ACTIVATED), GATE(O), RESULT, OUT, ACTIVATED_RESULT, "out"), .plain_part = LB_PART_CELL_RESULT},
    },
    .carry = {STATE_CARRIED, [LB_CARRY_CELL] = {LB_VECTOR_SUM, LB_VECTOR_OLD, LB_FORMAT_OWN}},
};

/* ---- recurrent.md 8. `act` of the configuration is ignored (a QUIRK) ---- */

enum { Z, R, N };

static const lb_program gru = {
    .section = "recurrent.md 6, 8", .has_frames = true, .gates = 3,
    .vector = {
        [Z] = MADE(SCRATCH, 0, Z, "z"), [R] = MADE(SCRATCH, 1, R, "r"), [N] = MADE(SCRATCH, 2, N, "n"),
        STATES_AND_FRAME,
        [LB_VECTOR_RESET] = MADE(SCRATCH, 1, RESET_HIDDEN, "r * h"),
        [LB_VECTOR_KEPT] = MADE(ROW, 0, KEPT_HIDDEN, "h * z"),
        [LB_VECTOR_COMPLEMENT] = MADE(SCRATCH, 0, COMPLEMENT, "1 - z"),
        [LB_VECTOR_FRESH] = MADE(SCRATCH, 2, OUT, "n * (1 - z)"),
        [LB_VECTOR_RESULT] = MADE(ROW, 0, OUT, "out"),
        [LB_VECTOR_STATE_PLACE] = {.label = "h, or h * z where that has been written over it",
                                   .place = LB_PLACE_HIDDEN, .given = LB_FORMAT_HIDDEN,
                                   .owner = LB_OWNER_HIDDEN, .is_on_the_way = true},
    },
    .sums = {{21, 9, 0}, 11}, /* steps of 0.041 */
    .pairs = 2, .pair = {PAIRS_OF_A_GATE}, .form = LB_DENSE_FORM,
    .step = {
        {SUM_OF(Z, HIDDEN, Z, SIGM)},
        {SUM_OF(R, HIDDEN, R, SIGM)},
        {STEP(MUL, GATE(R), OWN(HIDDEN), RESET, HIDDEN, STATE_RESET, "r*h")},
        /* QUIRK: in the first frame not in out's format */
        {STEP(MUL, OWN(HIDDEN), GATE(Z), KEPT, HIDDEN, STATE_KEPT, "z*h")},
        {STEP(ONE_LESS, GATE(Z), NOTHING, COMPLEMENT, SIGM, STATE_COMPLEMENT, "1-z")},
        {SUM_OF(N, RESET, N, TANH), .excess = {{4, 2}, {4, 2}}},
        {STEP(MUL, GATE(N), OWN(COMPLEMENT), FRESH, OUT, STATE_NEW, "(1-z)*n")},
        {STEP(ADD, OWN(FRESH), OWN(KEPT), RESULT, OUT, STATE_SUM, "out")},
    },
    .carry = {STATE_CARRIED},
};

/* ---- recurrent.md 5 ---- */

#define IN_OF_LIST(j) [LB_VECTOR_INPUT + (j)] = \
    {.label = "in[" #j "]", .place = LB_PLACE_LIST, .item = (j), .owner = LB_OWNER_IN_##j}
#define PAIR_OF_LIST(j) {.term = LB_TERM_IN##j, .x = LB_VECTOR_INPUT + (j), .role = LB_ROLE_WEIGHTS, .item = (j), \
                         .weights = LB_OWNER_WEIGHTS_##j}

static const lb_program rnn_dense = {
    .section = "recurrent.md 5",
    .vector = {
        IN_OF_LIST(0), IN_OF_LIST(1), IN_OF_LIST(2), IN_OF_LIST(3),
        [LB_VECTOR_RESULT] = MADE(ROW, 0, OUT, "out"),
    },
    .pair = {PAIR_OF_LIST(0), PAIR_OF_LIST(1), PAIR_OF_LIST(2), PAIR_OF_LIST(3)}, .form = LB_DENSE_FORM,
    .step = {{.operation = LB_PROGRAM_SUM, .out = LB_VECTOR_RESULT, .format = LB_FORMAT_OUT}},
};

/* clang-format on */

const lb_program *lb_program_of_family(lb_family family)
{
    static const lb_program *const programs[LB_FAMILY_COUNT_OF_ALL] = {
        [LB_FAMILY_LSTM] = &lstm,
        [LB_FAMILY_GRU] = &gru,
        [LB_FAMILY_RNN_DENSE] = &rnn_dense,
    };
    return programs[family];
}

static const lb_family cells[LB_PROGRAM_CELLS] = {LB_FAMILY_LSTM, LB_FAMILY_GRU};

const lb_program *lb_program_of_cell(int number)
{
    return lb_program_of_family(cells[number - 1]);
}

int lb_program_cell(const lb_kernel *kernel)
{
    int number = LB_PROGRAM_CELLS;
    while (number > 0 && cells[number - 1] != kernel->family)
        number--;
    return number;
}
