/* The keys of results.json in tables, and the two walks over a table: one writes, one reads.
 * README.md explains each key. */
#include "results_members.h"

#include "escape.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define MEMBER(record, name, type, required)                                                       \
    {                                                                                              \
#name, LB_MEMBER_##type, offsetof(record, name), required                                  \
    }

/* Largest whole number up to which every JSON reader (a double) tells neighbours apart. */
static const uint64_t exact_limit = (uint64_t)1 << 53;

static const lb_member result_list[] = {
    MEMBER(lb_result, order, U64, true),
    MEMBER(lb_result, suite, STRING, true),
    MEMBER(lb_result, file, STRING, true),
    MEMBER(lb_result, line, UNSIGNED, true),
    MEMBER(lb_result, id, STRING, true),
    MEMBER(lb_result, function, STRING, true),
    MEMBER(lb_result, family, STRING, false),
    MEMBER(lb_result, variant, STRING, false),
    MEMBER(lb_result, profile, STRING, true),
    MEMBER(lb_result, verdict, VERDICT, true),
    MEMBER(lb_result, kind, STRING, false),
    MEMBER(lb_result, reason, STRING, false),
    MEMBER(lb_result, recorded, OPINION, false),
    MEMBER(lb_result, exact, OPINION, false),
    MEMBER(lb_result, real, OPINION, false),
    MEMBER(lb_result, outlier, STRING, false),
    MEMBER(lb_result, status_expected, STRING, false),
    MEMBER(lb_result, status_got, STRING, false),
    MEMBER(lb_result, rule, STRING, false),
    MEMBER(lb_result, reproduce, STRING, false),
    MEMBER(lb_result, microseconds, DOUBLE, false),
    MEMBER(lb_result, vacuous, STRING, false),
    MEMBER(lb_result, diverges_at, STRING, false),
    MEMBER(lb_result, fault, STRING, false),
    MEMBER(lb_result, section, STRING, false),
    MEMBER(lb_result, cpu, STRING, false),
    MEMBER(lb_result, waiver, STRING, false),
    MEMBER(lb_result, was, STRING, false),
    MEMBER(lb_result, map_role, STRING, false),
    MEMBER(lb_result, map_rows, UNSIGNED, false),
    MEMBER(lb_result, map_columns, UNSIGNED, false),
    MEMBER(lb_result, map, STRING, false),
    MEMBER(lb_result, tags, STRING, false),
    MEMBER(lb_result, elements, U64, false),
    MEMBER(lb_result, calls, UNSIGNED, false),
    MEMBER(lb_result, explain, STRING, false),
    MEMBER(lb_result, map_shape, STRING, false),
    MEMBER(lb_result, map_values, STRING, false),
    MEMBER(lb_result, map_operands, STRING, false),
    MEMBER(lb_result, explanation, STRING, false),
    MEMBER(lb_result, again, STRING, false),
};

static const lb_member difference_list[] = {
    MEMBER(lb_difference, oracle, STRING, true),    MEMBER(lb_difference, what, STRING, true),
    MEMBER(lb_difference, role, STRING, false),     MEMBER(lb_difference, field, STRING, false),
    MEMBER(lb_difference, index, STRING, false),    MEMBER(lb_difference, operands, STRING, false),
    MEMBER(lb_difference, expected, STRING, false), MEMBER(lb_difference, got, STRING, false),
    MEMBER(lb_difference, count, U64, true),        MEMBER(lb_difference, total, U64, true),
};

static const lb_member tolerance_list[] = {
    MEMBER(lb_tolerance, role, STRING, true),
    MEMBER(lb_tolerance, elements, U64, true),
    MEMBER(lb_tolerance, max_steps, DOUBLE, true),
    MEMBER(lb_tolerance, mean_steps, DOUBLE, true),
    MEMBER(lb_tolerance, rms_steps, DOUBLE, true),
    MEMBER(lb_tolerance, max_real, DOUBLE, false),
    MEMBER(lb_tolerance, snr_db, DOUBLE, false),
    MEMBER(lb_tolerance, noise_ratio, DOUBLE, false),
    MEMBER(lb_tolerance, quant_share_percent, DOUBLE, false),
    MEMBER(lb_tolerance, histogram, HISTOGRAM, false),
    MEMBER(lb_tolerance, limit_metric, STRING, false),
    MEMBER(lb_tolerance, limit_source, STRING, false),
    MEMBER(lb_tolerance, limit, DOUBLE, false),
    MEMBER(lb_tolerance, used_percent, DOUBLE, false),
};

