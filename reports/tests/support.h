/* What the tests of this room share: whole files as text, and documents made from synthetic
 * results. */
#ifndef LB_REPORTS_TESTS_SUPPORT_H
#define LB_REPORTS_TESTS_SUPPORT_H

#include "synthetic.h"

/* Builds with sanitizers take many times as long: there the tests of sizes try fewer results, and
 * measure neither time nor memory. */
#if defined(__SANITIZE_ADDRESS__)
#define LB_TEST_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LB_TEST_CHECKED 1
#endif
#endif
#ifdef LB_TEST_CHECKED
enum { LB_TEST_MANY = 8000, LB_TEST_MEASURED = 0 };
#else
enum { LB_TEST_MANY = 100000, LB_TEST_MEASURED = 1 };
#endif

/* The whole file, terminated; the caller frees it. Ends the program if it cannot be read. */
char *lb_test_read(const char *path, size_t *length);
/* Writes a whole file; ends the program if it cannot. */
void lb_test_write(const char *path, const char *text, size_t length);
/* Writes synthetic results to base.json. */
void lb_test_write_results(const char *base, lb_synthetic_kind kind, uint64_t count);
/* Writes base.json and renders it to base.KIND; gives the document, which the caller frees. */
char *lb_test_render(const char *base, const char *document, lb_synthetic_kind kind, uint64_t count,
                     size_t *length);
/* The same from a base.json that is there already; removes it. */
char *lb_test_render_file(const char *base, const char *document, size_t *length);
/* As strstr, in time that depends on the distance alone (a checked build's strstr measures the
 * whole text every time). */
const char *lb_test_find(const char *text, const char *part);
/* How often a text stands in another. */
size_t lb_test_count(const char *text, const char *part);
/* A copy of text with every `from` replaced; the caller frees it. */
char *lb_test_replaced(const char *text, const char *from, const char *to);
/* Runs `lastbit report` with these arguments, "report" first and NULL last, and its two streams in
 * files. */
int lb_test_command(char **arguments, const char *out_path, const char *err_path);
/* Seconds of processor time so far. */
double lb_test_seconds(void);

#endif
