/* The wire between lastbit and an agent: frames, requests, numbers. Both sides include this;
 * README.md tells it in words. C99, no library calls. Every integer on the wire is little-endian.
 */
#ifndef LB_KIT_WIRE_H
#define LB_KIT_WIRE_H

#include <stddef.h>
#include <stdint.h>

/* ---- Frames: sync, kind, 0, sequence, length, check of these eight bytes, payload, CRC-32 of all
 * before it ---- */

enum {
    LB_WIRE_VERSION = 2,
    LB_WIRE_LEAST_VERSION = 1, /* an agent of this version does not answer TELL */
    LB_WIRE_SYNC_0 = 0xB5,
    LB_WIRE_SYNC_1 = 0x4C,
    LB_WIRE_HEAD_BYTES = 10,
    LB_WIRE_TAIL_BYTES = 4,
    LB_WIRE_FRAME_BYTES = LB_WIRE_HEAD_BYTES + LB_WIRE_TAIL_BYTES, /* of a frame without payload */
    LB_WIRE_LEAST_PAYLOAD = 256, /* every agent takes and gives this much */
    LB_WIRE_MOST_PAYLOAD = 65535
};

/* Kinds of frames. A reply has the kind of its request with LB_WIRE_REPLY, and its sequence number.
 */
enum {
    LB_WIRE_HELLO = 1, /* what are you? */
    LB_WIRE_WORK = 2,  /* operations, carried out in order; none after one that fails */
    LB_WIRE_TELL = 3,  /* text 1, profile 1: gives the text, as much as a frame holds */
    LB_WIRE_REPLY = 0x80,
    LB_WIRE_READY = 0xC1, /* unasked: the agent has (re)started */
    LB_WIRE_AGAIN =
        0xC2, /* unasked: something came that is no frame; send again what is not answered */
    LB_WIRE_FAULT = 0xC3 /* unasked, before its end: where it touched memory that was forbidden:
                            offset 4, access 1 */
};

/* Texts of TELL. The last depends on the profile; LB_WIRE_NO_PROFILE: as the port stands. */
enum {
    LB_WIRE_TARGET,          /* what the kit was compiled for */
    LB_WIRE_COMPILER,        /* and with what */
    LB_WIRE_OPTIONS,         /* and how */
    LB_WIRE_LIBRARY_OPTIONS, /* the library's mli_hlp_compile_options_string; nothing: none */
    LB_WIRE_TEXTS,
    LB_WIRE_NO_SUCH_KEY = 16 /* after a call that was MISNAMED: the key that it asked for */
};
enum { LB_WIRE_NO_PROFILE = 255 };

/* Operations of WORK: a byte, then what stands behind it here. */
enum {
    LB_WIRE_FILL = 1,    /* offset 4, length 4, byte 1 */
    LB_WIRE_DATA = 2,    /* offset 4, length 2, bytes */
    LB_WIRE_PROFILE = 3, /* number 1 */
    LB_WIRE_TENSOR = 4,  /* slot 1, words of a tensor */
    LB_WIRE_CALL = 5,   /* function 2, flags 1, configuration words, further words, count 1, count x
                           (role 1, slot 1, tensors 1) */
    LB_WIRE_FIELDS = 6, /* slot 1                   gives words of a tensor */
    LB_WIRE_CRC = 7,    /* offset 4, length 4       gives CRC-32 4 */
    LB_WIRE_READ = 8,   /* offset 4, length 2       gives bytes */
    LB_WIRE_FORBID = 9  /* offset 4, length 4: of pages that nobody may touch from now on. Agents
                           that cannot do so call it NOT_PROVIDED, older ones MALFORMED */
};
/* Accesses of FAULT. */
enum { LB_WIRE_READS, LB_WIRE_WRITES, LB_WIRE_TOUCHES };
enum { LB_WIRE_CONFIG_NULL = 1 }; /* a flag of CALL */

/* First byte of a reply to WORK. After anything but DONE the rest is: number of the operation that
 * failed, 2. */
enum {
    LB_WIRE_DONE = 0,
    LB_WIRE_MALFORMED = 1,
    LB_WIRE_OUTSIDE = 2, /* memory beyond what was announced, or a slot that is not there */
    LB_WIRE_NOT_PROVIDED = 3,
    LB_WIRE_TOO_LONG = 4 /* the reply has no room for what was asked */
};

/* Sets of kernels. Functions of a set are numbered from its number times LB_WIRE_SET_NUMBERS on, by
 * their places in the lists of lb_kit_functions.h and lb_kit_litert.h. */
