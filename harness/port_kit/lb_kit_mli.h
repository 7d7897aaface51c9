/* Calls of an MLI-style library: part of lb_kit.c, and of lastbit's own port. Names types, fields,
 * enumerators and functions of the API and nothing else, so that order and width of fields and
 * values of enumerators may be the porter's own. -DLB_WITHOUT_<function> leaves out a function,
 * -DLB_WITHOUT_<shape> (shapes: lb_kit_functions.h) all of a shape with its types. */
#include <mli_api.h>

enum { LB_KIT_COMPUTES_ONLY = 0 }; /* it checks its arguments too, and gives a status */

/* ---- How the library says that it was built. It need not: where the linker lets us, we look ----
 */

#ifdef LB_WITHOUT_mli_hlp_compile_options_string
static const char *lb_kit_library_options(void)
{
    return "";
}
#elif defined(LB_WITH_mli_hlp_compile_options_string)
static const char *lb_kit_library_options(void)
{
    return mli_hlp_compile_options_string();
}
#elif defined(__GNUC__) && defined(__ELF__)
const char *mli_hlp_compile_options_string(void) __attribute__((weak));
static const char *lb_kit_library_options(void)
{
    return mli_hlp_compile_options_string ? mli_hlp_compile_options_string() : "";
}
#else
static const char *lb_kit_library_options(void)
{
    return "";
}
#endif

/* ---- Enumerations: the wire has the published numbers, the porter's header its own ---- */

typedef struct lb_kit_enum {
    const uint16_t *published;
    const uint32_t *own;
    uint32_t count;
} lb_kit_enum;

static const uint16_t lb_kit_counting[15] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
static const uint32_t lb_kit_statuses_own[] = {
    MLI_STATUS_OK,
    MLI_STATUS_BAD_TENSOR,
    MLI_STATUS_SHAPE_MISMATCH,
    MLI_STATUS_INCOMPATEBLE_TENSORS,
    MLI_STATUS_BAD_FUNC_CFG,
    MLI_STATUS_NOT_ENGH_MEM,
    MLI_STATUS_NOT_SUPPORTED,
    MLI_STATUS_SPEC_PARAM_MISMATCH,
    MLI_STATUS_ARGUMENT_ERROR,
    MLI_STATUS_LENGTH_ERROR,
    MLI_STATUS_SIZE_MISMATCH,
    MLI_STATUS_RANK_MISMATCH,
    MLI_STATUS_TYPE_MISMATCH,
    MLI_STATUS_MEM_BANK_MISMATCH,
    MLI_STATUS_MISALIGNMENT_ERROR,
};
static const uint32_t lb_kit_relus_own[] = {MLI_RELU_NONE, MLI_RELU_GEN, MLI_RELU_1, MLI_RELU_6};
static const lb_kit_enum lb_kit_statuses = {lb_kit_counting, lb_kit_statuses_own, 15};
static const lb_kit_enum lb_kit_relus = {lb_kit_counting, lb_kit_relus_own, 4};

static int lb_kit_is_own(const lb_kit_enum *e, uint32_t value)
{
    uint32_t i;
    for (i = 0; i < e->count; i++)
        if (e->own[i] == value)
            return 1;
    return 0;
}

/* Numbers outside the enumeration are handed through (cases try them on purpose), unless the
 * porter's header uses them: then they are moved out of the way, within the 26 bits that every
 * enumeration of the API has. */
enum { LB_KIT_ENUM_MOVE = 0x01000000 };

static uint32_t lb_kit_to_own(const lb_kit_enum *e, uint32_t published)
{
    uint32_t i;
    for (i = 0; i < e->count; i++)
        if (e->published[i] == published)
            return e->own[i];
    return lb_kit_is_own(e, published) ? published ^ LB_KIT_ENUM_MOVE : published;
}

static uint32_t lb_kit_to_published(const lb_kit_enum *e, uint32_t own)
{
    uint32_t i;
    for (i = 0; i < e->count; i++)
        if (e->own[i] == own)
            return e->published[i];
    return lb_kit_is_own(e, own ^ LB_KIT_ENUM_MOVE) ? own ^ LB_KIT_ENUM_MOVE : own;
}

/* ---- Arguments ---- */

static mli_tensor lb_kit_tensors[LB_WIRE_SLOTS];

typedef union lb_kit_fn lb_kit_fn;

