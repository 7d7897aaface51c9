/* What steps are known by: the operations of the exact models, and the blocks, terms and owners of
 * numbers that the same operations serve. Each has a number from one of these tables; the text
 * beside it is for people and for the names of faults. Whoever wants to know whether two steps are
 * the same compares numbers. */
#ifndef LB_REFERENCE_SITES_H
#define LB_REFERENCE_SITES_H

/* The operations of the models: which one (steps.h), and its label: what the result is. A site is
 * one place of the models' code, or several that no function can tell apart by label and operation
 * and that are one on purpose: the same step of one formula in the branches of a type or profile.
 */
/* clang-format off */
#define LB_SITES(X) \
    X(NONE, GIVEN, "") \
    /* several files */ \
    X(KEPT_WITHIN_ITS_WIDTH, SAT, "kept within its width") \
    X(WITH_THE_ZERO_POINT, ADD, "with the zero point") \
    X(FX_IN_STEPS_OF_THE_RESULT, RSH, "in steps of the result") \
    X(SHIFT_THAT_IS_LEFT, SUB, "shift that is left") \
    X(SA8_IN_STEPS_OF_THE_RESULT, RSH, "in steps of the result") \
    X(SA8_SUM, ADD, "sum") \
    X(IN_THE_CONTAINER, SAT, "in the container") \
    X(IN_STEPS_OF_THE_OUTPUT, RSH, "in steps of the output") \
    X(POOL_IN_STEPS_OF_THE_OUTPUT, RSH, "in steps of the output") \
    X(SHIFT_TO_THE_LEFT, SUB, "shift to the left") \
    /* activation.c */ \
    X(ACTIVATION_IN_STEPS_OF_THE_OUTPUT, RSH, "in steps of the output") \
    X(ACTIVATION_WITHOUT_THE_ZERO_POINT, SUB, "without the zero point") \
    X(ACTIVATION_TIMES_THE_SCALE, MUL, "times the scale") \
    X(ACTIVATION_SHIFT_TO_THE_TABLES_ARGUMENT, SUB, "shift to the table's argument") \
    X(X_ARGUMENT_OF_THE_TABLE, RSH, "x: argument of the table") \
    /* cell_ops.c */ \
    X(N_REDUNDANT_SIGN_BITS, NORM, "n: redundant sign bits") \
    X(CELL_THE_SCALE_WIDENED, SHL, "the scale, widened") \
    X(CELL_Q_RATIO_OF_THE_SCALES, TDIV, "q: ratio of the scales") \
    X(REDUNDANT_SIGN_BITS_OF_Q, NORM, "redundant sign bits of q") \
    X(CELL_K_BITS_THAT_GO, SUB, "k: bits that go") \
    X(M_Q_IN_15_BITS, RSH, "m: q in 15 bits") \
    X(SHIFT_AND_N, ADD, "shift and n") \
    X(SHIFT_OF_THE_PRODUCT, SUB, "shift of the product") \
    X(CELL_ABOVE_THE_HIGHEST_SHIFT, SUB, "above the highest shift") \
    X(CELL_BELOW_THE_LOWEST_SHIFT, ADD, "below the lowest shift") \
    X(CELL_TOO_HIGH, MAX, "too high") \
    X(CELL_TOO_LOW, MIN, "too low") \
    X(E_EXCESS_OF_THE_SHIFT, ADD, "e: excess of the shift") \
    X(CELL_M, RSH, "m") \
    X(CELL_SHIFT, SUB, "shift") \
    X(CELL_SHIFT_BEYOND_21, SUB, "shift beyond 21") \
    X(CELL_PRE_NOT_NEGATIVE, MAX, "not negative") \
    X(CELL_PRE_SHIFT_BEFORE_THE_FACTOR, MIN, "pre: shift before the factor") \
    X(CELL_PRODUCT_SHIFTED, RSH, "product, shifted") \
    X(CELL_TIMES_M, MUL, "times m") \
    X(CELL_FRACTIONAL_BITS_OF_THE_PRODUCT, ADD, "fractional bits of the product") \
    X(SHIFT_TO_THE_RESULT, SUB, "shift to the result") \
    X(CELL_SCALE_OF_THE_PRODUCT, MUL, "scale of the product") \
    X(FIRST_WITHOUT_ITS_ZERO_POINT, SUB, "first, without its zero point") \
    X(SECOND_WITHOUT_ITS_ZERO_POINT, SUB, "second, without its zero point") \
    X(CELL_PRODUCT, MUL, "product") \
    X(CELL_FRACTIONAL_BITS_THAT_THE_FIRST_LACKS, SUB, "fractional bits that the first lacks") \
    X(CELL_FRACTIONAL_BITS_THAT_THE_SECOND_LACKS, SUB, "fractional bits that the second lacks") \
    X(CELL_LACK_NOT_NEGATIVE, MAX, "not negative") \
    X(U_FIRST_ALIGNED, SHL, "u: first, aligned") \
    X(V_SECOND_ALIGNED, SHL, "v: second, aligned") \
    X(FRACTIONAL_BITS_OF_THE_SUM, MAX, "fractional bits of the sum") \
    X(CELL_FX_SUM, ADD, "sum") \
    X(FRACTIONAL_BITS_TO_GO_FIRST, SUB, "fractional bits to go, first") \
    X(FRACTIONAL_BITS_TO_GO_SECOND, SUB, "fractional bits to go, second") \
    X(ONE_LESS_THE_GATE, SUB, "one less the gate") \
    /* dense.c */ \
    X(SCALE_AS_THIS_GATE_TAKES_IT, ADD, "scale, as this gate takes it") \
    X(KEPT_IN_ITS_TYPE, WRAP, "kept in its type") \
    X(SCALE_FRAC_BITS_AS_THIS_GATE_TAKES_IT, ADD, "scale_frac_bits, as this gate takes it") \
    X(DENSE_FRAC_BITS_OF_THE_PRODUCTS, ADD, "frac_bits of the products") \
    X(OS_SHIFT_OF_THE_SUM, SUB, "os: shift of the sum") \
    X(DENSE_BS_SHIFT_OF_THE_BIAS, SUB, "bs: shift of the bias") \
    X(DENSE_INPUT_WITHOUT_ITS_ZERO_POINT, SUB, "input without its zero point") \
    X(DENSE_ACCUMULATOR_WITH_THE_BIAS, ADD, "accumulator with the bias") \
    X(DENSE_FACTOR_OF_WEIGHTS, SUB, "factor of weights") \
    X(DENSE_AS_WIDE_AS_THE_NEXT_STEP_TAKES_IT, SAT, "as wide as the next step takes it") \
    X(SUM_SO_FAR, ADD, "sum so far") \
    /* element_copy.c */ \
    X(ELEMENT_COPY_COPIED_AS_IT_IS, COPY, "copied as it is") \
    X(OUTSIDE_THE_SOURCE_ZERO_BITS, COPY, "outside the source: zero bits") \
    /* exact_argmax.c */ \
    X(OFFSET_OF_THIS_RANK, PLACE, "offset, in elements, of the element that has this rank by size") \
    /* exact_convert.c */ \
    X(CONVERT_WITH_THE_OUTPUTS_ZERO_POINT, ADD, "with the output's zero point") \
    X(CONVERT_D_WITHOUT_THE_ZERO_POINT, SUB, "d: without the zero point") \
    X(CONVERT_TIMES_THE_SCALE, MUL, "times the scale") \
    X(A_IN_STEPS_OF_THE_OUTPUT, RSH, "a: in steps of the output") \
    X(SHIFT_E1_AND_E2, ADD, "shift, e1 and e2") \
    X(E1_REDUNDANT_SIGN_BITS_OF_D, NORM, "e1: redundant sign bits of d") \
    X(E2_REDUNDANT_SIGN_BITS_OF_THE_SCALE, NORM, "e2: redundant sign bits of the scale") \
    X(D_FILLING_32_BITS, SHL, "d, filling 32 bits") \
    X(SCALE_FILLING_32_BITS, SHL, "scale, filling 32 bits") \
    X(CONVERT_PRODUCT, MUL, "product") \
    X(E1_AND_E2, ADD, "e1 and e2") \
    X(H_ITS_HIGH_HALF, ASR, "h: its high half") \
    X(SHIFT_AT_MOST_63, MIN, "shift, at most 63") \
    X(SHIFT_AND_E1, ADD, "shift and e1") \
    X(SCALE, FLOAT, "scale") \
    X(1_OVER_SCALE, FDIV, "1 / scale") \
    X(K_STEPS_OF_THE_OUTPUT_IN_1, FSCALE, "k: steps of the output in 1") \
    X(T_IN_STEPS_OF_THE_OUTPUT, FMUL, "t: in steps of the output") \
    X(U_ONE_HALF_AWAY_FROM_ZERO, FADD, "u: one half away from zero") \
    X(V_TOWARDS_ZERO, FTRUNC, "v: towards zero") \
    X(CONVERT_WITHOUT_THE_ZERO_POINT, SUB, "without the zero point") \
    X(MINUS_N, SUB, "- n") \
    X(K_WHAT_ONE_STEP_IS_WORTH, FSCALE, "k: what one step is worth") \
    X(STEPS, FLOAT, "steps") \
    X(VALUE, FMUL, "value") \
    X(CONVERT_COPIED_AS_IT_IS, COPY, "copied as it is") \
    /* exact_eltwise.c */ \
    X(REDUNDANT_SIGN_BITS_OF_THE_SCALE, NORM, "redundant sign bits of the scale") \
    X(ELTWISE_THE_SCALE_WIDENED, SHL, "the scale, widened") \
    X(P_RATIO_OF_THE_SCALES, TDIV, "P: ratio of the scales") \
    X(ELTWISE_M_P_IN_15_BITS, RSH, "M: P in 15 bits") \
    X(T_AND_THE_WIDENING, ADD, "t and the widening") \
    X(SH_SHIFT_AFTER_M, SUB, "sh: shift after M") \
    X(ELTWISE_ABOVE_THE_HIGHEST_SHIFT, SUB, "above the highest shift") \
    X(ELTWISE_BELOW_THE_LOWEST_SHIFT, ADD, "below the lowest shift") \
    X(ELTWISE_TOO_HIGH, MAX, "too high") \
    X(ELTWISE_TOO_LOW, MIN, "too low") \
    X(C_EXCESS_OF_THE_SHIFT, ADD, "c: excess of the shift") \
    X(M, RSH, "M") \
    X(ELTWISE_SH, SUB, "sh") \
    X(ELTWISE_SCALE_OF_THE_PRODUCT, MUL, "scale of the product") \
    X(ELTWISE_SA8_BITS_OF_THE_PRODUCT, ADD, "fractional bits of the product") \
    X(T_FRACTIONAL_BITS_TO_GO, SUB, "t: fractional bits to go") \
    X(ELTWISE_SHIFT_BEYOND_21, SUB, "shift beyond 21") \
    X(ELTWISE_NOT_NEGATIVE, MAX, "not negative") \
    X(ELTWISE_PRE_SHIFT_BEFORE_THE_FACTOR, MIN, "pre: shift before the factor") \
    X(F_FRACTIONAL_BITS_OF_THE_SUM, MAX, "F: fractional bits of the sum") \
    X(ELTWISE_FRACTIONAL_BITS_THAT_THE_FIRST_LACKS, SUB, "fractional bits that the first lacks") \
    X(ELTWISE_FRACTIONAL_BITS_THAT_THE_SECOND_LACKS, SUB, "fractional bits that the second lacks") \
    X(ELTWISE_FX_BITS_OF_THE_PRODUCT, ADD, "fractional bits of the product") \
    X(SHIFT_TO_THE_OUTPUT, SUB, "shift to the output") \
    X(T_FRACTIONAL_BITS_TO_GO_FIRST, SUB, "t: fractional bits to go, first") \
    X(T_FRACTIONAL_BITS_TO_GO_SECOND, SUB, "t: fractional bits to go, second") \
    X(THE_SMALLER_ONE, MIN, "the smaller one") \
    X(ELTWISE_THE_LARGER_ONE, MAX, "the larger one") \
    X(ELTWISE_FIRST_ALIGNED, SHL, "first, aligned") \
    X(ELTWISE_SECOND_ALIGNED, SHL, "second, aligned") \
    X(C_SUM, ADD, "c: sum") \
    X(C_DIFFERENCE, SUB, "c: difference") \
    X(ELTWISE_FX_PRODUCT, MUL, "product") \
    X(ELTWISE_FX_IN_STEPS_OF_THE_OUTPUT, RSH, "in steps of the output") \
    X(ELTWISE_TIMES_M, MUL, "times M") \
    X(ELTWISE_SA8_PRODUCT, MUL, "product") \
    X(ELTWISE_PRODUCT_SHIFTED, RSH, "product, shifted") \
    X(FIRST_TIMES_M, MUL, "first times M") \
    X(SECOND_TIMES_M, MUL, "second times M") \
    X(ELTWISE_PICK_IN_STEPS_OF_THE_OUTPUT, RSH, "in steps of the output") \
    X(W_SUM, ADD, "w: sum") \
    X(W_DIFFERENCE, SUB, "w: difference") \
    X(U_FIRST_WITHOUT_ITS_ZERO_POINT, SUB, "u: first without its zero point") \
    X(V_SECOND_WITHOUT_ITS_ZERO_POINT, SUB, "v: second without its zero point") \
    X(ELTWISE_WITH_THE_OUTPUTS_ZERO_POINT, ADD, "with the output's zero point") \
    /* exact_l2_normalize.c */ \
    X(L2_NORMALIZE_D_WITHOUT_THE_ZERO_POINT, SUB, "d: without the zero point") \
    X(REDUNDANT_SIGN_BITS_OF_THE_SUM, NORM, "redundant sign bits of the sum") \
    X(L2_NORMALIZE_K_BITS_THAT_GO, SUB, "k: bits that go") \
    X(1_IF_K_IS_ODD, MOD, "1 if k is odd") \
    X(K_MADE_EVEN, ADD, "k, made even") \
    X(C_SUM_IN_15_BITS, RSH, "c: sum in 15 bits") \
    X(C, SAT, "c") \
    X(K_PLUS_8, ADD, "k + 8") \
    X(ITS_HALF, ASR, "its half") \
    X(SH_SHIFT_OF_THE_RESULT, ADD, "sh: shift of the result") \
    X(R_TIMES_D, MUL, "r * d") \
    X(L2_NORMALIZE_IN_STEPS_OF_THE_OUTPUT, RSH, "in steps of the output") \
    /* exact_lut.c */ \
    X(AS_THE_SPEC_HAS_IT, LOOKUP, "as the spec has it") \
    /* exact_pool.c */ \
    X(POOL_FIRST, COPY, "first") \
    X(POOL_THE_LARGER_ONE, MAX, "the larger one") \
    X(THE_PADDING_IF_IT_IS_LARGER, MAX, "the padding, if it is larger") \
    X(POOL_LOWEST_RESULT, MAX, "lowest result") \
    X(POOL_TIMES_THE_SCALE, MUL, "times the scale") \
    X(ALIGNED, SHL, "aligned") \
    X(POSITIONS_ALIGNED, SHL, "positions, aligned") \
    X(DIVIDED, TDIV, "divided") \
    X(POOL_WITH_THE_OUTPUTS_ZERO_POINT, ADD, "with the output's zero point") \
    /* exact_relu.c */ \
    X(RELU_FRACTIONAL_BITS_OF_THE_PRODUCT, ADD, "fractional bits of the product") \
    X(SH_SHIFT_OF_THE_PRODUCT, SUB, "sh: shift of the product") \
    X(N_REDUNDANT_SIGN_BITS_OF_THE_SLOPE, NORM, "n: redundant sign bits of the slope") \
    X(SLOPE_FILLING_16_BITS, SHL, "slope, filling 16 bits") \
    X(RELU_SH, ADD, "sh") \
    X(M_H_0, SHL, "M, h = 0") \
    X(SLOPE_WITHOUT_ITS_ZERO_POINT, SUB, "slope without its zero point") \
    X(TIMES_ITS_SCALE, MUL, "times its scale") \
    X(A_SLOPE_IN_16_BITS, RSH, "A: slope in 16 bits") \
    X(M_TIMES_A, MUL, "M * A") \
    X(P_M_TIMES_A_IN_16_BITS, RSH, "P: M * A in 16 bits") \
    X(H_PLUS_F_A, ADD, "h + f_a") \
    X(H_PLUS_F_A_LESS_E1, SUB, "h + f_a - e1") \
    X(G_SHIFT_OF_P, SUB, "g: shift of P") \
    X(X_AT_OR_ABOVE_ZERO_ITSELF, COPY, "x >= 0: itself") \
    X(X_BELOW_ZERO_TIMES_THE_SLOPE, MUL, "x < 0: times the slope") \
    X(SLOPE_FX_IN_STEPS_OF_THE_OUTPUT, RSH, "in steps of the output") \
    X(X_WITHOUT_ITS_ZERO_POINT, SUB, "x without its zero point") \
    X(AT_OR_ABOVE_ZERO_TIMES_M, MUL, "at or above zero: times M") \
    X(BELOW_ZERO_TIMES_P, MUL, "below zero: times P") \
    X(SLOPE_SA8_IN_STEPS_OF_THE_OUTPUT, RSH, "in steps of the output") \
    X(RELU_WITH_THE_OUTPUTS_ZERO_POINT, ADD, "with the output's zero point") \
    /* exact_softmax.c */ \
    X(SOFTMAX_FIRST, COPY, "first") \
    X(SOFTMAX_THE_LARGER_ONE, MAX, "the larger one") \
    X(X_LESS_THE_LARGEST, SUB, "x less the largest") \
    X(SOFTMAX_TIMES_THE_SCALE, MUL, "times the scale") \
    X(SOFTMAX_SHIFT_TO_THE_TABLES_ARGUMENT, SUB, "shift to the table's argument") \
    X(ARGUMENT_OF_THE_TABLE, RSH, "argument of the table") \
    X(SOFTMAX_AS_WIDE_AS_THE_NEXT_STEP_TAKES_IT, SAT, "as wide as the next step takes it") \
    X(N_REDUNDANT_SIGN_BITS_OF_THE_SUM, NORM, "n: redundant sign bits of the sum") \
    X(BITS_THAT_GO, SUB, "bits that go") \
    X(M_SUM_IN_15_BITS, RSH, "m: sum in 15 bits") \
    X(SOFTMAX_M, SAT, "m") \
    X(2_29_OVER_M, TDIV, "2^29 / m") \
    X(REC, MIN, "rec") \
    X(E_IN_STEPS_OF_THE_OUTPUT, SHL, "e in steps of the output") \
    X(E_OVER_SUM, TDIV, "e / sum") \
    X(SOFTMAX_WITH_THE_OUTPUTS_ZERO_POINT, SUB, "with the output's zero point") \
    X(REC_TIMES_E, MUL, "rec * e") \
    X(30_LESS_N, SUB, "30 - n") \
    X(38_LESS_N, SUB, "38 - n") \
    X(AT_MOST_31, MIN, "at most 31") \
    X(SOFTMAX_IN_STEPS_OF_THE_OUTPUT, RSH, "in steps of the output") \
    X(37_LESS_N, SUB, "37 - n") \
    X(EVERY_OUTPUT_OF_SOFTMAX_FX8_IS_0, COPY, "every output of softmax_fx8 is 0") \
    /* lut_lookup.c */ \
    X(NOT_BELOW_ITS_LEAST, MAX, "not below its least") \
    X(WHOLE_INTERVALS, ASR, "whole intervals") \
    X(PLACE_INSIDE_THE_INTERVAL, MOD, "place inside the interval") \
    X(ENTRY_OF_THE_TABLE, ADD, "entry of the table") \
    X(AN_END_OF_THE_TABLE, MIN, "an end of the table") \
    X(ITS_ENTRY, LOOKUP, "its entry") \
    X(OTHER_ITS_ENTRY, COPY, "its entry") \
    X(I_AN_INTERVAL_OF_THE_TABLE, MIN, "i: an interval of the table") \
    X(I_PLUS_1, ADD, "i + 1") \
    X(T_I, LOOKUP, "T[i]") \
    X(OTHER_T_I, COPY, "T[i]") \
    X(T_I_PLUS_1, LOOKUP, "T[i + 1]") \
    X(OTHER_T_I_PLUS_1, COPY, "T[i + 1]") \
    X(FALL_OVER_THE_INTERVAL, SUB, "fall over the interval") \
    X(FALL_TIMES_PLACE, MUL, "fall times place") \
    X(FALL_UP_TO_THE_PLACE, RSH, "fall up to the place") \
    X(INTERPOLATED_VALUE, SUB, "interpolated value") \
    X(X_AND_HALF_AN_INTERVAL, ADD, "x and half an interval") \
    X(I_AN_ENTRY_OF_THE_TABLE, MIN, "i: an entry of the table") \
    X(THE_FUNCTION_ITSELF_ROUNDED, COPY, "the function itself, rounded") \
    X(D_FRACTIONAL_BITS_BEYOND_THE_TABLES, SUB, "d: fractional bits beyond the table's") \
    X(BITS_BEYOND_15, SUB, "bits beyond 15") \
    X(SHIFT_IN_FRONT_NOT_NEGATIVE, MAX, "shift in front, not negative") \
    X(SHIFT_IN_FRONT, MIN, "shift in front") \
    X(K_BITS_OF_INTERPOLATION, MIN, "k: bits of interpolation") \
    X(X_SHIFTED_IN_FRONT, ASR, "x, shifted in front") \
    X(X_IN_STEPS_OF_THE_TABLE, SHL, "x in steps of the table") \
    /* num.c */ \
    X(RUNNING_SUM, MAC, "running sum") \
    X(IN_PADDING, SKIP, "in padding: adds nothing") \
    X(REDUNDANT_SIGN_BITS, NORM, "redundant sign bits") \
    X(BITS_TOO_MANY, SUB, "bits too many") \
    /* num.h */ \
    X(SATURATED_WHEN_ALL_IS_ADDED, SAT, "saturated when all is added") \
    X(ALL_LANES_TOGETHER, SAT, "all lanes together") \
    /* pool_divisor.c */ \
    X(ROOM_ABOVE_IT, NORM, "room above it") \
    X(ITS_LENGTH_IN_BITS, SUB, "its length in bits") \
    X(V_2_31_OVER_N, TDIV, "v: 2^31 / n") \
    X(E_BITS_TO_FILL_32, SUB, "e: bits to fill 32") \
    X(V_FILLING_32_BITS, SHL, "v, filling 32 bits") \
    X(15_TOP_BITS, RSH, "15 top bits") \
    X(MUL_ROUNDED, MIN, "mul: rounded") \
    X(MUL_ITS_15_TOP_BITS, ASR, "mul: its 15 top bits") \
    X(LS_SHIFT_OF_THE_RECIPROCAL, ADD, "ls: shift of the reciprocal") \
    X(FRACTIONAL_BITS_TO_GO, SUB, "fractional bits to go") \
    X(DIVISOR_FX_SHIFT_OF_THE_RESULT, ADD, "s: shift of the result") \
    X(P_SCALE_TIMES_RECIPROCAL, MUL, "p: scale times reciprocal") \
    X(PN_BITS_THAT_GO, SUB, "pn: bits that go") \
    X(M_P_IN_7_BITS, RSH, "m: p in 7 bits") \
    X(DIVISOR_M_P_IN_15_BITS, RSH, "m: p in 15 bits") \
    X(M_P_IN_FEWER_BITS, RSH, "m: p in fewer bits") \
    X(DIVISOR_M, SAT, "m") \
    X(SH_PLUS_LS, ADD, "sh + ls") \
    X(DIVISOR_SA8_SHIFT_OF_THE_RESULT, SUB, "S: shift of the result") \
    X(ACC0_THE_OFFSET_ALIGNED, SHL, "acc0: the offset, aligned") \
    X(ZERO_POINT_OF_ALL_POSITIONS, MUL, "zero point of all positions") \
    X(TAKEN_OFF_THE_SUM, SUB, "taken off the sum") \
    /* scale_num.c */ \
    X(ROOM_ABOVE_THE_SCALE, NORM, "room above the scale") \
    X(ROOM_ABOVE_THE_SCALE_OF_THE_OUTPUT, NORM, "room above the scale of the output") \
    X(K_BITS_THAT_THE_QUOTIENT_GAINS, SUB, "k: bits that the quotient gains") \
    X(SCALE_THE_SCALE_WIDENED, SHL, "the scale, widened") \
    X(SCALE_Q_RATIO_OF_THE_SCALES, TDIV, "q: ratio of the scales") \
    X(SCALE_Q_IN_15_BITS, RSH, "scale: q in 15 bits") \
    X(K_PLUS_N1, ADD, "k + n1") \
    X(K_PLUS_N1_LESS_N2, SUB, "k + n1 - n2") \
    X(SHIFT_OF_THE_SCALE, SUB, "shift of the scale") \
    X(REQUANT_SHIFT, WRAP, "shift") \
    X(THE_INPUTS_ZERO_POINT_SCALED, MUL, "the input's zero point, scaled") \
    X(OFFSET, SUB, "offset") \
    X(E_ROOM_ABOVE_THE_SCALE_OF_IN, NORM, "e: room above the scale of in") \
    X(THE_SCALE_OF_IN_WIDENED, SHL, "the scale of in, widened") \
    X(R_IN_SCALE_OVER_OUT_SCALE, TDIV, "r: in scale / out scale") \
    X(P_REDUNDANT_SIGN_BITS_OF_R, NORM, "p: redundant sign bits of r") \
    X(16_LESS_P_BITS_THAT_GO, SUB, "16 - p: bits that go") \
    X(RATIO_R_IN_15_BITS, RSH, "ratio: r in 15 bits") \
    X(N_I_PLUS_E, ADD, "n_i + e") \
    X(N_I_PLUS_E_LESS_N_O, SUB, "n_i + e - n_o") \
    X(BASE_SHIFT_WITHOUT_THE_WEIGHTS, SUB, "base: shift without the weights") \
    X(MUL_RATIO_TIMES_SCALE_OF_THE_WEIGHTS, MUL, "mul: ratio times scale of the weights") \
    X(MULTIPLIER_SHIFT, ADD, "shift") \
    X(T_REDUNDANT_SIGN_BITS_OF_MUL, NORM, "t: redundant sign bits of mul") \
    X(MUL_FILLING_32_BITS, SHL, "mul, filling 32 bits") \
    X(MUL_IN_FEWER_BITS, RSH, "mul in fewer bits") \
    X(IN_PLACE_AGAIN, SHL, "in place again") \
    X(PRODUCT_OF_THE_SCALES, MUL, "product of the scales of in and weights") \
    X(MULTIPLIER_SHIFT_LESS_OUT, SUB, "shift, less that of out") \
    X(ROOM_ABOVE_THE_PRODUCT_OF_SCALES, NORM, "room above the product of the scales") \
    X(ROOM_ABOVE_THE_SCALE_OF_OUT, NORM, "room above the scale of out") \
    X(THE_PRODUCT_OF_SCALES_WIDENED, SHL, "product of the scales, widened") \
    X(THE_SCALE_OF_OUT_WIDENED, SHL, "scale of out, widened") \
    X(RATIO_OF_ALL_SCALES, TDIV, "ratio of all scales") \
    X(REDUNDANT_SIGN_BITS_IN_64, NORM, "redundant sign bits") \
    X(BITS_BEYOND_24, SUB, "bits beyond 24") \
    X(IN_24_BITS, RSH, "in 24 bits, as single precision holds them") \
    X(SHIFT_TO_THE_RIGHT, SUB, "shift to the right") \
    X(BIAS_ALIGNED_TO_THE_PRODUCTS, RSH, "bias, aligned to the products") \
    X(32_BITS_OF_IT_SURVIVE, WRAP, "32 bits of it survive") \
    X(REDUNDANT_SIGN_BITS_OF_THE_BIAS, NORM, "redundant sign bits of the bias") \
    X(BITS_BEYOND_16, SUB, "bits beyond 16") \
    X(SCALE_K_BITS_THAT_GO, MAX, "k: bits that go") \
    X(THE_16_TOP_BITS, ASR, "the 16 top bits") \
    X(BIAS_IN_PLACE_AGAIN, SHL, "bias, in place again") \
    X(SHIFT_AS_FAR_AS_THE_PLATFORM_TAKES_IT, MOD, "shift, as far as the platform takes it") \
    X(LOWEST_RESULT_SYMMETRIC, MAX, "lowest result, symmetric") \
    X(WHAT_THE_REGISTER_KEEPS, WRAP, "what the register keeps") \
    X(A_NEGATIVE_COUNT_SHIFTS_BY_NOTHING, COPY, "a negative count shifts by nothing") \
    X(SHIFTED_TO_THE_LEFT_WRAPPED, WRAP, "shifted to the left, wrapped") \
    X(SHIFTED_TO_THE_LEFT, SHL, "shifted to the left") \
    X(AT_MOST_AS_FAR_AS_THIS, MIN, "at most as far as this") \
    X(THE_PRODUCTS_HIGH_PART, RSH, "the product's high part") \
    X(THE_LONGER_SHIFT, MAX, "the longer shift") \
    X(FIRST_TIMES_ITS_FACTOR, MUL, "first times its factor") \
    X(SECOND_TIMES_ITS_FACTOR, MUL, "second times its factor") \
    X(SHIFT_THAT_IT_LACKS, SUB, "shift that it lacks") \
    X(SCALE_FIRST_ALIGNED, SHL, "first, aligned") \
    X(SCALE_SECOND_ALIGNED, SHL, "second, aligned") \
    X(DIFFERENCE, SUB, "difference") \
    X(WRAPPED_IN_THE_CONTAINER, WRAP, "in the container") \
    X(IN_THE_CONTAINER_BEFORE_THE_ZERO_POINT, SAT, "in the container, before the zero point") \
    X(ACCUMULATOR_TIMES_MULTIPLIER, MUL, "accumulator times multiplier") \
    X(ITS_HIGH_HALF, RSH, "its high half") \
    X(AT_MOST_63, MIN, "at most 63") \
    X(IN_8_BITS_BEFORE_THE_ZERO_POINT, SAT, "in 8 bits, before the zero point") \
    X(RESULT_WITH_THE_OUTPUTS_ZERO_POINT, ADD, "with the output's zero point") \
    X(RESULT_IN_THE_CONTAINER, SAT, "in the container") \
    X(ZERO_POINT_ALIGNED, SHL, "zero point, aligned") \
    X(MUL_IN_16_BITS, RSH, "mul in 16 bits") \
    X(SCALE_SHIFT_BEYOND_21, SUB, "shift beyond 21") \
    X(SCALE_NOT_NEGATIVE, MAX, "not negative") \
    X(PRE_SHIFT_BEFORE_THE_MULTIPLICATION, MIN, "pre: shift before the multiplication") \
    X(ACCUMULATOR_SHIFTED, RSH, "accumulator, shifted") \
    X(ACCUMULATOR_IN_16_BITS, SAT, "accumulator in 16 bits") \
    X(FX_TO_SA8_WITH_THE_OUTPUTS_ZERO_POINT, ADD, "with the output's zero point") \
    X(THE_LIMIT_IN_UNITS_OF_THE_SCALE, SHL, "the limit, in units of the scale") \
    X(HALF_THE_SCALE, ASR, "half the scale") \
    X(WITH_HALF_THE_SCALE, ADD, "with half the scale") \
    X(THE_LIMIT_IN_STEPS_ROUNDED, TDIV, "the limit in steps, rounded") \
    X(THE_LIMIT_IN_STEPS_CUT, TDIV, "the limit in steps, cut") \
    X(SCALE_LOWEST_RESULT, MAX, "lowest result") \
    X(ZERO_POINT_LESS_THE_LIMIT, SUB, "zero point less the limit") \
    X(ZERO_POINT_AND_THE_LIMIT, ADD, "zero point and the limit") \
    X(HIGHEST_RESULT, MIN, "highest result") \
    /* scale_num.h */ \
    X(NOT_ABOVE_THE_UPPER_LIMIT, MIN, "not above the upper limit") \
    X(NOT_BELOW_THE_LOWER_LIMIT, MAX, "not below the lower limit") \
    /* weighted.c */ \
    X(WEIGHTED_FACTOR_OF_WEIGHTS, SUB, "factor of weights") \
    X(WEIGHTED_FRAC_BITS_OF_THE_PRODUCTS, ADD, "frac_bits of the products") \
    X(WEIGHTED_BS_SHIFT_OF_THE_BIAS, SUB, "bs: shift of the bias") \
    X(OS_SHIFT_OF_THE_RESULT, SUB, "os: shift of the result") \
    X(WEIGHTED_INPUT_WITHOUT_ITS_ZERO_POINT, SUB, "input without its zero point") \
    X(WEIGHTED_ACCUMULATOR_WITH_THE_BIAS, ADD, "accumulator with the bias") \
    X(WEIGHTED_AS_WIDE_AS_THE_NEXT_STEP_TAKES_IT, SAT, "as wide as the next step takes it") \
    X(WEIGHTED_IN_STEPS_OF_THE_OUTPUT, RSH, "in steps of the output") \
    /* litert/fixed.c */ \
    X(LITE_DOUBLING_PRODUCT, MUL, "product") \
    X(LITE_HIGH_HALF_ROUNDED_UP, RSH, "its high half, rounded up") \
    X(LITE_HIGH_HALF_IN_32_BITS, SAT, "high half, in 32 bits") \
    X(LITE_DOUBLING_PRODUCT_16, MUL, "product of 16 bits") \
    X(LITE_HIGH_HALF_ROUNDED_UP_16, RSH, "its high half of 16 bits, rounded up") \
    X(LITE_HIGH_HALF_IN_16_BITS, SAT, "high half, in 16 bits") \
    X(LITE_DIVIDED_ROUNDED_AWAY, RSH, "divided, halves away from zero") \
    X(LITE_DIVIDED_ROUNDED_AWAY_16, RSH, "divided in 16 bits, halves away from zero") \
    X(LITE_SHIFT_TO_THE_LEFT, MAX, "shift to the left") \
    X(LITE_SHIFTED_TO_THE_LEFT, SHL, "shifted to the left") \
    X(LITE_SHIFT_WITH_THE_OTHER_SIGN, SUB, "shift with the other sign") \
    X(LITE_SHIFT_TO_THE_RIGHT, MAX, "shift to the right") \
    X(LITE_TIMES_THE_MULTIPLIER, MUL, "times the multiplier") \
    X(LITE_31_LESS_THE_SHIFT, SUB, "31 - shift") \
    X(LITE_SCALED_ROUNDED_UP, RSH, "scaled, rounded up") \
    X(LITE_MULTIPLIER_IN_16_BITS, RSH, "multiplier in 16 bits") \
    X(LITE_MULTIPLIER_AT_MOST_32767, MIN, "multiplier at most 32767") \
    X(LITE_TIMES_THE_MULTIPLIER_OF_16_BITS, MUL, "times the multiplier of 16 bits") \
    X(LITE_15_LESS_THE_SHIFT, SUB, "15 - shift") \
    X(LITE_SCALED_64_ROUNDED_UP, RSH, "scaled, rounded up") \
    X(LITE_AT_LEAST_THE_LOWER_LIMIT, MAX, "at least the lower limit") \
    X(LITE_AT_MOST_THE_UPPER_LIMIT, MIN, "at most the upper limit") \
    X(LITE_IN_THE_OUTPUTS_RANGE, SAT, "in the output's range") \
    X(LITE_X_FROM_THE_MIDDLE, ADD, "x from the middle") \
    X(LITE_X4_OVER_4_PLUS_X3, ADD, "x^4 / 4 + x^3") \
    X(LITE_PLUS_X2, ADD, "and x^2") \
    X(LITE_X_PLUS_T, ADD, "x + t") \
    X(LITE_EXP_OF_A_QUARTER, ADD, "exp of a quarter") \
    X(LITE_EXP_OF_0, COPY, "exp of 0") \
    X(LITE_PART_BELOW_A_QUARTER, MOD, "part below a quarter") \
    X(LITE_PART_BELOW_A_QUARTER_NEGATIVE, SUB, "part below a quarter, less a quarter") \
    X(LITE_WHOLE_QUARTERS, SUB, "whole quarters") \
    X(LITE_PART_IN_Q31, SHL, "part, in Q0.31") \
    X(LITE_1_PLUS_A, ADD, "1 + a") \
    X(LITE_HALF_OF_THE_DENOMINATOR, ASR, "half of the denominator") \
    X(LITE_FIRST_QUOTIENT, ADD, "first quotient") \
    X(LITE_ERROR_OF_THE_QUOTIENT, SUB, "error of the quotient") \
    X(LITE_CHANGE_OF_THE_QUOTIENT, SHL, "change of the quotient") \
    X(LITE_NEXT_QUOTIENT, ADD, "next quotient") \
    X(LITE_QUOTIENT_IN_Q31, SHL, "quotient, in Q0.31") \
    X(LITE_QUOTIENT_LESS_1, SUB, "quotient - 1") \
    X(LITE_DOUBLED_QUOTIENT_IN_Q31, SHL, "(1 - a) / (1 + a), in Q0.31") \
    X(LITE_MINUS_A, SUB, "-a") \
    X(LITE_LOGISTIC_OF_0, COPY, "logistic of 0") \
    X(LITE_1_LESS_P, SUB, "1 - p") \
    X(LITE_TANH_OF_0, COPY, "tanh of 0") \
    X(LITE_MINUS_T, SUB, "-t") \
    X(LITE_REDUNDANT_SIGN_BITS, NORM, "redundant sign bits") \
    X(LITE_LEADING_ZERO_BITS, ADD, "leading zero bits") \
    X(LITE_BITS_OVER_UNIT, SUB, "bits over unit") \
    X(LITE_SUM_FILLING_32_BITS, SHL, "sum filling 32 bits") \
    X(LITE_SUM_LESS_1, SUB, "sum - 1") \
    X(LITE_A_QUARTER_OF_IT, ASR, "a quarter of it") \
    X(LITE_ONE_MORE, ADD, "one more") \
    X(LITE_REDUNDANT_SIGN_BITS_OF_THE_SQUARES, NORM, "redundant sign bits of the squares") \
    X(LITE_HALF_OF_THE_BITS, ASR, "half of the bits") \
    X(LITE_P_POWERS_OF_4, SUB, "p: powers of 4") \
    X(LITE_BITS_OF_THE_POWERS_OF_4, ADD, "bits of the powers of 4") \
    X(LITE_N_LESS_P, SUB, "n - p") \
    X(LITE_TIMES_THE_POWERS_OF_4, SHL, "times the powers of 4") \
    X(LITE_CUBE_IN_Q28, SHL, "x^3") \
    X(LITE_NEXT_ROOT, SUB, "next root") \
    X(LITE_NEXT_ROOT_IN_Q28, SHL, "next root, in Q3.28") \
    X(LITE_ROOT_OF_1, COPY, "root of 1") \
    X(LITE_HALF_OF_THE_SQUARES, ASR, "half of the squares") \
    X(LITE_N_NOT_NEGATIVE, MAX, "n not negative") \
    X(LITE_N_BELOW_0, SUB, "n below 0") \
    X(LITE_MINUS_N, SUB, "-n") \
    X(LITE_ROOT_SHIFTED, SHL, "root shifted") \
    X(LITE_INTERVAL, ASR, "interval") \
    X(LITE_I_ENTRY_OF_THE_TABLE, ADD, "i: entry of the table") \
    X(LITE_O_PLACE_IN_THE_INTERVAL, MOD, "o: place in the interval") \
    X(LITE_ENTRY_I, COPY, "T[i]") \
    X(LITE_ENTRY_I_PLUS_1, COPY, "T[i + 1]") \
    X(LITE_SLOPE, SUB, "slope") \
    X(LITE_SLOPE_TIMES_O, MUL, "slope * o") \
    X(LITE_RISE_UP_TO_THE_PLACE, RSH, "rise up to the place") \
    X(LITE_INTERPOLATED, ADD, "interpolated") \
    /* litert/exact_weights.c */ \
    X(LITE_WEIGHT_WITH_ITS_OFFSET, ADD, "weight with its offset") \
    X(LITE_INPUT_WITH_ITS_OFFSET, ADD, "input with its offset") \
    X(LITE_SUM_WITH_THE_BIAS, ADD, "sum with the bias") \
    X(LITE_WITH_THE_OUTPUTS_OFFSET, ADD, "with the output's offset") \
    /* litert/exact_rows.c */ \
    X(LITE_INPUT_WITHOUT_ITS_ZERO_POINT, SUB, "input without its zero point") \
    X(LITE_HALF_OF_THE_POSITIONS, ASR, "n / 2") \
    X(LITE_SUM_AND_HALF, ADD, "sum + n / 2") \
    X(LITE_SUM_LESS_HALF, SUB, "sum - n / 2") \
    X(LITE_AVERAGE, TDIV, "average") \
    X(LITE_POOL_THE_LARGER_ONE, MAX, "the larger one") \
    X(LITE_ROW_THE_LARGER_ONE, MAX, "the larger one") \
    X(LITE_X_LESS_THE_LARGEST, SUB, "x - the largest") \
    X(LITE_TOO_FAR_BELOW, COPY, "too far below") \
    X(LITE_BITS_THAT_GO, ADD, "bits that go") \
    X(LITE_FROM_THE_LOWEST_RESULT, SUB, "from the lowest result") \
    X(LITE_FROM_THE_END_OF_THE_TABLE, ADD, "from the end of the table") \
    X(LITE_WITHIN_THE_TABLE, SAT, "within the table") \
    X(LITE_ZERO_BITS_LESS_1, SUB, "zero bits - 1") \
    X(LITE_SUM_FILLING_31_BITS, SHL, "sum filling 31 bits") \
    X(LITE_SUM_IN_17_BITS, RSH, "sum in 17 bits") \
    X(LITE_PLACE_IN_THE_TABLE, SUB, "place in the table") \
    X(LITE_PLACE_WITHIN_THE_TABLE, SAT, "place within the table") \
    X(LITE_E_TIMES_THE_RECIPROCAL, MUL, "e * reciprocal") \
    X(LITE_31_LESS_THE_ZERO_BITS, SUB, "31 - zero bits") \
    X(LITE_E_OVER_THE_SUM, RSH, "e / sum") \
    X(LITE_NOT_BELOW_0, MAX, "not below 0") \
    X(LITE_AT_MOST_32767, MIN, "at most 32767") \
    X(LITE_ROOM_ABOVE_N, NORM, "room above n") \
    X(LITE_LOGARITHM_OF_N, SUB, "logarithm of n") \
    X(LITE_31_AND_THE_SHIFT, ADD, "31 + shift") \
    X(LITE_K_AT_MOST_32, MIN, "k: at most 32") \
    X(LITE_K, MIN, "k: at most 31 + shift") \
    X(LITE_MULTIPLIER_TIMES_2_TO_THE_K, SHL, "multiplier * 2^k") \
    X(LITE_MULTIPLIER_OVER_N, TDIV, "multiplier / n") \
    X(LITE_SHIFT_LESS_K, SUB, "shift - k") \
    X(LITE_ZERO_POINT_TIMES_N, MUL, "zero point * n") \
    X(LITE_SUM_WITHOUT_ZERO_POINTS, SUB, "sum without zero points") \
    X(LITE_WITH_THE_OUTPUTS_ZERO_POINT, ADD, "with the output's zero point") \
    X(LITE_SHIFT_AND_7, ADD, "shift + 7") \
    /* litert/exact_elementwise.c */ \
    X(LITE_OPERAND_WITH_ITS_OFFSET, ADD, "operand with its offset") \
    X(LITE_RESULT_WITH_THE_OUTPUTS_OFFSET, ADD, "with the output's offset") \
    X(LITE_OPERAND_WIDENED, SHL, "operand widened") \
    X(LITE_SUM_OF_BOTH, ADD, "sum of both") \
    X(LITE_DIFFERENCE_OF_BOTH, SUB, "difference of both") \
    X(LITE_PRODUCT_OF_BOTH, MUL, "product of both") \
    X(LITE_ELEMENT_WITHOUT_ITS_ZERO_POINT, SUB, "element without its zero point") \
    X(LITE_BEYOND_THE_RADIUS, COPY, "beyond the radius") \
    X(LITE_LESS_128, SUB, "result - 128") \
    X(LITE_3_TIMES_A_POWER_OF_2, SHL, "3 * 2^shift") \
    X(LITE_ELEMENT_TIMES_THE_MULTIPLIER, MUL, "element times the multiplier") \
    X(LITE_ELEMENT_TIMES_A_POWER_OF_2, MUL, "element times 3 * 2^shift") \
    X(LITE_PLACE_ROUNDED_UP, RSH, "place rounded up") \
    X(LITE_PLACE_WITHOUT_ITS_SIGN, SUB, "place without its sign") \
    X(LITE_H_ENTRY_OF_SIGMOID, ASR, "h: entry of the table") \
    X(LITE_BEYOND_THE_TABLE, COPY, "beyond the table") \
    X(LITE_ENTRY_H, COPY, "T[h]") \
    X(LITE_ENTRY_H_PLUS_1, COPY, "T[h + 1]") \
    X(LITE_PLACE_BETWEEN_ENTRIES, MOD, "place between entries") \
    X(LITE_SLOPE_OF_SIGMOID, SUB, "slope of sigmoid") \
    X(LITE_RISE_OF_SIGMOID, MUL, "rise of sigmoid") \
    X(LITE_ENTRY_WIDENED, SHL, "entry widened") \
    X(LITE_SIGMOID_INTERPOLATED, ADD, "sigmoid interpolated") \
    X(LITE_LOGISTIC_AND_HALF, ADD, "t + 512") \
    X(LITE_1_LESS_LOGISTIC_AND_HALF, SUB, "2^25 + 511 - t") \
    X(LITE_LOGISTIC_IN_15_BITS, ASR, "logistic in 15 bits") \
    X(LITE_TANH_AND_HALF, SUB, "t - 2^23 + 128") \
    X(LITE_MINUS_TANH_AND_HALF, SUB, "2^23 + 127 - t") \
    X(LITE_TANH_IN_15_BITS, ASR, "tanh in 15 bits") \
    X(LITE_RESULT_WITH_THE_OUTPUTS_ZERO_POINT, ADD, "with the output's zero point") \
    X(LITE_ALPHA_WITHOUT_ITS_SIGN, SUB, "alpha without its sign") \
    X(LITE_WITH_THE_SIGN_OF_ALPHA, SUB, "with the sign of alpha") \
    X(LITE_NOT_BELOW_ZERO, MAX, "not below zero") \
    X(LITE_NOT_ABOVE_SIX, MIN, "not above six") \
    X(LITE_EXPONENT_LESS_1, SUB, "exponent - 1") \
    X(LITE_EXPONENT_WITH_THE_OTHER_SIGN, SUB, "exponent with the other sign") \
    X(LITE_OUTPUTS_EXPONENT_WITH_THE_OTHER_SIGN, SUB, "output's exponent with the other sign") \
    X(LITE_GATE_WIDENED, SHL, "gate widened") \
    X(LITE_GATE_DOUBLED, SHL, "gate doubled") \
    X(LITE_GATE_FROM_0, ADD, "gate from 0") \
    X(LITE_GATE_IN_15_BITS, ASR, "gate in 15 bits") \
    X(LITE_128_TIMES_X, SHL, "x * 128") \
    X(LITE_GATE_TIMES_A, MUL, "gate * a") \
    X(LITE_GATED_TOWARDS_ZERO, TDIV, "/ 2^15, towards zero")