enum { LB_WIRE_MLI, LB_WIRE_LITERT, LB_WIRE_SETS };
enum { LB_WIRE_SET_NUMBERS = 1024 };

/* Roles of tensors in a call. */
enum {
    LB_WIRE_IN,
    LB_WIRE_IN1,
    LB_WIRE_IN2,
    LB_WIRE_PREV_OUT,
    LB_WIRE_WEIGHTS,
    LB_WIRE_WEIGHTS_IN,
    LB_WIRE_WEIGHTS_OUT,
    LB_WIRE_BIAS,
    LB_WIRE_SLOPE,
    LB_WIRE_EPSILON,
    LB_WIRE_CELL,
    LB_WIRE_OUT,
    LB_WIRE_MULTIPLIER, /* of LiteRT */
    LB_WIRE_SHIFT,
    LB_WIRE_AXIS,
    LB_WIRE_BITS_OVER_UNIT,
    LB_WIRE_ROLES
};
enum { LB_WIRE_SLOTS = 20, LB_WIRE_LIST = 8 }; /* tensors in a call; tensors in a list */

/* Element types, statuses and the enumerations of configurations have the numbers of the published
 * API. */

/* Words of a tensor. A container is three words: capacity, where, value. */
enum {
    LB_WIRE_T_RANK,
    LB_WIRE_T_TYPE,
    LB_WIRE_T_SHAPE,
    LB_WIRE_T_STRIDE = LB_WIRE_T_SHAPE + 4,
    LB_WIRE_T_DATA = LB_WIRE_T_STRIDE + 4,
    LB_WIRE_T_WIDTH =
        LB_WIRE_T_DATA + 3, /* bytes of an element, for a value that stands in the container */
    LB_WIRE_T_PARAMS,       /* which parameters are set: 0 none, 1 fx, 2 sa */
    LB_WIRE_T_FRAC_BITS,
    LB_WIRE_T_DIM,
    LB_WIRE_T_ZERO_POINT,
    LB_WIRE_T_SCALE = LB_WIRE_T_ZERO_POINT + 3,
    LB_WIRE_T_SCALE_FRAC_BITS = LB_WIRE_T_SCALE + 3,
    LB_WIRE_T_WORDS = LB_WIRE_T_SCALE_FRAC_BITS + 3
};
/* `where` of a container: NULL, 1 + offset in the block, the value itself, or (replies) a pointer
 * out of the block. */
#define LB_WIRE_NULL      0u
#define LB_WIRE_VALUE     0xFFFFFFFEu
#define LB_WIRE_ELSEWHERE 0xFFFFFFFFu

/* Further words of a CALL to one of the asynchronous movement functions. */
enum {
    LB_WIRE_M_HAS_HANDLE,
    LB_WIRE_M_HANDLE,     /* dma_ch, num_ch, state */
    LB_WIRE_M_NUM_CH = 4, /* arguments */
    LB_WIRE_M_CH_OFFSET,
    LB_WIRE_M_COOKIE,
    LB_WIRE_M_CALLBACK, /* 0 NULL, else which: 1 .. LB_WIRE_CALLBACKS */
    LB_WIRE_M_WORDS
};
enum { LB_WIRE_CALLBACKS = 8 };

/* Words of what a CALL gives: then words of the configuration it has filled (mli_mov_cfg_*; else
 * none), and `callbacks` x (which 1, cookie 4), eight at most. */
enum {
    LB_WIRE_R_STATUS,
    LB_WIRE_R_RETURN, /* of functions without a status; signed, two words */
    LB_WIRE_R_DONE = LB_WIRE_R_RETURN + 2,
    LB_WIRE_R_HANDLE,
    LB_WIRE_R_CALLBACKS = LB_WIRE_R_HANDLE + 3,
    LB_WIRE_R_WORDS
};
#define LB_WIRE_FOREIGN_STATUS 0x40000000u /* added to a status that the API does not know */
#define LB_WIRE_DECLINED                                                                           \
    0x20000000u /* instead of a status, from native ports: not for these arguments */
#define LB_WIRE_MISNAMED                                                                           \
    0x10000000u /* instead of a status, from native ports: asked for a configuration key that no   \
                   function has */
enum {
    LB_WIRE_AVEPOOL16 = 0x10,      /* also knows the profiles 4 to 7 */
    LB_WIRE_ONLY_AVEPOOL16 = 0x20, /* beside it: no others, where the two differ */
    LB_WIRE_ALIGNED = 0x40,        /* buffers begin on boundaries of 64 bytes, nowhere else */
    LB_WIRE_COMPUTES_ONLY = 0x80   /* a native port, which refuses nothing */
};                                 /* with the profiles in HELLO */

