/* Remembers its last input, and gives what that one gave where it is the same: with other weights
 * too. */
#include "broken.h"

static const char *profile = "";

static void set_profile(const char *name)
{
    profile = name;
    broken_set_profile(name);
}

static struct {
    const char *profile;
    size_t in_count, out_count;
    int8_t in[4096], out[4096];
} last;

static int is_last(const mli_tensor *in, const mli_tensor *out)
{
    return last.in_count == broken_count(in) && last.out_count == broken_count(out) &&
           strcmp(last.profile, profile) == 0 &&
           memcmp(last.in, in->data.mem.pi8, last.in_count) == 0;
}

static mli_status broken_fc(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias,
                            const mli_fully_connected_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, cfg, out);
    if (status != MLI_STATUS_OK || broken_count(in) > sizeof last.in || out->mem_stride[0] > 1 ||
        broken_offset(in, broken_count(in) - 1) + 1 != broken_count(in) ||
        broken_count(out) > sizeof last.out)
        return status;
    if (is_last(in, out)) {
        memcpy(out->data.mem.pi8, last.out, last.out_count);
        return status;
    }
    last.profile = profile;
    last.in_count = broken_count(in);
    last.out_count = broken_count(out);
    memcpy(last.in, in->data.mem.pi8, last.in_count);
    memcpy(last.out, out->data.mem.pi8, last.out_count);
    return status;
}

const lb_kit_port lb_port = {"broken: remembers its last input", LB_KIT_ALL_PROFILES, set_profile};
#define mli_krn_fully_connected_sa8_sa8_sa32 broken_fc
#include "../../port_kit/lb_kit.c"