/* Gates: what a function computes several times. */
#define LB_BLOCKS(X) \
    X(NONE, "") \
    X(I, "i") \
    X(G, "g") \
    X(F, "f") \
    X(O, "o") \
    X(Z, "z") \
    X(R, "r") \
    X(N, "n")

/* Terms of a sum, operands, branches: what the same operations are done to. */
#define LB_TERMS(X) \
    X(NONE, "") \
    X(INPUT, "x") \
    X(HIDDEN, "h") \
    X(IN0, "in0") \
    X(IN1, "in1") \
    X(IN2, "in2") \
    X(IN3, "in3") \
    X(POSITIVE, "positive") \
    X(NEGATIVE, "negative")

/* Who a given number belongs to: a tensor of the call, with its role and its place in a list of
 * tensors (-1: it is none); a vector that the call makes; the geometry. */
#define LB_OWNERS(X) \
    X(NONE, "", -1, -1) \
    X(IN, "in", LB_ROLE_IN, -1) \
    X(IN_0, "in[0]", LB_ROLE_IN, 0) \
    X(IN_1, "in[1]", LB_ROLE_IN, 1) \
    X(IN_2, "in[2]", LB_ROLE_IN, 2) \
    X(IN_3, "in[3]", LB_ROLE_IN, 3) \
    X(IN1, "in1", LB_ROLE_IN1, -1) \
    X(IN2, "in2", LB_ROLE_IN2, -1) \
    X(PREV_OUT, "prev_out", LB_ROLE_PREV_OUT, -1) \
    X(WEIGHTS, "weights", LB_ROLE_WEIGHTS, -1) \
    X(WEIGHTS_0, "weights[0]", LB_ROLE_WEIGHTS, 0) \
    X(WEIGHTS_1, "weights[1]", LB_ROLE_WEIGHTS, 1) \
    X(WEIGHTS_2, "weights[2]", LB_ROLE_WEIGHTS, 2) \
    X(WEIGHTS_3, "weights[3]", LB_ROLE_WEIGHTS, 3) \
    X(WEIGHTS_IN, "weights_in", LB_ROLE_WEIGHTS_IN, -1) \
    X(WEIGHTS_OUT, "weights_out", LB_ROLE_WEIGHTS_OUT, -1) \
    X(BIAS, "bias", LB_ROLE_BIAS, -1) \
    X(SLOPE, "slope", LB_ROLE_SLOPE, -1) \
    X(CELL, "cell", LB_ROLE_CELL, -1) \
    X(MULTIPLIER, "multiplier", LB_ROLE_MULTIPLIER, -1) \
    X(SHIFT, "shift", LB_ROLE_SHIFT, -1) \
    X(OUT, "out", LB_ROLE_OUT, -1) \
    X(HIDDEN, "h", -1, -1) \
    X(I, "i", -1, -1) \
    X(G, "g", -1, -1) \
    X(F, "f", -1, -1) \
    X(O, "o", -1, -1) \
    X(Z, "z", -1, -1) \
    X(R, "r", -1, -1) \
    X(N, "n", -1, -1) \
    X(RESET_HIDDEN, "r*h", -1, -1) \
    X(KEPT_HIDDEN, "z*h", -1, -1) \
    X(COMPLEMENT, "1-z", -1, -1) \
    X(ACTIVATED_CELL, "act(cell)", -1, -1) \
    X(WINDOW, "positions in the window", -1, -1) \
    X(ENTRY, "entry", -1, -1) \
    X(RANK, "rank", -1, -1)
