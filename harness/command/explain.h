/* lastbit explain: every integer step of one output element. */
#ifndef LB_HARNESS_COMMAND_EXPLAIN_H
#define LB_HARNESS_COMMAND_EXPLAIN_H

int lb_command_explain(int argc, char **argv);

#endif
