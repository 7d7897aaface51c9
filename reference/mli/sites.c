/* The tables of what steps are known by. See sites.h. */
#include "core/sites.h"

#include "describe/kernels.h"

#define LB_SITE_LABEL(name, operation, label) [LB_SITE_##name] = (label),

const char *lb_site_label(lb_site site)
{
    static const char *const labels[LB_SITE_COUNT] = {LB_SITES(LB_SITE_LABEL)};
    return labels[site];
}

#define LB_SITE_SYMBOL(name, operation, label) [LB_SITE_##name] = #name,

const char *lb_site_symbol(lb_site site)
{
    static const char *const symbols[LB_SITE_COUNT] = {LB_SITES(LB_SITE_SYMBOL)};
    return symbols[site];
}

#define LB_SITE_OPERATION(name, operation, label) [LB_SITE_##name] = LB_STEP_##operation,

int lb_site_operation(lb_site site)
{
    static const unsigned char operations[LB_SITE_COUNT] = {LB_SITES(LB_SITE_OPERATION)};
    return operations[site];
}

#define LB_BLOCK_NAME(name, text) [LB_BLOCK_##name] = (text),

const char *lb_block_name(lb_block block)
{
    static const char *const names[LB_BLOCK_COUNT] = {LB_BLOCKS(LB_BLOCK_NAME)};
    return names[block];
}

#define LB_TERM_NAME(name, text) [LB_TERM_##name] = (text),

const char *lb_term_name(lb_step_term term)
{
    static const char *const names[LB_TERM_COUNT] = {LB_TERMS(LB_TERM_NAME)};
    return names[term];
}

#define LB_OWNER_ROW(name, text, role, item) [LB_OWNER_##name] = {text, role, item},

static const struct {
    const char *name;
    int role, item;
} owners[LB_OWNER_COUNT] = {LB_OWNERS(LB_OWNER_ROW)};

const char *lb_owner_name(lb_owner owner)
{
    return owners[owner].name;
}

int lb_owner_role(lb_owner owner)
{
    return owners[owner].role;
}

int lb_owner_item(lb_owner owner)
{
    return owners[owner].item;
}
