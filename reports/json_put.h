/* Members of a JSON object, one behind the other: each puts the comma that it needs. */
#ifndef LB_REPORTS_JSON_PUT_H
#define LB_REPORTS_JSON_PUT_H

#include "doc.h"

/* "KEY": with a comma in front, but not behind a bracket that opens. */
void lb_put_key(lb_doc *doc, const char *key);
void lb_put_text(lb_doc *doc, const char *key, const char *text);
/* Whole numbers stand in full, beyond 2^53 too. */
void lb_put_number(lb_doc *doc, const char *key, int64_t value);
void lb_put_bool(lb_doc *doc, const char *key, bool value);

#endif