static const lb_member accumulator_list[] = {
    MEMBER(lb_accumulator_use, acc_bits, BITS, true),
    MEMBER(lb_accumulator_use, peak_low, I64, true),
    MEMBER(lb_accumulator_use, peak_high, I64, true),
    MEMBER(lb_accumulator_use, peak_bits, BITS, true),
    MEMBER(lb_accumulator_use, macs, U64, true),
    MEMBER(lb_accumulator_use, overflow, OVERFLOW, true),
    MEMBER(lb_accumulator_use, saturated, U64, false),
    MEMBER(lb_accumulator_use, format_bits, BITS, false),
    MEMBER(lb_accumulator_use, bound_low, I64, false),
    MEMBER(lb_accumulator_use, bound_high, I64, false),
    MEMBER(lb_accumulator_use, bound_bits, BITS, false),
    MEMBER(lb_accumulator_use, separate_peak_low, I64, false),
    MEMBER(lb_accumulator_use, separate_peak_high, I64, false),
    MEMBER(lb_accumulator_use, separate_bound_low, I64, false),
    MEMBER(lb_accumulator_use, separate_bound_high, I64, false),
};

static const lb_member run_list[] = {
    MEMBER(lb_run_info, tool_version, STRING, true),
    MEMBER(lb_run_info, tool_commit, STRING, false),
    MEMBER(lb_run_info, started, STRING, true),
    MEMBER(lb_run_info, seconds, DOUBLE, true),
    MEMBER(lb_run_info, command, STRING, false),
    MEMBER(lb_run_info, port, STRING, true),
    MEMBER(lb_run_info, port_described, STRING, false),
    MEMBER(lb_run_info, port_sha256, STRING, false),
    MEMBER(lb_run_info, port_target, STRING, false),
    MEMBER(lb_run_info, port_compiler, STRING, false),
    MEMBER(lb_run_info, port_options, STRING, false),
    MEMBER(lb_run_info, port_library_options, STRING, false),
    MEMBER(lb_run_info, port_contradiction, STRING, false),
    MEMBER(lb_run_info, host, STRING, false),
    MEMBER(lb_run_info, host_compiler, STRING, false),
    MEMBER(lb_run_info, shard_index, UNSIGNED, true),
    MEMBER(lb_run_info, shard_count, UNSIGNED, true),
    MEMBER(lb_run_info, exhaustive, STRING, false),
    MEMBER(lb_run_info, platforms, STRING, false),
    MEMBER(lb_run_info, guard, STRING, false),
    MEMBER(lb_run_info, coverage_level, STRING, false),
    MEMBER(lb_run_info, judge, STRING, false),
    MEMBER(lb_run_info, tolerance, STRING, false),
    MEMBER(lb_run_info, cpu, STRING, false),
    MEMBER(lb_run_info, buffers, STRING, false),
    MEMBER(lb_run_info, repeats, UNSIGNED, false),
    MEMBER(lb_run_info, strength_faults, U64, false),
    MEMBER(lb_run_info, strength_caught, U64, false),
    MEMBER(lb_run_info, strength_level, STRING, false),
    MEMBER(lb_run_info, time_limit_seconds, DOUBLE, false),
    MEMBER(lb_run_info, functions_provided, UNSIGNED, false),
    MEMBER(lb_run_info, functions_all, UNSIGNED, false),
    MEMBER(lb_run_info, profiles_tried, UNSIGNED, false),
    MEMBER(lb_run_info, profiles_all, UNSIGNED, false),
    MEMBER(lb_run_info, stopped_at, UNSIGNED, false),
};

static const lb_member suite_list[] = {
    MEMBER(lb_run_suite, name, STRING, true),
    MEMBER(lb_run_suite, file, STRING, true),
    MEMBER(lb_run_suite, sha256, STRING, false),
    MEMBER(lb_run_suite, cases, U64, true),
};

static const lb_member file_list[] = {
    MEMBER(lb_run_file, role, STRING, true),   MEMBER(lb_run_file, file, STRING, true),
    MEMBER(lb_run_file, named, STRING, false), MEMBER(lb_run_file, suite, STRING, false),
    MEMBER(lb_run_file, sha256, STRING, true),
};

