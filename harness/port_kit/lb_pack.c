/* Plays baked packs on a library of kernels: see lb_pack.h. The kit makes the calls, so it is part
 * of this file. */
#ifndef LB_KIT_PAYLOAD
#define LB_KIT_PAYLOAD 256 /* no frames here: only answers of the kit to itself */
#endif
#include "lb_kit.c"

#include "lb_pack.h"
#include "lb_pack_wire.h"

volatile uint32_t lb_pack_words[LB_PACK_WORDS];

typedef enum lb_pack_end {
    LB_PACK_PASS,
    LB_PACK_DIFFERS,
    LB_PACK_SKIP,
    LB_PACK_BROKEN
} lb_pack_end;

/* What is being played, for messages. */
static struct {
    lb_pack_say say;
    const char *name;
    uint32_t profile;
} lb_pack_now;

static const char *const lb_pack_roles[LB_WIRE_ROLES + 1] = {"in",
                                                             "in1",
                                                             "in2",
                                                             "prev_out",
                                                             "weights",
                                                             "weights_in",
                                                             "weights_out",
                                                             "bias",
                                                             "slope",
                                                             "epsilon",
                                                             "cell",
                                                             "out",
                                                             "multiplier",
                                                             "shift",
                                                             "axis",
                                                             "bits_over_unit",
                                                             "memory that is no output"};

/* ---- Text ---- */

static void lb_pack_tell(const char *text)
{
    if (lb_pack_now.say)
        lb_pack_now.say(text);
}

static void lb_pack_tell_number(uint32_t magnitude, int is_negative)
{
    char digits[12], *at = digits + sizeof digits;
    *--at = '\0';
    do {
        *--at = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude > 0);
    if (is_negative)
        *--at = '-';
    lb_pack_tell(at);
}

static void lb_pack_tell_signed(uint32_t word)
{
    int is_negative = word > 0x7FFFFFFFu;
    lb_pack_tell_number(is_negative ? 0u - word : word, is_negative);
}

/* "FAIL 0:12 conv2d_sa8.pad [up-full] out[17]: expected 9, got 10": what, an index if it has one,
 * two numbers. */
static lb_pack_end lb_pack_differs(const char *role, const char *what, uint32_t index,
                                   int has_index, uint32_t expected, uint32_t got)
{
    lb_pack_tell("FAIL ");
    lb_pack_tell_number(lb_pack_words[LB_PACK_AT_PACK], 0);
    lb_pack_tell(":");
    lb_pack_tell_number(lb_pack_words[LB_PACK_AT_CASE], 0);
    lb_pack_tell(" ");
    lb_pack_tell(lb_pack_now.name);
    lb_pack_tell(" [");
    lb_pack_tell(lb_wire_profile_name(lb_pack_now.profile));
    lb_pack_tell("] ");
    lb_pack_tell(role);
    lb_pack_tell(what);
    if (has_index) {
        lb_pack_tell("[");
        lb_pack_tell_number(index, 0);
        lb_pack_tell("]");
    }
    lb_pack_tell(": expected ");
    lb_pack_tell_signed(expected);
    lb_pack_tell(", got ");
    lb_pack_tell_signed(got);
    lb_pack_tell("\n");
    return LB_PACK_DIFFERS;
}

/* ---- What the call gave ---- */

static const char *const lb_pack_result_names[LB_WIRE_R_WORDS] = {
    "status",       "returned value", "returned value, upper half",
    "done",         "handle.dma_ch",  "handle.num_ch",
    "handle.state", "callbacks"};

