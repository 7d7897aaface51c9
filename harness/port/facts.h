/* What a port at the end of a line says of itself. */
#ifndef LB_HARNESS_PORT_FACTS_H
#define LB_HARNESS_PORT_FACTS_H

#include "harness/port/wire.h"

enum { LB_PORT_TEXT_BYTES = 400 };

/* What a port says of itself. */
typedef struct lb_port_facts {
    unsigned version, pointer_bytes;
    unsigned profiles;              /* bit i: lb_profile_number i; of MLI without avepool16 */
    bool avepool16, only_avepool16; /* can, must be asked for it (pooling_and_movement.md 2.6) */
    bool big_endian, computes_only, aligned;
    uint32_t memory_bytes, payload_bytes;
    struct {
        unsigned count;
        uint8_t bits[64]; /* bit i: function i of the set's list */
    } functions[LB_WIRE_SETS];
    char description[256];
    char texts[LB_WIRE_TEXTS][LB_PORT_TEXT_BYTES]; /* what it tells of its build; "": nothing */
    char contradiction[200]; /* what its library's options say against its profiles; "": nothing */
} lb_port_facts;

/* Has it the function of this number on the wire? */
bool lb_port_facts_have(const lb_port_facts *facts, int function);

/* Asks who is there, on a line that is open. False: the reason in `why`. */
bool lb_port_ask(lb_wire *wire, double limit_seconds, lb_port_facts *facts, char *why,
                 size_t why_bytes);

/* The configuration key for which the last call asked and that no function has; "": not known. */
void lb_port_ask_key(lb_wire *wire, double limit_seconds, char key[LB_PORT_TEXT_BYTES]);

/* Does a port that was started again say otherwise what it is? Then `why` tells what. */
bool lb_port_is_another(const lb_port_facts *was, const lb_port_facts *is, char *why,
                        size_t why_bytes);

#endif
