/* What a baked pack is made of: both lastbit, which writes packs, and lb_pack.c, which plays them,
 * include this. README.md tells it in words. A pack is one array of bytes; integers in it are
 * little-endian, elements of tensors in the byte order of the device. */
#ifndef LB_PACK_WIRE_H
#define LB_PACK_WIRE_H

#include "lb_kit_wire.h"

enum {
    LB_PACK_VERSION = 3, /* 1: fewer roles, and so another number for none; 2: fewer profiles */
    LB_PACK_LITTLE = 1,
    LB_PACK_BIG = 2,
    /* Head: "LBPK", version 2, byte order 1, 0, cases 4, bytes of memory that the largest case
     * takes 4, bytes of the pack 4, CRC-32 of all behind the head 4. */
    LB_PACK_HEAD_BYTES = 24,
    LB_PACK_AT_VERSION = 4,
    LB_PACK_AT_ORDER = 6,
    LB_PACK_AT_CASES = 8,
    LB_PACK_AT_MEMORY = 12,
    LB_PACK_AT_BYTES = 16,
    LB_PACK_AT_CRC = 20
};

/* A case: bytes of all of it 4, bytes of memory 4, groups 1, length of the name 1, name, 0, bytes
 * of the beginning 4, beginning; then the groups: profiles 2 (bit i: profile i of the wire), bytes
 * 4, script. A script is the beginning and then that of the group: operations of the wire that are
 * carried out (LB_WIRE_FILL, DATA, TENSOR, CALL), and these, which hold what is there to what is
 * right. */
enum {
    LB_PACK_RESULT = 0x41, /* care 4, words of the result, callbacks x (which 1, cookie 4): of the
                              call made last */
    LB_PACK_CONFIG = 0x42, /* words of the configuration that it has filled */
    LB_PACK_FIELDS = 0x43, /* role 1, slot 1, care 4, words of the tensor */
    LB_PACK_DATA = 0x44,   /* where, bytes */
    LB_PACK_SAME = 0x45,   /* where, byte: all are this one */
    LB_PACK_CRC = 0x46     /* where, CRC-32 4 */
    /* care: bit i: word i counts. where: role 1 (LB_WIRE_ROLES: none), bytes of an element 1,
       number of the first element 4, offset 4, length 4 */
};
enum {
    LB_PACK_WHERE_BYTES = 14,
    LB_PACK_CASE_BYTES = 15 /* of a case without name, beginning and groups */
};

#endif