static lb_pack_end lb_pack_result(const uint8_t **at, const uint8_t *end)
{
    const lb_kit_call *call = &lb_kit.call;
    uint32_t words[LB_WIRE_R_WORDS], care, i;
    if (end - *at < 4)
        return LB_PACK_BROKEN;
    care = lb_wire_get32(*at);
    *at = lb_wire_get_words(*at + 4, end, words, LB_WIRE_R_WORDS);
    if (!*at)
        return LB_PACK_BROKEN;
    if (LB_KIT_COMPUTES_ONLY && call->result[LB_WIRE_R_STATUS] == LB_WIRE_DECLINED)
        return LB_PACK_SKIP;
    for (i = 0; i < LB_WIRE_R_WORDS; i++)
        if (care >> i & 1 && words[i] != call->result[i])
            return lb_pack_differs("", lb_pack_result_names[i], 0, 0, words[i], call->result[i]);
    for (i = 0; i < words[LB_WIRE_R_CALLBACKS] && i < LB_WIRE_CALLBACKS; i++, *at += 5) {
        if (end - *at < 5)
            return LB_PACK_BROKEN;
        if ((*at)[0] != call->callbacks[i].which)
            return lb_pack_differs("", "callback", i, 1, (*at)[0], call->callbacks[i].which);
        if (lb_wire_get32(*at + 1) != (uint32_t)call->callbacks[i].cookie)
            return lb_pack_differs("", "cookie", i, 1, lb_wire_get32(*at + 1),
                                   (uint32_t)call->callbacks[i].cookie);
    }
    return LB_PACK_PASS;
}

static lb_pack_end lb_pack_config(const uint8_t **at, const uint8_t *end)
{
    uint32_t words[LB_WIRE_CONFIG_WORDS], i;
    *at = lb_wire_get_words(*at, end, words, LB_WIRE_CONFIG_WORDS);
    if (!*at)
        return LB_PACK_BROKEN;
    for (i = 0; i < LB_WIRE_CONFIG_WORDS; i++)
        if (words[i] != lb_kit.call.config_out[i])
            return lb_pack_differs("", "configuration", i, 1, words[i], lb_kit.call.config_out[i]);
    return LB_PACK_PASS;
}

static const char *const lb_pack_field_names[LB_WIRE_T_WORDS] = {".rank",
                                                                 ".el_type",
                                                                 ".shape[0]",
                                                                 ".shape[1]",
                                                                 ".shape[2]",
                                                                 ".shape[3]",
                                                                 ".mem_stride[0]",
                                                                 ".mem_stride[1]",
                                                                 ".mem_stride[2]",
                                                                 ".mem_stride[3]",
                                                                 ".data.capacity",
                                                                 ".data (place)",
                                                                 ".data (value)",
                                                                 "",
                                                                 "",
                                                                 ".frac_bits",
                                                                 ".axis",
                                                                 "",
                                                                 ".zero_point (place)",
                                                                 ".zero_point",
                                                                 "",
                                                                 ".scale (place)",
                                                                 ".scale",
                                                                 "",
                                                                 ".scale_frac_bits (place)",
                                                                 ".scale_frac_bits"};

static lb_pack_end lb_pack_fields(const uint8_t **at, const uint8_t *end)
{
    uint32_t words[LB_WIRE_T_WORDS], got[LB_WIRE_T_WORDS], role, slot, care, i;
    if (end - *at < 6)
        return LB_PACK_BROKEN;
    role = (*at)[0];
    slot = (*at)[1];
    care = lb_wire_get32(*at + 2);
    *at = lb_wire_get_words(*at + 6, end, words, LB_WIRE_T_WORDS);
    if (!*at || role > LB_WIRE_ROLES || slot >= LB_WIRE_SLOTS)
        return LB_PACK_BROKEN;
    memset(got, 0, sizeof got);
    lb_kit_get_tensor(slot, got);
    if (got[LB_WIRE_T_DIM] > 0x7FFFFFFFu) /* all axes below 0 mean the same */
        got[LB_WIRE_T_DIM] = 0xFFFFFFFFu;
    for (i = 0; i < LB_WIRE_T_WORDS; i++)
        if (care >> i & 1 && words[i] != got[i])
            return lb_pack_differs(lb_pack_roles[role], lb_pack_field_names[i], 0, 0, words[i],
                                   got[i]);
    return LB_PACK_PASS;
}

/* ---- Memory ---- */

