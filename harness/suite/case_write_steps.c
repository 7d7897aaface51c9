/* Writing sequences of calls: handles and steps. */
#include "harness/suite/case_text.h"

static void put_handles(text *t, const lb_case *c)
{
    static const char *const states[] = {"invalid",        "open",        "prepared",
                                         "dma_configured", "dma_running", "done"};
    open_with(t, "handles", '{');
    for (size_t i = 0; i < c->handle_count; i++) {
        open_with(t, c->handles[i].name, '{');
        put_number(t, "dma_ch", c->handles[i].dma_ch);
        put_number(t, "num_ch", c->handles[i].num_ch);
        put_text(t, "state", states[c->handles[i].state]);
        close_with(t, '}');
    }
    close_with(t, '}');
}

static void put_step(text *t, const lb_case *c, const lb_step *step)
{
    open_with(t, NULL, '{');
    put_text(t, "call", step->call);
    if (step->handle >= 0)
        put_text(t, "handle", c->handles[step->handle].name);
    if (step->has_ch_offset)
        put_number(t, "ch_offset", step->ch_offset);
    if (step->has_num_ch)
        put_number(t, "num_ch", step->num_ch);
    if (step->has_callback && step->callback) {
        put_text(t, "callback", step->callback);
    } else if (step->has_callback) {
        put_key(t, "callback");
        put(t, "null");
    }
    if (step->has_cookie)
        put_number(t, "cookie", step->cookie);
    if (step->in_is_bad)
        put_text(t, "in", lb_role_name(LB_ROLE_IN_BAD));
    close_with(t, '}');
}

void lb_case_put_sequence(text *t, const lb_case *c)
{
    put_handles(t, c);
    open_with(t, "steps", '[');
    for (size_t i = 0; i < c->step_count; i++) {
        if (i > 0)
            put(t, ",");
        put_step(t, c, &c->steps[i]);
    }
    close_with(t, ']');
}