/* The tensor of a role, or NULL. */
#define LB_T(role) (c->count[role] ? &lb_kit_tensors[c->slot[role]] : NULL)
/* A configuration, or NULL where the case says so. `fields`: where its words stand. */
#define LB_CFG(cfg) (c->config_is_null ? NULL : (lb_kit_lend(&(cfg), sizeof(cfg), fields), &(cfg)))
#define LB_WORD(i)  (c->config[i])

/* Where a word of a configuration stands in the port's struct. */
typedef struct lb_kit_field {
    uint8_t at, bytes; /* no bytes: behind the last */
} lb_kit_field;
#define LB_FIELD(type, field)                                                                      \
    {                                                                                              \
        offsetof(type, field), sizeof(((type *)0)->field)                                          \
    }
#define LB_FIELD4(type, field)                                                                     \
    LB_FIELD(type, field[0]), LB_FIELD(type, field[1]), LB_FIELD(type, field[2]),                  \
        LB_FIELD(type, field[3])

/* The configuration of the call at hand, and what it held before it. */
static struct {
    const void *at; /* NULL: none */
    const lb_kit_field *fields;
    uint8_t before[256];
    uint32_t bytes;
} lb_kit_lent;

static void lb_kit_lend(const void *cfg, uint32_t bytes, const lb_kit_field *fields)
{
    lb_kit_lent.at = bytes <= sizeof lb_kit_lent.before ? cfg : NULL;
    lb_kit_lent.fields = fields;
    lb_kit_lent.bytes = bytes;
    if (lb_kit_lent.at)
        memcpy(lb_kit_lent.before, cfg, bytes);
}

static uint32_t lb_kit_number(const uint8_t *at, uint32_t bytes)
{
    uint16_t half;
    uint32_t word;
    if (bytes == 1)
        return *at;
    if (bytes == 2)
        return memcpy(&half, at, 2), half;
    return memcpy(&word, at, 4), word;
}

static int lb_kit_differ(const void *a, const void *b, uint32_t bytes)
{
    const uint8_t *x = (const uint8_t *)a, *y = (const uint8_t *)b;
    while (bytes > 0 && x[bytes - 1] == y[bytes - 1])
        bytes--;
    return bytes > 0;
}

/* It is const: what the call has changed in it is told. */
static void lb_kit_look_at_config(lb_kit_call *c)
{
    const uint8_t *now = (const uint8_t *)lb_kit_lent.at;
    uint32_t i;
    lb_kit_lent.at = NULL;
    if (!now || !lb_kit_differ(now, lb_kit_lent.before, lb_kit_lent.bytes))
        return;
    for (i = 0; lb_kit_lent.fields[i].bytes > 0; i++) {
        const lb_kit_field *f = &lb_kit_lent.fields[i];
        if (!lb_kit_differ(now + f->at, lb_kit_lent.before + f->at, f->bytes))
            continue;
        c->config_out[LB_WIRE_CHANGED] = i + 1;
        c->config_out[LB_WIRE_CHANGED + 1] = lb_kit_number(lb_kit_lent.before + f->at, f->bytes);
        c->config_out[LB_WIRE_CHANGED + 2] = lb_kit_number(now + f->at, f->bytes);
        return;
    }
}

static void lb_kit_status(lb_kit_call *c, mli_status status)
{
    lb_kit_look_at_config(c);
    c->result[LB_WIRE_R_STATUS] = lb_kit_to_published(&lb_kit_statuses, (uint32_t)status);
    if (!lb_kit_is_own(&lb_kit_statuses, (uint32_t)status))
        c->result[LB_WIRE_R_STATUS] = (uint32_t)status | LB_WIRE_FOREIGN_STATUS;
}

/* A number that is not negative; of a negative one the two's complement in 64 bits. */
static void lb_kit_return(lb_kit_call *c, uint32_t low, int is_negative)
{
    c->result[LB_WIRE_R_RETURN] = low;
    c->result[LB_WIRE_R_RETURN + 1] = is_negative ? 0xFFFFFFFFu : 0;
}

static mli_relu_type lb_kit_relu(uint32_t word)
{
    return (mli_relu_type)lb_kit_to_own(&lb_kit_relus, word);
}

/* ---- Look-up tables: made with the port's own function when first needed, in memory that was set
 * aside at the start ---- */

enum { LB_KIT_SIGM, LB_KIT_TANH, LB_KIT_SOFTMAX, LB_KIT_L2_NORMALIZE, LB_KIT_TABLES };

