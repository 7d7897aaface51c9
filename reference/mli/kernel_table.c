/* The table of functions: its rows stand in kernel_rows.h. */
#include "describe/program.h"
#include "domains.h"
#include "kernel_roles.h"
#include "models.h"

/* clang-format off */

/* Element types of a variant: in, weights, bias. */
#define T_     .in_type = 0
#define T_sa8  .in_type = LB_SA8
#define T_fx8  .in_type = LB_FX8
#define T_fx16 .in_type = LB_FX16
#define W_fx8  .in_type = LB_FX8,  .weights_type = LB_FX8,  .bias_type = LB_FX8
#define W_fx16 .in_type = LB_FX16, .weights_type = LB_FX16, .bias_type = LB_FX16
#define W_fx16_fx8_fx8 .in_type = LB_FX16, .weights_type = LB_FX8, .bias_type = LB_FX8
#define W_sa8_sa8_sa32 .in_type = LB_SA8,  .weights_type = LB_SA8, .bias_type = LB_SA32

#define ROW(NAME, FAMILY, VARIANT, SPECIAL, OPERATION, TYPES, SIZE, ROLES, CONFIG, STATUS, RULES,  \
            EXACT, REAL, REFUSED)                                                                  \
    {                                                                                              \
        .name = #NAME, .family = LB_FAMILY_##FAMILY, .variant = #VARIANT,                          \
        .special = LB_SPECIAL_##SPECIAL, .op = LB_OP_##OPERATION, TYPES, .kernel_size = SIZE,      \
        .roles = lb_roles_##ROLES, .config_kind = LB_CONFIG_##CONFIG, .returns_status = STATUS,    \
        .rules = lb_rules_##RULES, .exact = lb_exact_##EXACT, .real = lb_real_##REAL,               \
        .refused = REFUSED                                                                         \
    },

#define lb_rules_none NULL
#define lb_exact_none NULL
#define lb_real_none  NULL

const lb_kernel lb_kernels[] = {
#include "kernel_rows.h"
};

/* clang-format on */

const size_t lb_kernel_count = sizeof lb_kernels / sizeof lb_kernels[0];

static const lb_domain *const domains[] = {lb_mli_domains_unary, lb_mli_domains_slope,
                                           lb_mli_domains_eltwise, lb_mli_domains_convert, NULL};

const lb_kernel_set lb_set_mli = {.name = "mli",
                                  .title = "MLI",
                                  .prefix = "mli_",
                                  .kernels = lb_kernels,
                                  .kernel_count = &lb_kernel_count,
                                  .profiles = lb_profiles,
                                  .profile_count = LB_PROFILE_COUNT,
                                  .domains = domains,
                                  .has_features = true};
