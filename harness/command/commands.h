/* The commands, each with its table of options (base/options.h). README.md has the list. */
#ifndef LB_HARNESS_COMMAND_COMMANDS_H
#define LB_HARNESS_COMMAND_COMMANDS_H

#include "harness/base/options.h"

/* lastbit itself: all commands are behind it. */
extern const lb_command lb_lastbit;

extern const lb_command lb_bench_command, lb_cast_command, lb_certify_command,
    lb_characterize_command, lb_completion_command, lb_diagnose_command, lb_encodings_command,
    lb_explain_command, lb_guard_command, lb_manual_command, lb_oracle_command, lb_pack_command,
    lb_port_command, lb_demo_command, lb_report_command, lb_requantize_command, lb_rule_command,
    lb_run_command, lb_sweep_command, lb_vectors_command;

/* Commands behind another one's name. */
extern const lb_command lb_encodings_convert_command, lb_port_functions_command,
    lb_port_new_command, lb_vectors_coverage_command, lb_vectors_crosscheck_command,
    lb_vectors_export_command, lb_vectors_from_encodings_command, lb_vectors_from_tflite_command,
    lb_vectors_generate_command, lb_vectors_record_command, lb_vectors_select_command,
    lb_vectors_strength_command;

#endif