/* An element as the device has it, sign-extended; `bytes` are 1, 2, 4 or 8: the lower half. */
static uint32_t lb_pack_element(const uint8_t *from, uint32_t bytes)
{
    int8_t v8;
    int16_t v16;
    uint32_t v32;
    uint64_t v64;
    if (bytes == 8)
        return memcpy(&v64, from, 8), (uint32_t)(v64 & 0xFFFFFFFFu);
    if (bytes == 4)
        return memcpy(&v32, from, 4), v32;
    if (bytes == 2)
        return memcpy(&v16, from, 2), (uint32_t)(int32_t)v16;
    return memcpy(&v8, from, 1), (uint32_t)(int32_t)v8;
}

typedef struct lb_pack_where {
    uint32_t role, width, first, bytes;
    const uint8_t *memory;
} lb_pack_where;

static int lb_pack_take_where(lb_pack_where *w, const uint8_t **at, const uint8_t *end)
{
    uint32_t offset;
    if (end - *at < LB_PACK_WHERE_BYTES)
        return 0;
    w->role = (*at)[0];
    w->width = (*at)[1];
    w->first = lb_wire_get32(*at + 2);
    offset = lb_wire_get32(*at + 6);
    w->bytes = lb_wire_get32(*at + 10);
    *at += LB_PACK_WHERE_BYTES;
    w->memory = lb_kit.block + offset;
    return w->role <= LB_WIRE_ROLES &&
           (w->width == 1 || w->width == 2 || w->width == 4 || w->width == 8) &&
           lb_kit_has_room(offset, w->bytes);
}

static lb_pack_end lb_pack_data(const uint8_t **at, const uint8_t *end, int is_run)
{
    lb_pack_where w;
    uint32_t i, start;
    uint8_t expected[8];
    const uint8_t *bytes;
    if (!lb_pack_take_where(&w, at, end) || end - *at < (ptrdiff_t)(is_run ? 1 : w.bytes))
        return LB_PACK_BROKEN;
    bytes = *at;
    *at += is_run ? 1 : w.bytes;
    for (i = 0; i < w.bytes && w.memory[i] == bytes[is_run ? 0 : i]; i++) {
    }
    if (i == w.bytes)
        return LB_PACK_PASS;
    start = i - i % w.width;
    if (start + w.width > w.bytes) /* a last element that is cut short */
        return lb_pack_differs(lb_pack_roles[w.role], " (bytes)", i, 1, bytes[is_run ? 0 : i],
                               w.memory[i]);
    for (i = 0; i < w.width; i++)
        expected[i] = bytes[is_run ? 0 : start + i];
    return lb_pack_differs(lb_pack_roles[w.role], "", w.first + start / w.width, 1,
                           lb_pack_element(expected, w.width),
                           lb_pack_element(w.memory + start, w.width));
}

static lb_pack_end lb_pack_crc(const uint8_t **at, const uint8_t *end)
{
    lb_pack_where w;
    uint32_t expected, got;
    if (!lb_pack_take_where(&w, at, end) || end - *at < 4)
        return LB_PACK_BROKEN;
    expected = lb_wire_get32(*at);
    *at += 4;
    got = lb_wire_crc(0, w.memory, w.bytes);
    return expected == got
               ? LB_PACK_PASS
               : lb_pack_differs(lb_pack_roles[w.role], " (CRC-32)", 0, 0, expected, got);
}

/* ---- Scripts, cases, packs ---- */

static lb_pack_end lb_pack_expectation(const uint8_t **at, const uint8_t *end)
{
    switch (*(*at)++) {
    case LB_PACK_RESULT:
        return lb_pack_result(at, end);
    case LB_PACK_CONFIG:
        return lb_pack_config(at, end);
    case LB_PACK_FIELDS:
        return lb_pack_fields(at, end);
    case LB_PACK_DATA:
        return lb_pack_data(at, end, 0);
    case LB_PACK_SAME:
        return lb_pack_data(at, end, 1);
    case LB_PACK_CRC:
        return lb_pack_crc(at, end);
    default:
        return LB_PACK_BROKEN;
    }
}

