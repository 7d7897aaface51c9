/* Walks a family's list of rules: each rule is violated alone, by editing fields of a call that is
 * otherwise good, and must be the one that is reported; and no rule of the list may be left out. */
#ifndef LB_REFERENCE_TESTS_VIOLATIONS_H
#define LB_REFERENCE_TESTS_VIOLATIONS_H

#include "tensors.h"

typedef enum edit_kind {
    EDIT_END,
    EDIT_BOOL,
    EDIT_I8,
    EDIT_I16,
    EDIT_I32,
    EDIT_U32,
    EDIT_POINTER,
    EDIT_NULL
} edit_kind;

/* One field of the fixture. */
typedef struct edit {
    edit_kind kind;
    size_t offset;
    int64_t value; /* EDIT_POINTER: offset in the fixture of what to point at */
} edit;

/* Status LB_OK: an earlier rule always fails first, so this one cannot be seen. */
typedef struct violation {
    const char *rule;
    lb_status status;
    edit edits[16];
} violation;

/* `fixture` is the type's name in the test. */
#define SET_BOOL(member)                                                                           \
    {                                                                                              \
        EDIT_BOOL, offsetof(fixture, member), 1                                                    \
    }
#define SET_I8(member, v)                                                                          \
    {                                                                                              \
        EDIT_I8, offsetof(fixture, member), v                                                      \
    }
#define SET_I16(member, v)                                                                         \
    {                                                                                              \
        EDIT_I16, offsetof(fixture, member), v                                                     \
    }
#define SET_I32(member, v)                                                                         \
    {                                                                                              \
        EDIT_I32, offsetof(fixture, member), v                                                     \
    }
#define SET_U32(member, v)                                                                         \
    {                                                                                              \
        EDIT_U32, offsetof(fixture, member), v                                                     \
    }
#define SET_POINTER(member, to)                                                                    \
    {                                                                                              \
        EDIT_POINTER, offsetof(fixture, member), offsetof(fixture, to)                             \
    }
#define SET_NULL(member)                                                                           \
    {                                                                                              \
        EDIT_NULL, offsetof(fixture, member), 0                                                    \
    }
/* Valid quantization per axis 0: the fixture has lists `ones` (int16), `zeros` (int16) and `fracs`
 * (int8). */
#define SET_PER_AXIS(t)                                                                            \
    SET_I32(t.sa.dim, 0), SET_U32(t.sa.scale.capacity_bytes, 32),                                  \
        SET_U32(t.sa.zero_point.capacity_bytes, 32),                                               \
        SET_U32(t.sa.scale_frac_bits.capacity_bytes, 16), SET_POINTER(t.sa.scale.mem.ptr, ones),   \
        SET_POINTER(t.sa.zero_point.mem.ptr, zeros),                                               \
        SET_POINTER(t.sa.scale_frac_bits.mem.ptr, fracs)

static inline void apply_edit(void *fixture, const edit *e)
{
    char *base = fixture;
    char *field = base + e->offset;
    bool yes = true;
    int8_t v8 = (int8_t)e->value;
    int16_t v16 = (int16_t)e->value;
    int32_t v32 = (int32_t)e->value;
    uint32_t u32 = (uint32_t)e->value;
    void *pointer = e->kind == EDIT_POINTER ? base + e->value : NULL;
    switch (e->kind) {
    case EDIT_BOOL:
        memcpy(field, &yes, sizeof yes);
        break;
    case EDIT_I8:
        memcpy(field, &v8, sizeof v8);
        break;
    case EDIT_I16:
        memcpy(field, &v16, sizeof v16);
        break;
    case EDIT_I32:
        memcpy(field, &v32, sizeof v32);
        break;
    case EDIT_U32:
        memcpy(field, &u32, sizeof u32);
        break;
    case EDIT_POINTER:
    case EDIT_NULL:
        memcpy(field, &pointer, sizeof pointer);
        break;
    case EDIT_END:
        break;
    }
}

static inline bool is_undefined(const lb_kernel *kernel, const char *name)
{
    for (const lb_rule *rule = kernel->rules; rule->check; rule++)
        if (strcmp(rule->name, name) == 0 && lb_rule_is_undefined(rule))
            return true;
    return false;
}

/* `set_up` makes the good call; `call` lies in the fixture. */
static inline void check_violations(void *fixture, lb_call *call, void (*set_up)(void *fixture),
                                    const violation *rows, size_t count)
{
    set_up(fixture);
    assert_string_equal(run(call, 0), "");
    assert_int_equal(call->status, LB_OK);
    size_t covered = 0;
    for (const lb_rule *rule = call->kernel->rules; rule->check; rule++) {
        bool found = lb_rule_is_undefined(rule); /* gives no status */
        for (size_t i = 0; i < count; i++)
            found = found || strcmp(rows[i].rule, rule->name) == 0;
        if (!found)
            fail_msg("rule %s is never violated", rule->name);
        covered++;
    }
    assert_true(covered > 0);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].status == LB_OK)
            continue;
        set_up(fixture);
        for (const edit *e = rows[i].edits; e->kind != EDIT_END; e++)
            apply_edit(fixture, e);
        assert_string_equal(run(call, 0), rows[i].rule);
        if (!is_undefined(call->kernel, rows[i].rule)) /* its status is nobody's */
            assert_int_equal(call->status, rows[i].status);
    }
}

#endif
