/* A document in the making: text in memory that grows as it is written, or that fills a given
 * buffer. Errors (no memory, no room) are remembered, so that a writer of many pieces asks once, at
 * the end. */
#ifndef LB_REPORTS_DOC_H
#define LB_REPORTS_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct lb_doc {
    char *text; /* not terminated */
    size_t length, capacity;
    bool fixed;  /* text is the caller's and does not grow */
    bool failed; /* something did not fit or could not be written */
} lb_doc;

/* A document that grows; nothing is allocated before the first byte. */
lb_doc lb_doc_make(void);
/* A document in the caller's buffer. */
lb_doc lb_doc_in(char *text, size_t text_bytes);
/* Releases the text of a document that grows; it is empty and usable afterwards. */
void lb_doc_free(lb_doc *doc);

void lb_doc_bytes(lb_doc *doc, const char *bytes, size_t count);
void lb_doc_puts(lb_doc *doc, const char *text);
static inline void lb_doc_char(lb_doc *doc, char byte)
{
    if (doc->length < doc->capacity)
        doc->text[doc->length++] = byte;
    else
        lb_doc_bytes(doc, &byte, 1);
}
void lb_doc_u64(lb_doc *doc, uint64_t value);
void lb_doc_i64(lb_doc *doc, int64_t value);
/* With thousands separated by commas, for people: 12,000. */
void lb_doc_grouped(lb_doc *doc, uint64_t value);
/* At most `digits` significant digits (1..17), with a decimal point whatever the locale. A value
 * that is no number: `none`. */
void lb_doc_double(lb_doc *doc, double value, int digits, const char *none);
/* A figure for people: the decimals asked for below 100, one up to 1,000, none above; beyond 1e15
 * an exponent. */
void lb_doc_figure(lb_doc *doc, double value, int decimals);
/* "93.4 %" of the whole, cut and not rounded: 100 % is said of all of it alone. Nothing of nothing
 * is all. */
void lb_doc_percent(lb_doc *doc, uint64_t part, uint64_t whole);
/* A rate in figures and a prefix: "2.5 G", to be followed by the unit; nothing for one that is not
 * known. */
void lb_doc_rate(lb_doc *doc, double rate);
/* How much more a rate is than before, in percent; NAN where there is no before, or no sense in the
 * figure. */
double lb_rate_change_percent(double rate, double before);
/* A percentage that was measured: "99.9 %"; below 100 it is cut, so that it never looks like all;
 * "over 10,000 %". */
void lb_doc_used(lb_doc *doc, double percent);
/* The share of a limit with one digit behind the point, rounded away from 100: what is within does
 * not read as if it were at the limit, and what is beyond not as if it were within. */
double lb_used_rounded(double percent);
/* For text with several small parts; at most 500 bytes a call. */
void lb_doc_printf(lb_doc *doc, const char *format, ...);
/* One Unicode character as UTF-8. */
void lb_doc_codepoint(lb_doc *doc, uint32_t codepoint);

/* Gives the document back to an earlier length. */
void lb_doc_cut(lb_doc *doc, size_t length);
/* Writes the text to the file and empties the document. False if this or anything before it failed.
 */
bool lb_doc_flush(lb_doc *doc, FILE *file);
/* The same once the text is longer than a comfortable block, otherwise nothing. */
bool lb_doc_flush_full(lb_doc *doc, FILE *file);

#endif