static const lb_member meta_list[] = {
    MEMBER(lb_run_meta, key, STRING, true),
    MEMBER(lb_run_meta, value, STRING, true),
};

static const lb_member coverage_list[] = {
    MEMBER(lb_coverage, function, STRING, true),
    MEMBER(lb_coverage, points, UNSIGNED, true),
    MEMBER(lb_coverage, hit, UNSIGNED, true),
};

static const lb_member unreachable_list[] = {
    MEMBER(lb_unreachable, point, STRING, true),
    MEMBER(lb_unreachable, why, STRING, false),
};

static const lb_member line_coverage_list[] = {
    MEMBER(lb_line_coverage, room, STRING, true),
    MEMBER(lb_line_coverage, lines, U64, true),
    MEMBER(lb_line_coverage, lines_hit, U64, true),
    MEMBER(lb_line_coverage, branches, U64, false),
    MEMBER(lb_line_coverage, branches_hit, U64, false),
    MEMBER(lb_line_coverage, link, STRING, false),
};

static const lb_member drift_list[] = {
    MEMBER(lb_layer_drift, suite, STRING, true),
    MEMBER(lb_layer_drift, profile, STRING, true),
    MEMBER(lb_layer_drift, layer, STRING, true),
    MEMBER(lb_layer_drift, elements, U64, true),
    MEMBER(lb_layer_drift, different, U64, true),
    MEMBER(lb_layer_drift, exact_max, DOUBLE, true),
    MEMBER(lb_layer_drift, exact_noise, DOUBLE, true),
    MEMBER(lb_layer_drift, port_max, DOUBLE, true),
    MEMBER(lb_layer_drift, port_noise, DOUBLE, true),
    MEMBER(lb_layer_drift, failed, STRING, false),
};

static const lb_member speed_list[] = {
    MEMBER(lb_speed, row, STRING, true),
    MEMBER(lb_speed, function, STRING, false),
    MEMBER(lb_speed, cpu, STRING, false),
    MEMBER(lb_speed, unit, STRING, false),
    MEMBER(lb_speed, seconds, DOUBLE, false),
    MEMBER(lb_speed, rate, DOUBLE, false),
    MEMBER(lb_speed, peak, DOUBLE, false),
    MEMBER(lb_speed, percent_of_peak, DOUBLE, false),
    MEMBER(lb_speed, noise_percent, DOUBLE, false),
    MEMBER(lb_speed, baseline_rate, DOUBLE, false),
};

static const lb_member fault_list[] = {
    MEMBER(lb_found_fault, name, STRING, true),
    MEMBER(lb_found_fault, sentence, STRING, true),
    MEMBER(lb_found_fault, certainty, CERTAINTY, true),
    MEMBER(lb_found_fault, function, STRING, false),
    MEMBER(lb_found_fault, family, STRING, false),
    MEMBER(lb_found_fault, functions, UNSIGNED, true),
    MEMBER(lb_found_fault, condition, STRING, false),
    MEMBER(lb_found_fault, section, STRING, false),
    MEMBER(lb_found_fault, explained, U64, true),
    MEMBER(lb_found_fault, against, U64, true),
    MEMBER(lb_found_fault, results, U64, true),
    MEMBER(lb_found_fault, file, STRING, true),
    MEMBER(lb_found_fault, id, STRING, true),
    MEMBER(lb_found_fault, profile, STRING, true),
    MEMBER(lb_found_fault, differs, STRING, false),
    MEMBER(lb_found_fault, look_for, STRING, false),
    MEMBER(lb_found_fault, reproduce, STRING, false),
    MEMBER(lb_found_fault, explain, STRING, false),
    MEMBER(lb_found_fault, explanation, STRING, false),
};

const lb_members lb_result_members = {result_list, COUNT(result_list)};
const lb_members lb_difference_members = {difference_list, COUNT(difference_list)};
const lb_members lb_tolerance_members = {tolerance_list, COUNT(tolerance_list)};
const lb_members lb_accumulator_members = {accumulator_list, COUNT(accumulator_list)};
const lb_members lb_run_members = {run_list, COUNT(run_list)};
const lb_members lb_suite_members = {suite_list, COUNT(suite_list)};
const lb_members lb_file_members = {file_list, COUNT(file_list)};
const lb_members lb_meta_members = {meta_list, COUNT(meta_list)};
const lb_members lb_coverage_members = {coverage_list, COUNT(coverage_list)};
const lb_members lb_unreachable_members = {unreachable_list, COUNT(unreachable_list)};
const lb_members lb_line_coverage_members = {line_coverage_list, COUNT(line_coverage_list)};
const lb_members lb_drift_members = {drift_list, COUNT(drift_list)};
const lb_members lb_speed_members = {speed_list, COUNT(speed_list)};
const lb_members lb_fault_members = {fault_list, COUNT(fault_list)};