static lb_pack_end lb_pack_operation(const uint8_t **at, const uint8_t *end)
{
    lb_kit_work work;
    int status;
    work.at = *at;
    work.end = end;
    work.reply = lb_kit.tx;
    work.reply_end = lb_kit.tx + LB_KIT_PAYLOAD;
    status = lb_kit_operation(&work);
    *at = work.at;
    if (status == LB_WIRE_DONE)
        return LB_PACK_PASS;
    return status == LB_WIRE_NOT_PROVIDED ? LB_PACK_SKIP : LB_PACK_BROKEN;
}

static lb_pack_end lb_pack_script(const uint8_t *at, uint32_t bytes)
{
    const uint8_t *end = at + bytes;
    lb_pack_end ended = LB_PACK_PASS;
    while (at < end && ended == LB_PACK_PASS)
        ended = *at >= LB_PACK_RESULT ? lb_pack_expectation(&at, end) : lb_pack_operation(&at, end);
    return ended;
}

static lb_pack_end lb_pack_set_profile(uint32_t profile)
{
    uint8_t operation[2];
    const uint8_t *at = operation;
    /* Cases of MLI expect statuses and fields of tensors, which such ports do not give. */
    if (LB_KIT_COMPUTES_ONLY && profile < LB_WIRE_LITERT_PROFILES)
        return LB_PACK_SKIP;
    operation[0] = LB_WIRE_PROFILE;
    operation[1] = (uint8_t)profile;
    return lb_pack_operation(&at, operation + 2);
}

static lb_pack_end lb_pack_play(uint32_t profile, uint32_t memory_bytes, const uint8_t *head,
                                const uint8_t *script)
{
    lb_pack_end ended;
    lb_pack_now.profile = profile;
    lb_pack_words[LB_PACK_AT_PROFILE] = profile;
    ended = memory_bytes > lb_kit.block_bytes ? LB_PACK_SKIP : lb_pack_set_profile(profile);
    if (ended == LB_PACK_PASS)
        ended = lb_pack_script(head + 4, lb_wire_get32(head));
    if (ended == LB_PACK_PASS)
        ended = lb_pack_script(script + 4, lb_wire_get32(script));
    return ended;
}

static int lb_pack_count(lb_pack_end ended)
{
    unsigned i;
    if (ended == LB_PACK_BROKEN)
        return 0;
    if (ended == LB_PACK_PASS)
        lb_pack_words[LB_PACK_PASSED] = lb_pack_words[LB_PACK_PASSED] + 1;
    else if (ended == LB_PACK_SKIP)
        lb_pack_words[LB_PACK_SKIPPED] = lb_pack_words[LB_PACK_SKIPPED] + 1;
    else if (lb_pack_words[LB_PACK_FAILED]++ == 0)
        for (i = 0; i < 3; i++)
            lb_pack_words[LB_PACK_FIRST_PACK + i] = lb_pack_words[LB_PACK_AT_PACK + i];
    return 1;
}

/* Plays one case in all its profiles; 0: the pack makes no sense. */
static int lb_pack_case(const uint8_t *at)
{
    uint32_t memory_bytes = lb_wire_get32(at + 4), groups = at[8], profile;
    const uint8_t *head = at + 11 + at[9], *group = head + 4 + lb_wire_get32(head);
    lb_pack_now.name = (const char *)at + 10;
    for (; groups > 0; groups--) {
        for (profile = 0; lb_wire_profile_name(profile); profile++)
            if (lb_wire_get16(group) >> profile & 1 &&
                !lb_pack_count(lb_pack_play(profile, memory_bytes, head, group + 2)))
                return 0;
        group += 6 + lb_wire_get32(group + 2);
    }
    return 1;
}