/* Name of a profile by its number, NULL behind the last. 4 to 7 are 0 to 3 with 15 bits of the
 * multiplier of sa8 average pooling in place of 7; from LB_WIRE_LITERT_PROFILES on those of LiteRT.
 */
enum { LB_WIRE_LITERT_PROFILES = 8 };
static inline const char *lb_wire_profile_name(uint32_t number)
{
    static const char *const names[] = {"up-full",
                                        "up-reduced",
                                        "convergent-full",
                                        "convergent-reduced",
                                        "up-full+avepool16",
                                        "up-reduced+avepool16",
                                        "convergent-full+avepool16",
                                        "convergent-reduced+avepool16",
                                        "litert-double",
                                        "litert-single"};
    return number < sizeof names / sizeof names[0] ? names[number] : NULL;
}

enum { LB_WIRE_CONFIG_WORDS = 32, LB_WIRE_MOST_WORDS = 32 };

/* Configuration words that create_lut gives: type, length, in_frac_bits, out_frac_bits,
 * input_offset, output_offset, and 1. */
enum { LB_WIRE_LUT_IS_TOLD = 6 };
/* Of a call that fills no configuration: what it did to a look-up table, which is not its to write.
 * 0: nothing, or the agent is older than this word. The upper half: which table. */
enum { LB_WIRE_TABLE = LB_WIRE_CONFIG_WORDS - 1 };
enum {
    LB_WIRE_TABLE_ENTRIES = 1, /* wrote over its entries */
    LB_WIRE_TABLE_BEFORE = 2,  /* wrote in front of it */
    LB_WIRE_TABLE_BEHIND = 4,  /* wrote behind it */
    LB_WIRE_TABLE_FIELDS = 8   /* wrote into its mli_lut */
};

/* Of such a call, too: 1 + the word of its configuration that it has changed, which is not its to
 * write (0: none, or the agent is older than this word); what the field held before; what it holds
 * now, both as numbers of the port's own header. */
enum { LB_WIRE_CHANGED = LB_WIRE_TABLE - 3 };

/* ---- Little-endian integers ---- */

static inline uint32_t lb_wire_get16(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t lb_wire_get32(const uint8_t *at)
{
    return lb_wire_get16(at) | lb_wire_get16(at + 2) << 16;
}

static inline void lb_wire_put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value & 0xFF);
    at[1] = (uint8_t)(value >> 8 & 0xFF);
}

static inline void lb_wire_put32(uint8_t *at, uint32_t value)
{
    lb_wire_put16(at, value);
    lb_wire_put16(at + 2, value >> 16);
}