/* clang-format on */

#define LB_SITE_CODE(name, operation, label) LB_SITE_##name,
typedef enum lb_site { LB_SITES(LB_SITE_CODE) LB_SITE_COUNT } lb_site;
#define LB_BLOCK_CODE(name, text) LB_BLOCK_##name,
typedef enum lb_block { LB_BLOCKS(LB_BLOCK_CODE) LB_BLOCK_COUNT } lb_block;
#define LB_TERM_CODE(name, text) LB_TERM_##name,
typedef enum lb_step_term { LB_TERMS(LB_TERM_CODE) LB_TERM_COUNT } lb_step_term;
#define LB_OWNER_CODE(name, text, role, item) LB_OWNER_##name,
typedef enum lb_owner { LB_OWNERS(LB_OWNER_CODE) LB_OWNER_COUNT } lb_owner;

/* "in steps of the output" */
const char *lb_site_label(lb_site site);
/* "IN_STEPS_OF_THE_OUTPUT" */
const char *lb_site_symbol(lb_site site);
/* The operation that it is (lb_operation). */
int lb_site_operation(lb_site site);
/* "i"; "": none */
const char *lb_block_name(lb_block block);
/* "x"; "": none */
const char *lb_term_name(lb_step_term term);
/* "in[1]" */
const char *lb_owner_name(lb_owner owner);
/* Its role, or -1; its place in a list of tensors, or -1. */
int lb_owner_role(lb_owner owner);
int lb_owner_item(lb_owner owner);

#endif
