/* Text in several interleaved streams, kept in memory until there is much of it, then in a
 * temporary file; read back stream after stream. For documents that group what comes in another
 * order. */
#ifndef LB_REPORTS_SPOOL_H
#define LB_REPORTS_SPOOL_H

#include "doc.h"

typedef struct lb_spool lb_spool;

/* NULL: out of memory. */
lb_spool *lb_spool_make(void);
void lb_spool_free(lb_spool *spool);

/* The document to append to for this stream (numbers count from 0, without holes), valid until the
 * next call; NULL on an error. */
lb_doc *lb_spool_stream(lb_spool *spool, size_t number);
/* Writes all of a stream's text to out. */
bool lb_spool_write(lb_spool *spool, size_t stream, FILE *out);

#endif
