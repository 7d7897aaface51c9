/* The keys of results.json in tables. README.md explains each key. */
#include "results_members.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define MEMBER(record, name, type, required)                                                       \
    LB_MEMBER_OF(#name, type, offsetof(record, name), required)

static const lb_member result_list[] = {
    MEMBER(lb_result, order, U64, true),
    MEMBER(lb_result, suite, STRING, true),
    MEMBER(lb_result, file, STRING, true),
    MEMBER(lb_result, line, UNSIGNED, true),
    MEMBER(lb_result, id, STRING, true),
    MEMBER(lb_result, function, STRING, true),
    MEMBER(lb_result, family, STRING, false),
    MEMBER(lb_result, variant, STRING, false),
    MEMBER(lb_result, profile, STRING, true),
    MEMBER(lb_result, verdict, VERDICT, true),
    MEMBER(lb_result, kind, STRING, false),
    MEMBER(lb_result, reason, STRING, false),
    MEMBER(lb_result, recorded, OPINION, false),
    MEMBER(lb_result, exact, OPINION, false),
    MEMBER(lb_result, real, OPINION, false),
    MEMBER(lb_result, outlier, STRING, false),
    MEMBER(lb_result, status_expected, STRING, false),
    MEMBER(lb_result, status_got, STRING, false),
    MEMBER(lb_result, rule, STRING, false),
    MEMBER(lb_result, reproduce, STRING, false),
    MEMBER(lb_result, microseconds, DOUBLE, false),
    MEMBER(lb_result, vacuous, STRING, false),
    MEMBER(lb_result, diverges_at, STRING, false),
    MEMBER(lb_result, fault, STRING, false),
    MEMBER(lb_result, section, STRING, false),
    MEMBER(lb_result, cpu, STRING, false),
    MEMBER(lb_result, waiver, STRING, false),
    MEMBER(lb_result, was, STRING, false),
    MEMBER(lb_result, map_role, STRING, false),
    MEMBER(lb_result, map_rows, UNSIGNED, false),
    MEMBER(lb_result, map_columns, UNSIGNED, false),
    MEMBER(lb_result, map, STRING, false),
    MEMBER(lb_result, tags, STRING, false),
    MEMBER(lb_result, elements, U64, false),
    MEMBER(lb_result, calls, UNSIGNED, false),
    MEMBER(lb_result, explain, STRING, false),
    MEMBER(lb_result, map_shape, STRING, false),
    MEMBER(lb_result, map_values, STRING, false),
    MEMBER(lb_result, map_operands, STRING, false),
    MEMBER(lb_result, explanation, STRING, false),
    MEMBER(lb_result, again, STRING, false),
};

static const lb_member difference_list[] = {
    MEMBER(lb_difference, oracle, STRING, true),    MEMBER(lb_difference, what, DIFFERS, true),
    MEMBER(lb_difference, role, STRING, false),     MEMBER(lb_difference, field, STRING, false),
    MEMBER(lb_difference, index, STRING, false),    MEMBER(lb_difference, operands, STRING, false),
    MEMBER(lb_difference, expected, STRING, false), MEMBER(lb_difference, got, STRING, false),
    MEMBER(lb_difference, count, U64, true),        MEMBER(lb_difference, total, U64, true),
};

static const lb_member tolerance_list[] = {
    MEMBER(lb_tolerance, role, STRING, true),
    MEMBER(lb_tolerance, elements, U64, true),
    MEMBER(lb_tolerance, max_steps, DOUBLE, true),
    MEMBER(lb_tolerance, mean_steps, DOUBLE, true),
    MEMBER(lb_tolerance, rms_steps, DOUBLE, true),
    MEMBER(lb_tolerance, max_real, DOUBLE, false),
    MEMBER(lb_tolerance, snr_db, DOUBLE, false),
    MEMBER(lb_tolerance, noise_ratio, DOUBLE, false),
    MEMBER(lb_tolerance, quant_share_percent, DOUBLE, false),
    MEMBER(lb_tolerance, histogram, HISTOGRAM, false),
    MEMBER(lb_tolerance, limit_metric, STRING, false),
    MEMBER(lb_tolerance, limit_source, STRING, false),
    MEMBER(lb_tolerance, limit, DOUBLE, false),
    MEMBER(lb_tolerance, used_percent, DOUBLE, false),
};

static const lb_member accumulator_list[] = {
    MEMBER(lb_accumulator_use, acc_bits, BITS, true),
    MEMBER(lb_accumulator_use, peak_low, I64, true),
    MEMBER(lb_accumulator_use, peak_high, I64, true),
    MEMBER(lb_accumulator_use, peak_bits, BITS, true),
    MEMBER(lb_accumulator_use, macs, U64, true),
    MEMBER(lb_accumulator_use, overflow, OVERFLOW, true),
    MEMBER(lb_accumulator_use, saturated, U64, false),
    MEMBER(lb_accumulator_use, format_bits, BITS, false),
    MEMBER(lb_accumulator_use, bound_low, I64, false),
    MEMBER(lb_accumulator_use, bound_high, I64, false),
    MEMBER(lb_accumulator_use, bound_bits, BITS, false),
    MEMBER(lb_accumulator_use, separate_peak_low, I64, false),
    MEMBER(lb_accumulator_use, separate_peak_high, I64, false),
    MEMBER(lb_accumulator_use, separate_bound_low, I64, false),
    MEMBER(lb_accumulator_use, separate_bound_high, I64, false),
};

static const lb_member run_list[] = {
    MEMBER(lb_run_info, tool_version, STRING, true),
    MEMBER(lb_run_info, tool_commit, STRING, false),
    MEMBER(lb_run_info, started, STRING, true),
    MEMBER(lb_run_info, seconds, DOUBLE, true),
    MEMBER(lb_run_info, command, STRING, false),
    MEMBER(lb_run_info, whole_command, STRING, false),
    MEMBER(lb_run_info, port, STRING, true),
    MEMBER(lb_run_info, port_described, STRING, false),
    MEMBER(lb_run_info, port_sha256, STRING, false),
    MEMBER(lb_run_info, port_target, STRING, false),
    MEMBER(lb_run_info, port_compiler, STRING, false),
    MEMBER(lb_run_info, port_options, STRING, false),
    MEMBER(lb_run_info, port_library_options, STRING, false),
    MEMBER(lb_run_info, port_contradiction, STRING, false),
    MEMBER(lb_run_info, port_sandbox, STRING, false),
    MEMBER(lb_run_info, host, STRING, false),
    MEMBER(lb_run_info, host_compiler, STRING, false),
    MEMBER(lb_run_info, shard_index, UNSIGNED, true),
    MEMBER(lb_run_info, shard_count, UNSIGNED, true),
    MEMBER(lb_run_info, exhaustive, STRING, false),
    MEMBER(lb_run_info, certify_seed, STRING, false),
    MEMBER(lb_run_info, certify_drawn, STRING, false),
    MEMBER(lb_run_info, calls, UNSIGNED, false),
    MEMBER(lb_run_info, platforms, STRING, false),
    MEMBER(lb_run_info, guard, STRING, false),
    MEMBER(lb_run_info, coverage_level, STRING, false),
    MEMBER(lb_run_info, judge, STRING, false),
    MEMBER(lb_run_info, tolerance, STRING, false),
    MEMBER(lb_run_info, cpu, STRING, false),
    MEMBER(lb_run_info, buffers, STRING, false),
    MEMBER(lb_run_info, repeats, UNSIGNED, false),
    MEMBER(lb_run_info, strength_faults, U64, false),
    MEMBER(lb_run_info, strength_caught, U64, false),
    MEMBER(lb_run_info, strength_level, STRING, false),
    MEMBER(lb_run_info, time_limit_seconds, DOUBLE, false),
    MEMBER(lb_run_info, functions_provided, UNSIGNED, false),
    MEMBER(lb_run_info, functions_all, UNSIGNED, false),
    MEMBER(lb_run_info, extensions_provided, UNSIGNED, false),
    MEMBER(lb_run_info, extensions_all, UNSIGNED, false),
    MEMBER(lb_run_info, profiles_tried, UNSIGNED, false),
    MEMBER(lb_run_info, profiles_all, UNSIGNED, false),
    MEMBER(lb_run_info, stopped_at, UNSIGNED, false),
    MEMBER(lb_run_info, expected, U64, false),
};

static const lb_member suite_list[] = {
    MEMBER(lb_run_suite, name, STRING, true),
    MEMBER(lb_run_suite, file, STRING, true),
    MEMBER(lb_run_suite, sha256, STRING, false),
    MEMBER(lb_run_suite, cases, U64, true),
};

static const lb_member file_list[] = {
    MEMBER(lb_run_file, role, STRING, true),   MEMBER(lb_run_file, file, STRING, true),
    MEMBER(lb_run_file, named, STRING, false), MEMBER(lb_run_file, suite, STRING, false),
    MEMBER(lb_run_file, sha256, STRING, true),
};

static const lb_member meta_list[] = {
    MEMBER(lb_run_meta, key, STRING, true),
    MEMBER(lb_run_meta, value, STRING, true),
};

static const lb_member coverage_list[] = {
    MEMBER(lb_coverage, function, STRING, true),
    MEMBER(lb_coverage, points, UNSIGNED, true),
    MEMBER(lb_coverage, hit, UNSIGNED, true),
};

static const lb_member unreachable_list[] = {
    MEMBER(lb_unreachable, point, STRING, true),
    MEMBER(lb_unreachable, why, STRING, false),
};

static const lb_member line_coverage_list[] = {
    MEMBER(lb_line_coverage, room, STRING, true),
    MEMBER(lb_line_coverage, lines, U64, true),
    MEMBER(lb_line_coverage, lines_hit, U64, true),
    MEMBER(lb_line_coverage, branches, U64, false),
    MEMBER(lb_line_coverage, branches_hit, U64, false),
    MEMBER(lb_line_coverage, link, STRING, false),
};

static const lb_member drift_list[] = {
    MEMBER(lb_layer_drift, suite, STRING, true),
    MEMBER(lb_layer_drift, profile, STRING, true),
    MEMBER(lb_layer_drift, layer, STRING, true),
    MEMBER(lb_layer_drift, elements, U64, true),
    MEMBER(lb_layer_drift, different, U64, true),
    MEMBER(lb_layer_drift, exact_max, DOUBLE, true),
    MEMBER(lb_layer_drift, exact_noise, DOUBLE, true),
    MEMBER(lb_layer_drift, port_max, DOUBLE, true),
    MEMBER(lb_layer_drift, port_noise, DOUBLE, true),
    MEMBER(lb_layer_drift, failed, STRING, false),
};

static const lb_member speed_list[] = {
    MEMBER(lb_speed, row, STRING, true),
    MEMBER(lb_speed, function, STRING, false),
    MEMBER(lb_speed, cpu, STRING, false),
    MEMBER(lb_speed, unit, STRING, false),
    MEMBER(lb_speed, seconds, DOUBLE, false),
    MEMBER(lb_speed, rate, DOUBLE, false),
    MEMBER(lb_speed, peak, DOUBLE, false),
    MEMBER(lb_speed, percent_of_peak, DOUBLE, false),
    MEMBER(lb_speed, noise_percent, DOUBLE, false),
    MEMBER(lb_speed, baseline_rate, DOUBLE, false),
};

static const lb_member fault_list[] = {
    MEMBER(lb_found_fault, name, STRING, true),
    MEMBER(lb_found_fault, sentence, STRING, true),
    MEMBER(lb_found_fault, certainty, CERTAINTY, true),
    MEMBER(lb_found_fault, function, STRING, false),
    MEMBER(lb_found_fault, family, STRING, false),
    MEMBER(lb_found_fault, functions, UNSIGNED, true),
    MEMBER(lb_found_fault, condition, STRING, false),
    MEMBER(lb_found_fault, section, STRING, false),
    MEMBER(lb_found_fault, explained, U64, true),
    MEMBER(lb_found_fault, against, U64, true),
    MEMBER(lb_found_fault, results, U64, true),
    MEMBER(lb_found_fault, file, STRING, true),
    MEMBER(lb_found_fault, id, STRING, true),
    MEMBER(lb_found_fault, profile, STRING, true),
    MEMBER(lb_found_fault, differs, STRING, false),
    MEMBER(lb_found_fault, look_for, STRING, false),
    MEMBER(lb_found_fault, reproduce, STRING, false),
    MEMBER(lb_found_fault, explain, STRING, false),
    MEMBER(lb_found_fault, explanation, STRING, false),
};

static const lb_member without_cause_list[] = {
    MEMBER(lb_without_cause, why, STRING, true),
    MEMBER(lb_without_cause, results, U64, true),
};

const lb_members lb_result_members = {result_list, COUNT(result_list)};
const lb_members lb_difference_members = {difference_list, COUNT(difference_list)};
const lb_members lb_tolerance_members = {tolerance_list, COUNT(tolerance_list)};
const lb_members lb_accumulator_members = {accumulator_list, COUNT(accumulator_list)};
const lb_members lb_run_members = {run_list, COUNT(run_list)};
const lb_members lb_suite_members = {suite_list, COUNT(suite_list)};
const lb_members lb_file_members = {file_list, COUNT(file_list)};
const lb_members lb_meta_members = {meta_list, COUNT(meta_list)};
const lb_members lb_coverage_members = {coverage_list, COUNT(coverage_list)};
const lb_members lb_unreachable_members = {unreachable_list, COUNT(unreachable_list)};
const lb_members lb_line_coverage_members = {line_coverage_list, COUNT(line_coverage_list)};
const lb_members lb_drift_members = {drift_list, COUNT(drift_list)};
const lb_members lb_speed_members = {speed_list, COUNT(speed_list)};
const lb_members lb_fault_members = {fault_list, COUNT(fault_list)};
const lb_members lb_without_cause_members = {without_cause_list, COUNT(without_cause_list)};
