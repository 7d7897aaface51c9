/* What `lastbit report` needs and the room of reports does not know: waiver files. */
#ifndef LB_HARNESS_COMMAND_REPORT_EXTRAS_H
#define LB_HARNESS_COMMAND_REPORT_EXTRAS_H

#include "reports/report_command.h"

extern const lb_report_extras lb_harness_report_extras;

#endif
