/* The commands: each reads its own command line and gives the exit status. README.md has the list.
 */
#ifndef LB_HARNESS_COMMAND_COMMANDS_H
#define LB_HARNESS_COMMAND_COMMANDS_H

int lb_command_bench(int argc, char **argv);
int lb_command_cast(int argc, char **argv);
int lb_command_diagnose(int argc, char **argv);
int lb_command_encodings(int argc, char **argv);
int lb_command_explain(int argc, char **argv);
int lb_command_guard(int argc, char **argv);
int lb_command_pack(int argc, char **argv);
int lb_command_port(int argc, char **argv);
int lb_command_rule(int argc, char **argv);
int lb_command_run(int argc, char **argv);
int lb_command_sweep(int argc, char **argv);
int lb_command_vectors(int argc, char **argv);

/* Commands behind another one's name. */
int lb_command_encodings_convert(int argc, char **argv);
int lb_command_vectors_coverage(int argc, char **argv);
int lb_command_vectors_crosscheck(int argc, char **argv);
int lb_command_vectors_from_encodings(int argc, char **argv);
int lb_command_vectors_generate(int argc, char **argv);
int lb_command_vectors_record(int argc, char **argv);
int lb_command_vectors_select(int argc, char **argv);
int lb_command_vectors_strength(int argc, char **argv);

#endif