/* A member of the structure at base, through memcpy: no cast to a type that the compiler cannot
 * check. */
#define LOAD(variable)  memcpy(&(variable), (const char *)base + member->offset, sizeof(variable))
#define STORE(variable) memcpy((char *)base + member->offset, &(variable), sizeof(variable))

/* ---- Writing ---- */

static void write_key(lb_doc *doc, const lb_member *member, bool first)
{
    lb_doc_bytes(doc, first ? "\"" : ",\"", first ? 1 : 2);
    lb_doc_puts(doc, member->key);
    lb_doc_bytes(doc, "\":", 2);
}

static bool write_string(const lb_member *member, const void *base, lb_doc *doc, bool first)
{
    const char *text;
    LOAD(text);
    if (!member->required && (!text || text[0] == '\0'))
        return false;
    write_key(doc, member, first);
    if (member->type == LB_MEMBER_OVERFLOW && (!text || text[0] == '\0'))
        text = "none";
    lb_escape_json(doc, text);
    return true;
}

static bool write_unsigned(const lb_member *member, uint64_t value, lb_doc *doc, bool first)
{
    if (!member->required && value == 0)
        return false;
    write_key(doc, member, first);
    const char *quote = value > exact_limit ? "\"" : "";
    lb_doc_puts(doc, quote);
    lb_doc_u64(doc, value);
    lb_doc_puts(doc, quote);
    return true;
}

static bool write_signed(const lb_member *member, int64_t value, lb_doc *doc, bool first)
{
    if (!member->required && value == 0)
        return false;
    write_key(doc, member, first);
    bool large = value > (int64_t)exact_limit || value < -(int64_t)exact_limit;
    lb_doc_puts(doc, large ? "\"" : "");
    lb_doc_i64(doc, value);
    lb_doc_puts(doc, large ? "\"" : "");
    return true;
}

static bool write_word(const lb_member *member, const char *word, bool is_default, lb_doc *doc,
                       bool first)
{
    if (!member->required && is_default)
        return false;
    write_key(doc, member, first);
    lb_doc_char(doc, '"');
    lb_doc_puts(doc, word);
    lb_doc_char(doc, '"');
    return true;
}

static bool write_double(const lb_member *member, double value, lb_doc *doc, bool first)
{
    if (!member->required && value == 0)
        return false;
    write_key(doc, member, first);
    lb_doc_double(doc, value, 9, "null");
    return true;
}

/* Counts above 2^53 do not happen: no tensor has so many elements. */
static bool write_histogram(const lb_member *member, const void *base, lb_doc *doc, bool first)
{
    uint64_t bins[LB_TOLERANCE_BINS], any = 0;
    LOAD(bins);
    for (unsigned i = 0; i < LB_TOLERANCE_BINS; i++)
        any |= bins[i];
    if (any == 0)
        return false;
    write_key(doc, member, first);
    for (unsigned i = 0; i < LB_TOLERANCE_BINS; i++) {
        lb_doc_char(doc, i == 0 ? '[' : ',');
        lb_doc_u64(doc, bins[i] < exact_limit ? bins[i] : exact_limit);
    }
    lb_doc_char(doc, ']');
    return true;
}

