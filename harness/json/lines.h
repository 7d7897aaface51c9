/* Files of JSON Lines: an object a line, small enough together to be kept by whoever reads them. */
#ifndef LB_HARNESS_JSON_LINES_H
#define LB_HARNESS_JSON_LINES_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Takes the object of a line; who keeps it sets *line to NULL. What is wrong with it, or NULL. */
typedef const char *lb_json_line_fn(void *user, cJSON **line);

/* Reads the file to its end, or to the first line that is wrong; empty lines count and are left
 * out. False: told on standard error, with the path, the line, and `remedy`. */
bool lb_json_lines_read(const char *path, const char *remedy, lb_json_line_fn *take, void *user);

#endif
