/* All results as data for the page's script: columns of numbers over tables of strings, in as few
 * bytes as they take. What would make the page too large is left out, passes first, and the page
 * says so. */
#ifndef LB_REPORTS_HTML_DATA_H
#define LB_REPORTS_HTML_DATA_H

#include "facts.h"

typedef struct lb_html_data lb_html_data;

/* For so many results. NULL: out of memory. */
lb_html_data *lb_html_data_make(uint64_t expected);
void lb_html_data_free(lb_html_data *all);
/* Takes a result that the facts know already. False: out of memory. */
bool lb_html_data_add(lb_html_data *all, const lb_facts *facts, const lb_result *result);
/* Writes the data, once. */
bool lb_html_data_put(lb_html_data *all, const lb_facts *facts, lb_doc *doc, FILE *out);

#endif