/* False: left out, because it is empty. */
static bool write_member(const lb_member *member, const void *base, lb_doc *doc, bool first)
{
    uint64_t wide;
    int64_t wide_signed;
    unsigned narrow;
    int bits;
    double real;
    lb_verdict verdict;
    lb_agreement agreement;
    lb_certainty certainty;
    switch (member->type) {
    case LB_MEMBER_U64:
        LOAD(wide);
        return write_unsigned(member, wide, doc, first);
    case LB_MEMBER_UNSIGNED:
        LOAD(narrow);
        return write_unsigned(member, narrow, doc, first);
    case LB_MEMBER_I64:
        LOAD(wide_signed);
        return write_signed(member, wide_signed, doc, first);
    case LB_MEMBER_BITS:
        LOAD(bits);
        return write_signed(member, bits, doc, first);
    case LB_MEMBER_DOUBLE:
        LOAD(real);
        return write_double(member, real, doc, first);
    case LB_MEMBER_VERDICT:
        LOAD(verdict);
        return write_word(member, lb_verdict_name(verdict), false, doc, first);
    case LB_MEMBER_OPINION:
        LOAD(agreement);
        return write_word(member, lb_agreement_name(agreement), agreement == LB_AGREEMENT_NONE, doc,
                          first);
    case LB_MEMBER_CERTAINTY:
        LOAD(certainty);
        return write_word(member, lb_certainty_name(certainty), false, doc, first);
    case LB_MEMBER_HISTOGRAM:
        return write_histogram(member, base, doc, first);
    case LB_MEMBER_STRING:
    case LB_MEMBER_OVERFLOW:
    default:
        return write_string(member, base, doc, first);
    }
}

void lb_members_write(const lb_members *members, const void *base, lb_doc *doc)
{
    bool first = true;
    for (size_t i = 0; i < members->count; i++)
        if (write_member(&members->list[i], base, doc, first))
            first = false;
}

/* ---- Reading ---- */

/* A whole number written in digits, with a minus if it is below zero; false: not one, or beyond 64
 * bits. */
static bool parse_digits(const char *text, bool *negative, uint64_t *magnitude)
{
    *negative = text[0] == '-';
    text += *negative;
    *magnitude = 0;
    if (text[0] == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (*magnitude > (UINT64_MAX - digit) / 10)
            return false;
        *magnitude = *magnitude * 10 + digit;
    }
    return true;
}

static bool read_whole(const cJSON *item, bool *negative, uint64_t *magnitude)
{
    if (cJSON_IsString(item))
        return parse_digits(item->valuestring, negative, magnitude);
    if (!cJSON_IsNumber(item) || !(fabs(item->valuedouble) <= (double)exact_limit) ||
        item->valuedouble != floor(item->valuedouble))
        return false;
    *negative = item->valuedouble < 0;
    *magnitude = (uint64_t)fabs(item->valuedouble);
    return true;
}

static const char *read_unsigned(const lb_member *member, void *base, const cJSON *item)
{
    bool negative;
    uint64_t value;
    if (!read_whole(item, &negative, &value) || (negative && value != 0))
        return "must be a whole number from 0";
    if (member->type == LB_MEMBER_U64) {
        STORE(value);
        return NULL;
    }
    unsigned narrow = (unsigned)value;
    if (value > UINT_MAX)
        return "is too large";
    STORE(narrow);
    return NULL;
}

static const char *read_signed(const lb_member *member, void *base, const cJSON *item)
{
    bool negative;
    uint64_t magnitude;
    if (!read_whole(item, &negative, &magnitude))
        return "must be a whole number";
    if (magnitude > (uint64_t)INT64_MAX + (negative ? 1 : 0))
        return "is beyond its range";
    /* -magnitude without passing through the one value that has no positive counterpart */
    int64_t value = negative && magnitude > 0 ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
    STORE(value);
    return NULL;
}

static const char *read_bits(const lb_member *member, void *base, const cJSON *item)
{
    bool negative;
    uint64_t value;
    if (!read_whole(item, &negative, &value) || (negative && value != 0) || value > 4096)
        return "must be a number of bits, 0 to 4096";
    int bits = (int)value;
    STORE(bits);
    return NULL;
}

static const char *read_double(const lb_member *member, void *base, const cJSON *item)
{
    double value = NAN;
    if (cJSON_IsNumber(item)) {
        value = item->valuedouble;
        if (!isfinite(value))
            return "is beyond the range of numbers";
    } else if (!cJSON_IsNull(item)) {
        return "must be a number or null";
    }
    STORE(value);
    return NULL;
}

static const char *read_histogram(const lb_member *member, void *base, const cJSON *item)
{
    static const char *const wrong = "must be a list of 13 whole numbers from 0";
    uint64_t bins[LB_TOLERANCE_BINS];
    unsigned count = 0;
    const cJSON *element;
    bool negative;
    cJSON_ArrayForEach(element, item)
    {
        if (count == LB_TOLERANCE_BINS || !read_whole(element, &negative, &bins[count]) || negative)
            return wrong;
        count++;
    }
    if (!cJSON_IsArray(item) || count != LB_TOLERANCE_BINS)
        return wrong;
    STORE(bins);
    return NULL;
}

