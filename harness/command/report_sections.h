/* Sections of the specification for reports: the room of reports does not know it. */
#ifndef LB_HARNESS_COMMAND_REPORT_SECTIONS_H
#define LB_HARNESS_COMMAND_REPORT_SECTIONS_H

#include "reports/render.h"

extern const lb_sections lb_report_spec_sections;

#endif
