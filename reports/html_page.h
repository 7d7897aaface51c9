/* The parts of the page that are the same in every report, from html/, and their sums for its
 * content security policy. */
#ifndef LB_REPORTS_HTML_PAGE_H
#define LB_REPORTS_HTML_PAGE_H

#include <stddef.h>

typedef struct lb_page_part {
    const unsigned char *bytes;
    size_t count;
    const char *sha256_base64;
} lb_page_part;

extern const lb_page_part lb_page_css, lb_page_js, lb_page_svg;

#endif