static const char *read_verdict(const lb_member *member, void *base, const char *word)
{
    int found = lb_verdict_find(word);
    if (found < 0)
        return "must be pass, fail, error, skip or waived";
    lb_verdict verdict = (lb_verdict)found;
    STORE(verdict);
    return NULL;
}

static const char *read_agreement(const lb_member *member, void *base, const char *word)
{
    for (int i = 0; i < LB_AGREEMENT_COUNT; i++) {
        lb_agreement agreement = (lb_agreement)i;
        if (strcmp(word, lb_agreement_name(agreement)) == 0) {
            STORE(agreement);
            return NULL;
        }
    }
    return "must be none, agrees or differs";
}

static const char *read_certainty(const lb_member *member, void *base, const char *word)
{
    for (int i = 0; i < LB_CERTAINTY_COUNT; i++) {
        lb_certainty certainty = (lb_certainty)i;
        if (strcmp(word, lb_certainty_name(certainty)) == 0) {
            STORE(certainty);
            return NULL;
        }
    }
    return "must be one, several, partly or unknown";
}

static const char *read_text(const lb_member *member, void *base, const cJSON *item)
{
    if (!cJSON_IsString(item))
        return "must be a string";
    const char *text = item->valuestring;
    switch (member->type) {
    case LB_MEMBER_VERDICT:
        return read_verdict(member, base, text);
    case LB_MEMBER_OPINION:
        return read_agreement(member, base, text);
    case LB_MEMBER_CERTAINTY:
        return read_certainty(member, base, text);
    case LB_MEMBER_OVERFLOW:
        if (strcmp(text, "none") != 0 && strcmp(text, "transient") != 0 &&
            strcmp(text, "persistent") != 0)
            return "must be none, transient or persistent";
        break;
    default:
        break;
    }
    STORE(text);
    return NULL;
}

/* NULL: read; otherwise what is wrong with it. */
static const char *read_member(const lb_member *member, void *base, const cJSON *item)
{
    switch (member->type) {
    case LB_MEMBER_U64:
    case LB_MEMBER_UNSIGNED:
        return read_unsigned(member, base, item);
    case LB_MEMBER_I64:
        return read_signed(member, base, item);
    case LB_MEMBER_BITS:
        return read_bits(member, base, item);
    case LB_MEMBER_DOUBLE:
        return read_double(member, base, item);
    case LB_MEMBER_HISTOGRAM:
        return read_histogram(member, base, item);
    default:
        return read_text(member, base, item);
    }
}

static void set_strings_empty(const lb_members *members, void *base)
{
    const char *empty = "";
    for (size_t i = 0; i < members->count; i++) {
        const lb_member *member = &members->list[i];
        if (member->type == LB_MEMBER_STRING || member->type == LB_MEMBER_OVERFLOW)
            STORE(empty);
    }
}

/* Index of the member with this key; the search starts where the last one ended, since keys come in
 * the table's order. */
static size_t find_member(const lb_members *members, const char *key, size_t start)
{
    for (size_t i = 0, index = start; i < members->count; i++) {
        const char *name = members->list[index].key;
        if (name[0] == key[0] && strcmp(name, key) == 0)
            return index;
        index = index + 1 < members->count ? index + 1 : 0;
    }
    return members->count;
}

bool lb_members_read(const lb_members *members, void *base, const cJSON *object, char *error,
                     size_t error_bytes)
{
    uint64_t seen = 0; /* no table has more than 64 keys */
    size_t next = 0;
    set_strings_empty(members, base);
    for (const cJSON *item = object->child; item; item = item->next) {
        size_t index = find_member(members, item->string, next);
        if (index == members->count)
            continue;
        const char *wrong = (seen >> index & 1) != 0
                                ? "stands there twice"
                                : read_member(&members->list[index], base, item);
        if (wrong) {
            snprintf(error, error_bytes, "\"%s\" %s", members->list[index].key, wrong);
            return false;
        }
        seen |= (uint64_t)1 << index;
        next = index + 1 < members->count ? index + 1 : 0;
    }
    for (size_t i = 0; i < members->count; i++) {
        if (members->list[i].required && (seen >> i & 1) == 0) {
            snprintf(error, error_bytes, "\"%s\" is missing", members->list[i].key);
            return false;
        }
    }
    return true;
}