typedef struct lb_kit_table {
    mli_status (*create)(mli_lut *lut);
    int32_t (*bytes)(void);
    mli_lut lut, made; /* as the kernel has it, and as it was made */
    uint8_t *zone;     /* LB_KIT_ZONE bytes, the table, LB_KIT_ZONE bytes */
    uint32_t crc;      /* of its entries as they were made */
    uint8_t is_made, is_used;
} lb_kit_table;

enum { LB_KIT_ZONE = 16, LB_KIT_ZONE_FILL = 0xA7 };

static lb_kit_table lb_kit_luts[LB_KIT_TABLES];

static uint8_t *lb_kit_take_table(lb_kit_table *t, uint8_t *memory, uint32_t *memory_bytes)
{
    enum { WORD = 8, UNTOLD = 1024 };
    uint32_t past = (uint32_t)((WORD - (uintptr_t)memory % WORD) % WORD);
    uint32_t bytes = t->bytes ? (uint32_t)t->bytes() : UNTOLD, all = past + bytes + 2 * LB_KIT_ZONE;
    memset(&t->lut, 0, sizeof t->lut);
    t->is_made = t->is_used = 0;
    if (!t->create || all > *memory_bytes || bytes > *memory_bytes)
        return memory;
    t->zone = memory + past;
    t->lut.data.mem.pi8 = (int8_t *)(t->zone + LB_KIT_ZONE);
    t->lut.data.capacity = bytes;
    t->made = t->lut;
    *memory_bytes -= all;
    return memory + all;
}

/* Its entries and zones, and what they hold when nobody has touched them. */
static void lb_kit_make_table(lb_kit_table *t)
{
    uint32_t bytes = t->made.data.capacity;
    memset(t->zone, LB_KIT_ZONE_FILL, bytes + 2 * LB_KIT_ZONE);
    t->lut.data = t->made.data;
    t->create(&t->lut);
    t->lut.data = t->made.data;
    t->made = t->lut;
    t->crc = lb_wire_crc(0, t->zone + LB_KIT_ZONE, bytes);
    t->is_made = 1;
}

static const mli_lut *lb_kit_lut(int which)
{
    lb_kit_table *t = &lb_kit_luts[which];
    if (!t->is_made && t->made.data.capacity > 0)
        lb_kit_make_table(t);
    t->is_used = 1;
    return &t->lut;
}

static int lb_kit_zone_is_touched(const uint8_t *zone)
{
    int i, touched = 0;
    for (i = 0; i < LB_KIT_ZONE; i++)
        touched |= zone[i] != LB_KIT_ZONE_FILL;
    return touched;
}

/* What the call, or the making of the table for it, has done to it. One that was written over is
 * made anew for the next call. */
static uint32_t lb_kit_look_at_table(lb_kit_table *t)
{
    uint32_t found = 0, bytes = t->made.data.capacity;
    if (!t->is_made)
        return 0;
    if (lb_wire_crc(0, t->zone + LB_KIT_ZONE, bytes) != t->crc)
        found |= LB_WIRE_TABLE_ENTRIES;
    if (lb_kit_zone_is_touched(t->zone))
        found |= LB_WIRE_TABLE_BEFORE;
    if (lb_kit_zone_is_touched(t->zone + LB_KIT_ZONE + bytes))
        found |= LB_WIRE_TABLE_BEHIND;
    if (lb_kit_differ(&t->lut, &t->made, sizeof t->lut))
        found |= LB_WIRE_TABLE_FIELDS;
    if (found)
        t->is_made = 0;
    return found;
}

/* Of the tables that a call was given. */
static uint32_t lb_kit_look_at_tables(void)
{
    uint32_t found = 0;
    uint32_t i;
    for (i = 0; i < LB_KIT_TABLES; i++) {
        uint32_t here = lb_kit_luts[i].is_used ? lb_kit_look_at_table(&lb_kit_luts[i]) : 0;
        lb_kit_luts[i].is_used = 0;
        if (here && !found)
            found = here | i << 16;
    }
    return found;
}

static const uint16_t lb_kit_types_published[] = {0x4, 0x8, 0x10, 0x108, 0x120, 0x210, 0x220};
static const uint32_t lb_kit_types_own[] = {MLI_EL_FX_4,  MLI_EL_FX_8,  MLI_EL_FX_16, MLI_EL_SA_8,
                                            MLI_EL_SA_32, MLI_EL_FP_16, MLI_EL_FP_32};
static const lb_kit_enum lb_kit_types = {lb_kit_types_published, lb_kit_types_own, 7};

#include "lb_kit_mli_calls.h"
