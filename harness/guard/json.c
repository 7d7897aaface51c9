/* Guard bits as a program reads them: see json.h. */
#include "harness/guard/json.h"
#include "harness/guard/table.h"
#include "harness/suite/profile_file.h"

#include "reports/json_put.h"

bool lb_guard_trial_failed(const lb_guard_trial *trial)
{
    return !trial->overflows && (trial->verdict == LB_FAIL || trial->verdict == LB_ERROR);
}

/* "fail" where the range exceeds the width or the port fails on a witness, else "pass". */
static const char *guard_verdict(const lb_guard_record *record)
{
    bool witness_failed = record->tried && (lb_guard_trial_failed(&record->high) ||
                                            lb_guard_trial_failed(&record->low));
    return record->use.exceeds || witness_failed ? "fail" : "pass";
}

static void put_group(lb_doc *doc, const char *id)
{
    char group[512];
    snprintf(group, sizeof group, "%.*s", (int)lb_guard_group_length(id), id);
    lb_put_text(doc, "group", group);
}

static void put_trial(lb_doc *doc, const char *key, const lb_guard_trial *trial)
{
    lb_put_key(doc, key);
    lb_doc_char(doc, '{');
    lb_put_text(doc, "verdict", trial->overflows ? "overflow" : lb_verdict_name(trial->verdict));
    lb_put_number(doc, "sum", trial->witness.sum);
    lb_put_bool(doc, "reached", trial->reached);
    if (trial->reason[0])
        lb_put_text(doc, "reason", trial->reason);
    lb_doc_char(doc, '}');
}

static void put_bounds(lb_doc *doc, const lb_guard_use *use)
{
    lb_put_text(doc, "operands", lb_operands_name(use->operands));
    lb_put_number(doc, "macs", (int64_t)use->macs);
    lb_put_number(doc, "acc_bits", use->acc_bits);
    lb_put_number(doc, "format_bits", use->format_bits);
    lb_put_number(doc, "bound_low", use->bound_low);
    lb_put_number(doc, "bound_high", use->bound_high);
    lb_put_number(doc, "bound_bits", use->bound_bits);
    lb_put_number(doc, "peak_low", use->peak_low);
    lb_put_number(doc, "peak_high", use->peak_high);
    lb_put_number(doc, "peak_bits", use->peak_bits);
    lb_put_number(doc, "headroom_bits", use->headroom_bits);
    lb_put_text(doc, "overflow", use->overflow);
}

static void put_details(lb_doc *doc, const lb_guard_record *record)
{
    const lb_guard_use *use = &record->use;
    int used = use->needed_bits - use->product_bits;
    lb_put_number(doc, "needed_bits", use->needed_bits);
    lb_put_number(doc, "product_bits", use->product_bits);
    lb_put_number(doc, "guard_bits", use->acc_bits - use->product_bits);
    lb_put_number(doc, "guard_bits_used", used > 0 ? used : 0);
    lb_put_number(doc, "separate_bound_low", use->separate_bound_low);
    lb_put_number(doc, "separate_bound_high", use->separate_bound_high);
    lb_put_number(doc, "separate_bound_bits", use->separate_bound_bits);
    lb_put_number(doc, "separate_peak_low", use->separate_peak_low);
    lb_put_number(doc, "separate_peak_high", use->separate_peak_high);
    lb_put_number(doc, "separate_peak_bits", use->separate_peak_bits);
    lb_put_number(doc, "final_low", use->final_low);
    lb_put_number(doc, "final_high", use->final_high);
    lb_put_number(doc, "saturated", (int64_t)use->saturated);
    if (record->port_acc_bits > 0)
        lb_put_number(doc, "port_acc_bits", record->port_acc_bits);
    put_group(doc, record->test_case->id);
    lb_put_text(doc, "suite", record->suite);
    lb_put_text(doc, "file", record->file);
    lb_put_number(doc, "line", record->test_case->line);
}

static void put_witnesses(lb_doc *doc, const lb_guard_record *record)
{
    lb_put_key(doc, "witness");
    lb_doc_char(doc, '{');
    put_trial(doc, "high", &record->high);
    put_trial(doc, "low", &record->low);
    lb_doc_char(doc, '}');
}

void lb_guard_json(lb_doc *doc, const lb_guard_record *record, bool details)
{
    const lb_case *c = record->test_case;
    lb_doc_char(doc, '{');
    lb_put_text(doc, "case", c->id);
    lb_put_text(doc, "function", c->function);
    lb_put_text(doc, "profile", record->profile->name);
    put_bounds(doc, &record->use);
    lb_put_text(doc, "verdict", guard_verdict(record));
    if (record->tried)
        put_witnesses(doc, record);
    if (details)
        put_details(doc, record);
    lb_doc_puts(doc, "}\n");
}
