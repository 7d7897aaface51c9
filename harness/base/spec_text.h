/* The specifications (reference/mli/spec, reference/litert/spec), which the program holds: sections
 * by the names that messages give them, "numerics.md 4.2" or, shorter, "numerics.4.2". The pages of
 * LiteRT are named "litert/PAGE", and number their sections through: "litert.2.3". */
#ifndef LB_HARNESS_BASE_SPEC_TEXT_H
#define LB_HARNESS_BASE_SPEC_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A page, as the build puts it into the program. */
typedef struct lb_spec_page {
    const char *name; /* "numerics", "litert/primitives" */
    const unsigned char *text;
    size_t bytes;
} lb_spec_page;

extern const lb_spec_page lb_spec_pages[]; /* ended by a name of NULL */

/* A section of a page, or (no number) the whole page. */
typedef struct lb_spec_section {
    const lb_spec_page *page;
    char number[16];   /* "4.2" */
    const char *title; /* behind the number; not ended by 0 */
    size_t title_bytes;
    const char *text; /* from its heading on, with what is below it */
    size_t text_bytes;
    unsigned level; /* 1: the page, 2: "## 4.", 3: "### 4.2" */
} lb_spec_section;

/* The section that a name means: PAGE.md NUMBER, PAGE.NUMBER, PAGE; words behind the number, such
 * as the name of a row or a further section, are passed over. For PAGE may stand the folder of
 * pages, "litert": its first page, or the one that has the number. */
bool lb_spec_find(const char *name, lb_spec_section *section);

/* Is the page, or a folder that it is in, what such a name begins with? */
bool lb_spec_is_of(const lb_spec_page *page, const char *name);

/* The shortest name that finds a section: "numerics", "numerics.4.2", "litert.2.3". */
const char *lb_spec_name(const lb_spec_section *section, char *name, size_t name_bytes);

/* The sections of a page in their order: the first, and the one behind `section`. */
bool lb_spec_first(const lb_spec_page *page, lb_spec_section *section);
bool lb_spec_next(lb_spec_section *section);

/* The section that a mention names in place `which`, from 0: "numerics.md 4.2, 4.3" names two. */
bool lb_spec_named(const char *mention, unsigned which, lb_spec_section *section);

/* Titles of the sections that a mention names, "Bias" of "numerics.md 4.2", with ; between those of
 * "numerics.md 4.2, 4.3"; "" where it names none. */
const char *lb_spec_title(const char *mention, char *text, size_t text_bytes);

#endif
