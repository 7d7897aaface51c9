/* What the memory of a case and its instances share, for the files of call_memory.h alone. */
#ifndef LB_HARNESS_CALL_CALL_PARTS_H
#define LB_HARNESS_CALL_CALL_PARTS_H

#include "harness/call/call_memory.h"

enum { LB_ALIGN_BYTES = 64 };

/* Bytes from the first element to the last, with the gaps between them. */
size_t lb_layout_span_bytes(const lb_layout *layout);
/* Writes the data of a tensor into a block. */
void lb_call_memory_fill(const lb_call_memory *memory, unsigned char *block, lb_role role,
                         unsigned list_index, const lb_case_tensor *t);

#endif
