/* The gates of recurrent cells on panels (loops.h), for levels that have them and calls of several
 * frames: weights are packed once for all frames, and the products of the inputs, which no state
 * takes part in, are made for many frames at once. */
#ifndef LB_MLI_RNN_PANEL_H
#define LB_MLI_RNN_PANEL_H

#include "rnn_cell.h"

/* Packs the weights of a planned cell into memory that lb_mli_cell_panels_free gives back. NULL:
 * this way does not suit the call, or there is no memory; the gates are to be made without. */
LB_MLI_HIDDEN struct lb_mli_cell_panels *lb_mli_cell_panels_make(const struct lb_mli_cell *cell);
LB_MLI_HIDDEN void lb_mli_cell_panels_free(struct lb_mli_cell_panels *panels);

/* The format of the hidden state is another than before. */
LB_MLI_HIDDEN void lb_mli_cell_panels_hidden(struct lb_mli_cell_panels *panels);

/* Gates first .. end - 1 of the frame that is processed as number t, before activation; frames
 * ascend. hidden: M elements. */
LB_MLI_HIDDEN void lb_mli_cell_panels_gates(struct lb_mli_cell_panels *panels, uint32_t first,
                                            uint32_t end, size_t t, const void *hidden);

/* Where gate g is then: M elements. */
LB_MLI_HIDDEN void *lb_mli_cell_panels_gate(struct lb_mli_cell_panels *panels, uint32_t g);

#endif