static int lb_pack_is_sound(const uint8_t *pack)
{
    return memcmp(pack, "LBPK", 4) == 0 &&
           lb_wire_get16(pack + LB_PACK_AT_VERSION) == LB_PACK_VERSION &&
           lb_wire_get32(pack + LB_PACK_AT_BYTES) >= LB_PACK_HEAD_BYTES &&
           lb_wire_crc(0, pack + LB_PACK_HEAD_BYTES,
                       lb_wire_get32(pack + LB_PACK_AT_BYTES) - LB_PACK_HEAD_BYTES) ==
               lb_wire_get32(pack + LB_PACK_AT_CRC);
}

static int lb_pack_is_of_this_order(const uint8_t *pack)
{
    static const uint16_t one = 1;
    uint8_t first_byte;
    memcpy(&first_byte, &one, 1);
    return pack[LB_PACK_AT_ORDER] == (first_byte ? LB_PACK_LITTLE : LB_PACK_BIG);
}

/* 0, or what lb_pack_run gives. */
static int lb_pack_one(const uint8_t *pack)
{
    const uint8_t *at = pack + LB_PACK_HEAD_BYTES;
    uint32_t number;
    if (!lb_pack_is_sound(pack))
        return LB_PACK_DAMAGED;
    if (!lb_pack_is_of_this_order(pack))
        return LB_PACK_OTHER_BYTE_ORDER;
    for (number = 0; number < lb_wire_get32(pack + LB_PACK_AT_CASES); number++) {
        lb_pack_words[LB_PACK_AT_CASE] = number;
        if (!lb_pack_case(at))
            return LB_PACK_DAMAGED;
        at += lb_wire_get32(at);
    }
    return 0;
}

static void lb_pack_start(void *memory, uint32_t memory_bytes, lb_pack_say say)
{
    uint8_t *block;
    uint32_t past, i;
    for (i = 1; i < LB_PACK_WORDS; i++)
        lb_pack_words[i] = i < LB_PACK_FIRST_PACK ? 0 : 0xFFFFFFFFu;
    lb_pack_words[LB_PACK_VERDICT] = LB_PACK_WORD_RUNNING;
    lb_pack_now.say = say;
    lb_kit.profile = LB_KIT_NO_PROFILE;
    block = lb_kit_calls_start((uint8_t *)memory, &memory_bytes);
    past = (uint32_t)((LB_KIT_ALIGN - (uintptr_t)block % LB_KIT_ALIGN) % LB_KIT_ALIGN);
    lb_kit.block_bytes = memory_bytes > past ? memory_bytes - past : 0;
    lb_kit.block = block + past;
}

static int lb_pack_end_all(int status)
{
    uint32_t failed = lb_pack_words[LB_PACK_FAILED];
    if (status == LB_PACK_DAMAGED)
        lb_pack_tell("a pack is damaged, or of another version\n");
    if (status == LB_PACK_OTHER_BYTE_ORDER)
        lb_pack_tell("a pack is made for the other byte order\n");
    lb_pack_tell_number(lb_pack_words[LB_PACK_PASSED], 0);
    lb_pack_tell(" passed, ");
    lb_pack_tell_number(failed, 0);
    lb_pack_tell(" failed, ");
    lb_pack_tell_number(lb_pack_words[LB_PACK_SKIPPED], 0);
    lb_pack_tell(" skipped\n");
    if (status == 0 && failed > 0)
        status = failed > 0x7FFF ? 0x7FFF : (int)failed;
    else if (status == 0 && lb_pack_words[LB_PACK_PASSED] == 0)
        status = LB_PACK_NOTHING_TRIED;
    lb_pack_words[LB_PACK_VERDICT] = status == 0  ? LB_PACK_WORD_PASS
                                     : status > 0 ? LB_PACK_WORD_FAIL
                                                  : LB_PACK_WORD_NONE;
    return status;
}

int lb_pack_run(const uint8_t *const *packs, uint32_t count, void *memory, uint32_t memory_bytes,
                lb_pack_say say)
{
    uint32_t number;
    int status = 0;
    lb_pack_start(memory, memory_bytes, say);
    for (number = 0; number < count && status == 0; number++) {
        lb_pack_words[LB_PACK_AT_PACK] = number;
        status = lb_pack_one(packs[number]);
    }
    return lb_pack_end_all(status);
}