/* CRC-32 as in zlib; `crc` is 0, or the CRC of what stands before. */
#if UINTPTR_MAX > 0xFFFFFFFFu
/* Four bytes at a time, with tables of 4096 bytes, made when they are first needed. */
static inline uint32_t lb_wire_crc(uint32_t crc, const uint8_t *bytes, uint32_t count)
{
    static uint32_t table[4][256];
    if (table[3][255] == 0) {
        uint32_t i, k;
        for (i = 0; i < 256; i++) {
            table[0][i] = i;
            for (k = 0; k < 8; k++)
                table[0][i] = table[0][i] >> 1 ^ (table[0][i] & 1 ? 0xEDB88320u : 0);
        }
        for (k = 1; k < 4; k++)
            for (i = 0; i < 256; i++)
                table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 255];
    }
    crc = ~crc;
    for (; count >= 4; count -= 4, bytes += 4) {
        crc ^= lb_wire_get32(bytes);
        crc = table[3][crc & 255] ^ table[2][crc >> 8 & 255] ^ table[1][crc >> 16 & 255] ^
              table[0][crc >> 24];
    }
    while (count-- > 0)
        crc = crc >> 8 ^ table[0][(crc ^ *bytes++) & 255];
    return ~crc;
}
#else
/* Half a byte at a time: a table of 64 bytes. */
static inline uint32_t lb_wire_crc(uint32_t crc, const uint8_t *bytes, uint32_t count)
{
    static const uint32_t table[16] = {0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu,
                                       0x76DC4190u, 0x6B6B51F4u, 0x4DB26158u, 0x5005713Cu,
                                       0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu,
                                       0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu};
    crc = ~crc;
    while (count-- > 0) {
        crc ^= *bytes++;
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}
#endif

/* ---- Finding a frame among bytes ---- */

typedef struct lb_wire_frame {
    uint32_t skip;   /* bytes before it that are no frame */
    uint32_t bytes;  /* of the whole frame; 0: none is complete yet, more must come behind the
                        skipped bytes */
    uint32_t broken; /* frames with a wrong CRC among what is skipped */
    uint32_t kind, sequence, length;
    const uint8_t *payload;
} lb_wire_frame;

/* Could a frame begin here? Looks at as much of the head as there is. */
static inline int lb_wire_may_begin(const uint8_t *at, uint32_t count, uint32_t most_payload)
{
    if (at[0] != LB_WIRE_SYNC_0 || (count > 1 && at[1] != LB_WIRE_SYNC_1))
        return 0;
    return count < LB_WIRE_HEAD_BYTES ||
           (lb_wire_get16(at + 8) == (lb_wire_crc(0, at, 8) & 0xFFFF) &&
            lb_wire_get16(at + 6) <= most_payload);
}

/* Looks for the first whole frame in the bytes received so far. The head has a check of its own, so
 * a length is believed only if it is right, and a broken frame costs itself and not those behind
 * it. */
static inline lb_wire_frame lb_wire_find(const uint8_t *bytes, uint32_t count,
                                         uint32_t most_payload)
{
    lb_wire_frame f = {0, 0, 0, 0, 0, 0, 0};
    for (; f.skip < count; f.skip++) {
        const uint8_t *at = bytes + f.skip;
        uint32_t left = count - f.skip;
        if (!lb_wire_may_begin(at, left, most_payload))
            continue;
        if (left < LB_WIRE_HEAD_BYTES)
            break;
        f.length = lb_wire_get16(at + 6);
        if (left < LB_WIRE_FRAME_BYTES + f.length)
            break;
        if (lb_wire_crc(0, at, LB_WIRE_HEAD_BYTES + f.length) !=
            lb_wire_get32(at + LB_WIRE_HEAD_BYTES + f.length)) {
            f.broken++;
            continue;
        }
        f.kind = at[2];
        f.sequence = lb_wire_get16(at + 4);
        f.payload = at + LB_WIRE_HEAD_BYTES;
        f.bytes = LB_WIRE_FRAME_BYTES + f.length;
        break;
    }
    return f;
}

/* Writes head and tail around a payload that stands at frame + LB_WIRE_HEAD_BYTES. Gives the bytes
 * of the whole. */
static inline uint32_t lb_wire_seal(uint8_t *frame, uint32_t kind, uint32_t sequence,
                                    uint32_t length)
{
    frame[0] = LB_WIRE_SYNC_0;
    frame[1] = LB_WIRE_SYNC_1;
    frame[2] = (uint8_t)kind;
    frame[3] = 0;
    lb_wire_put16(frame + 4, sequence);
    lb_wire_put16(frame + 6, length);
    lb_wire_put16(frame + 8, lb_wire_crc(0, frame, 8));
    lb_wire_put32(frame + LB_WIRE_HEAD_BYTES + length,
                  lb_wire_crc(0, frame, LB_WIRE_HEAD_BYTES + length));
    return LB_WIRE_FRAME_BYTES + length;
}

/* ---- Words: a mask of those that are not 0, then those ---- */

/* Writes count words (32 at most); room for 4 + 4 * count bytes. Gives the place behind them. */
static inline uint8_t *lb_wire_put_words(uint8_t *at, const uint32_t *words, uint32_t count)
{
    uint8_t *mask_at = at;
    uint32_t mask = 0, i;
    at += 4;
    for (i = 0; i < count; i++)
        if (words[i] != 0) {
            mask |= (uint32_t)1 << i;
            lb_wire_put32(at, words[i]);
            at += 4;
        }
    lb_wire_put32(mask_at, mask);
    return at;
}

/* Reads count words; gives the place behind them, or NULL (0) if they do not end before `end` or
 * are more than count. */
static inline const uint8_t *lb_wire_get_words(const uint8_t *at, const uint8_t *end,
                                               uint32_t *words, uint32_t count)
{
    uint32_t mask, i;
    if (end - at < 4)
        return 0;
    mask = lb_wire_get32(at);
    at += 4;
    for (i = 0; i < LB_WIRE_MOST_WORDS; i++) {
        uint32_t word = 0;
        if (mask >> i & 1) {
            if (end - at < 4 || i >= count)
                return 0;
            word = lb_wire_get32(at);
            at += 4;
        }
        if (i < count)
            words[i] = word;
    }
    return at;
}

#endif
