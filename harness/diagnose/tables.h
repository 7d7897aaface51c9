/* Tables that create_lut makes wrong. What it leaves is seen entry by entry and field by field, so
 * nothing has to be tried; and whatever looks up in the table fails with it and shows nothing of
 * its own, so it stands under the table. */
#ifndef LB_HARNESS_DIAGNOSE_TABLES_H
#define LB_HARNESS_DIAGNOSE_TABLES_H

#include "harness/diagnose/diagnosis.h"

void lb_diagnose_tables(lb_diagnosing *g);

#endif
