/* The results as data for the page's script: see html_data.h. What several results share (a case,
 * what was seen, words, shell lines) is written once and named by its number. */
#include "html_data.h"

#include "escape.h"
#include "html_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With the rest of the page less than 8 MB. */
enum { PASS_BYTES = 4 << 20, DATA_BYTES = 7000000, MAP_BYTES = 1500000 };

enum {
    CASE_ID,
    CASE_FUNCTION,
    CASE_SUITE,
    CASE_FILE,
    CASE_LINE,
    CASE_TAGS,
    ROW_CASE, /* the difference to the row before */
    ROW_PROFILE,
    ROW_MICROSECONDS,
    ROW_HEADROOM,
    ROW_STEPS,
    ROW_REASON, /* 0: none; else its number and 1 */
    ROW_DETAIL, /* of rows that failed, were errors or are waived: number of details, -1: left out
                 */
    SUITES,
    FILES,
    REASONS,
    TAGS,
    WORDS, /* the first is empty */
    KINDS, /* of differences: oracle, what, role, field as words */
    SHELLS,
    MAPS, /* the first is none */
    DETAILS,
    COLUMN_COUNT
};

static const char *const keys[COLUMN_COUNT] = {
    "caseId", "caseFunction", "caseSuite", "caseFile", "caseLine", "caseTag", "case",  "profile",
    "us",     "headroom",     "steps",     "reason",   "detail",   "suites",  "files", "reasons",
    "tags",   "words",        "kinds",     "shells",   "maps",     "details"};

struct lb_html_data {
    lb_doc columns[COLUMN_COUNT];
    lb_names names[COLUMN_COUNT]; /* of the tables of strings, by the number of their column */
    lb_names cases, seen;
    lb_doc verdicts, agreements; /* a letter a row */
    lb_doc scratch;
    uint64_t rows, expected;
    size_t last_case;
};

lb_html_data *lb_html_data_make(uint64_t expected)
{
    lb_html_data *all = calloc(1, sizeof *all);
    if (all)
        all->expected = expected;
    return all;
}

void lb_html_data_free(lb_html_data *all)
{
    if (!all)
        return;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        lb_doc_free(&all->columns[i]);
        lb_names_free(&all->names[i]);
    }
    lb_names_free(&all->cases);
    lb_names_free(&all->seen);
    lb_doc_free(&all->verdicts);
    lb_doc_free(&all->agreements);
    lb_doc_free(&all->scratch);
    free(all);
}

/* Of everything written so far but for what is known of failures beyond their rows. */
static size_t row_bytes(const lb_html_data *all)
{
    size_t bytes = all->verdicts.length + all->agreements.length;
    for (int i = 0; i < WORDS; i++)
        bytes += all->columns[i].length;
    return bytes;
}

static size_t detail_bytes(const lb_html_data *all)
{
    size_t bytes = 0;
    for (int i = WORDS; i < COLUMN_COUNT; i++)
        bytes += all->columns[i].length;
    return bytes;
}

/* What all rows will need if they go on like those so far; a thousand ordinary ones count as seen,
 * and numbers grow longer towards the end. Details may use the rest: a row in the list is worth
 * more than the details of another. */
static double expect_bytes(const lb_html_data *all)
{
    const double ordinary = 40, count = 1000, growth = 1.1;
    double each = ((double)row_bytes(all) + ordinary * count) / ((double)all->rows + count);
    return growth * each * (double)all->expected;
}

/* The document of a column, at its next value. */
static lb_doc *next_value(lb_html_data *all, int index)
{
    lb_doc *doc = &all->columns[index];
    if (doc->length > 0)
        lb_doc_char(doc, ',');
    return doc;
}

/* The number of a string in a table; a new one is written to the table's column. */
static size_t add_name(lb_html_data *all, int index, const char *text, size_t limit)
{
    lb_names *names = &all->names[index];
    size_t known = names->count;
    size_t number = lb_names_add(names, text);
    if (number != LB_NO_NAME && number >= known)
        lb_escape_script(next_value(all, index), text, limit);
    return number;
}

/* The same for what is written as JSON already. */
static size_t add_json(lb_html_data *all, int index, lb_names *names, lb_doc *json)
{
    size_t known = names->count;
    lb_doc_char(json, '\0');
    size_t number = json->failed ? LB_NO_NAME : lb_names_add(names, json->text);
    if (number != LB_NO_NAME && number >= known)
        lb_doc_puts(next_value(all, index), json->text);
    return number;
}

/* ---- Cases ---- */

/* What makes a case one: everything but the profile, a line each. */
static size_t add_case(lb_html_data *all, const lb_result *result)
{
    const char *const parts[] = {result->id,    "\n", result->function, "\n",
                                 result->suite, "\n", result->file,     "\n"};
    lb_doc *key = &all->scratch;
    lb_doc_cut(key, 0);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        lb_doc_puts(key, parts[i]);
    lb_doc_u64(key, result->line);
    lb_doc_char(key, '\0');
    return key->failed ? LB_NO_NAME : lb_names_add(&all->cases, key->text);
}

/* The number of a result's case: what its profiles share is written once. */
static size_t find_case(lb_html_data *all, const lb_facts *facts, const lb_result *result)
{
    size_t known = all->cases.count;
    size_t number = add_case(all, result);
    if (number == LB_NO_NAME || number < known)
        return number;
    size_t suite = add_name(all, SUITES, result->suite, LB_HTML_NAME);
    size_t file = add_name(all, FILES, result->file, LB_HTML_NAME);
    size_t tags = add_name(all, TAGS, result->tags, LB_HTML_TEXT);
    size_t function = lb_names_find(&facts->functions, result->function);
    if (suite == LB_NO_NAME || file == LB_NO_NAME || tags == LB_NO_NAME || function == LB_NO_NAME)
        return LB_NO_NAME;
    lb_escape_script(next_value(all, CASE_ID), result->id, LB_HTML_NAME);
    lb_doc_u64(next_value(all, CASE_FUNCTION), function);
    lb_doc_u64(next_value(all, CASE_SUITE), suite);
    lb_doc_u64(next_value(all, CASE_FILE), file);
    lb_doc_u64(next_value(all, CASE_LINE), result->line);
    lb_doc_u64(next_value(all, CASE_TAGS), tags);
    return number;
}

/* ---- Rows ---- */

static void add_figures(lb_html_data *all, const lb_result *result)
{
    double steps = NAN;
    for (unsigned i = 0; i < result->tolerance_count; i++) {
        double largest = result->tolerances[i].max_steps;
        steps = isnan(steps) || largest > steps ? largest : steps;
    }
    lb_doc_double(next_value(all, ROW_MICROSECONDS), result->microseconds, 3, "0");
    lb_doc_double(next_value(all, ROW_STEPS), steps, 4, "null");
    lb_doc *headroom = next_value(all, ROW_HEADROOM);
    if (result->accumulator.acc_bits == 0) {
        lb_doc_puts(headroom, "null");
    } else {
        lb_doc_i64(headroom, (int64_t)result->accumulator.acc_bits -
                                 lb_accumulator_needed(&result->accumulator));
    }
}

static bool add_reason(lb_html_data *all, const lb_result *result)
{
    const char *reason = result->verdict == LB_PASS ? result->vacuous : result->reason;
    size_t number = 0;
    if (reason[0] != '\0') {
        number = add_name(all, REASONS, reason, LB_HTML_TEXT);
        if (number == LB_NO_NAME)
            return false;
        number++;
    }
    lb_doc_u64(next_value(all, ROW_REASON), number);
    return true;
}

/* ---- What is known of a failure ---- */

static bool put_word(lb_html_data *all, lb_doc *json, const char *text, size_t limit)
{
    size_t number = text[0] == '\0' ? 0 : add_name(all, WORDS, text, limit) + 1;
    lb_doc_char(json, ',');
    lb_doc_u64(json, number);
    return number > 0 || text[0] == '\0'; /* LB_NO_NAME and 1 is 0 */
}

static bool put_difference(lb_html_data *all, lb_doc *json, const lb_difference *difference)
{
    const char *const kind_words[] = {difference->oracle, lb_differs_name(difference->what),
                                      difference->role, difference->field};
    const char *const own[] = {difference->index, difference->operands, difference->expected,
                               difference->got};
    lb_doc kind = lb_doc_make();
    bool good = true;
    for (int i = 0; i < 4; i++)
        good = put_word(all, &kind, kind_words[i], LB_HTML_NAME) && good;
    if (kind.length > 0)
        kind.text[0] = '[';
    lb_doc_char(&kind, ']');
    size_t number = good ? add_json(all, KINDS, &all->names[KINDS], &kind) : LB_NO_NAME;
    lb_doc_free(&kind);
    lb_doc_char(json, ',');
    lb_doc_u64(json, number);
    for (int i = 0; i < 4; i++)
        good = put_word(all, json, own[i], LB_HTML_NAME) && good;
    lb_doc_char(json, ',');
    lb_doc_u64(json, difference->count);
    lb_doc_char(json, ',');
    lb_doc_u64(json, difference->total);
    return good && number != LB_NO_NAME;
}

/* A shell line in pieces: what differs from case to case stands as a number (0 file, 1 id, 2
 * profile), so that one entry serves many results. */
static bool put_shell(lb_html_data *all, lb_doc *json, const lb_result *result, const char *text)
{
    const char *const parts[] = {result->file, result->id, result->profile};
    const size_t lengths[] = {strlen(parts[0]), strlen(parts[1]), strlen(parts[2])};
    lb_doc pieces = lb_doc_make(), plain = lb_doc_make();
    size_t shown = 0;
    lb_doc_char(&pieces, '[');
    while (text[0] != '\0' && shown < LB_HTML_SHELL) {
        int part = 0;
        while (part < 3 && (lengths[part] == 0 || text[0] != parts[part][0] ||
                            strncmp(text, parts[part], lengths[part]) != 0))
            part++;
        size_t bytes = part < 3 ? lengths[part] : 1;
        if (part == 3)
            lb_doc_char(&plain, text[0]);
        shown += bytes;
        text += bytes;
        if (plain.length > 0 && (part < 3 || text[0] == '\0')) {
            lb_doc_char(&plain, '\0');
            lb_doc_puts(&pieces, pieces.length > 1 ? "," : "");
            lb_escape_script(&pieces, plain.text, LB_HTML_SHELL);
            lb_doc_cut(&plain, 0);
        }
        if (part < 3)
            lb_doc_printf(&pieces, pieces.length > 1 ? ",%d" : "%d", part);
    }
    lb_doc_char(&pieces, ']');
    size_t number = plain.failed ? LB_NO_NAME : add_json(all, SHELLS, &all->names[SHELLS], &pieces);
    lb_doc_free(&pieces);
    lb_doc_free(&plain);
    lb_doc_char(json, ',');
    lb_doc_u64(json, number);
    return number != LB_NO_NAME;
}

/* Maps are runs: a letter, and how often it stands there where that is more than once. */
static bool put_map(lb_html_data *all, lb_doc *json, const lb_result *result)
{
    size_t cells = (size_t)result->map_rows * result->map_columns, number = 0;
    if (cells > 0 && all->columns[MAPS].length < MAP_BYTES) {
        lb_doc map = lb_doc_make();
        lb_doc_printf(&map, "[%u,%u,\"", result->map_rows, result->map_columns);
        for (size_t i = 0, run; i < cells; i += run) {
            for (run = 1; i + run < cells && result->map[i + run] == result->map[i]; run++) {
            }
            /* Classes are '.' and digits; as letters they stand apart from counts. */
            char letter = result->map[i] == '.' ? '.' : (char)('a' + result->map[i] - '1');
            lb_doc_char(&map, letter);
            if (run > 1)
                lb_doc_u64(&map, run);
        }
        const char *const words[] = {result->map_role, result->map_shape, result->map_values};
        lb_doc_char(&map, '"');
        for (int i = 0; i < 3; i++) {
            lb_doc_char(&map, ',');
            lb_escape_script(&map, words[i], LB_HTML_SHELL);
        }
        lb_doc_char(&map, ']');
        number = add_json(all, MAPS, &all->names[MAPS], &map);
        lb_doc_free(&map);
        if (number == LB_NO_NAME)
            return false;
        number++; /* 0 is none */
    }
    lb_doc_char(json, ',');
    lb_doc_u64(json, number);
    return true;
}

static bool put_detail(lb_html_data *all, lb_doc *json, const lb_result *result)
{
    const char *const words[] = {result->outlier, result->status_expected, result->status_got,
                                 result->rule,    result->diverges_at,     result->waiver,
                                 result->fault,   result->section,         result->cpu};
    bool good = true;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        good = put_word(all, json, words[i], LB_HTML_TEXT) && good;
    if (json->length > 0)
        json->text[0] = '[';
    good = put_shell(all, json, result, result->reproduce) && good;
    good = put_shell(all, json, result, result->explain) && good;
    good = put_map(all, json, result) && good;
    for (unsigned i = 0; i < result->difference_count; i++)
        good = put_difference(all, json, &result->differences[i]) && good;
    lb_doc_char(json, ']');
    return good;
}

static bool add_detail(lb_html_data *all, const lb_result *result)
{
    if (expect_bytes(all) + (double)detail_bytes(all) > DATA_BYTES) {
        lb_doc_puts(next_value(all, ROW_DETAIL), "-1");
        return true;
    }
    lb_doc json = lb_doc_make();
    size_t number =
        put_detail(all, &json, result) ? add_json(all, DETAILS, &all->seen, &json) : LB_NO_NAME;
    lb_doc_free(&json);
    lb_doc_u64(next_value(all, ROW_DETAIL), number);
    return number != LB_NO_NAME;
}

bool lb_html_data_add(lb_html_data *all, const lb_facts *facts, const lb_result *result)
{
    size_t bytes = row_bytes(all);
    if (bytes + detail_bytes(all) > DATA_BYTES ||
        (result->verdict == LB_PASS && bytes > PASS_BYTES))
        return true;
    size_t case_number = find_case(all, facts, result);
    size_t profile = lb_names_find(&facts->profiles, result->profile);
    if (case_number == LB_NO_NAME || profile == LB_NO_NAME || !add_reason(all, result))
        return false;
    lb_doc_i64(next_value(all, ROW_CASE), (int64_t)case_number - (int64_t)all->last_case);
    all->last_case = case_number;
    lb_doc_u64(next_value(all, ROW_PROFILE), profile);
    lb_doc_char(&all->verdicts, lb_verdict_name(result->verdict)[0]);
    lb_doc_char(&all->agreements,
                (char)('A' + result->recorded * 9 + result->exact * 3 + result->real));
    add_figures(all, result);
    all->rows++;
    bool failed =
        result->verdict == LB_FAIL || result->verdict == LB_ERROR || result->verdict == LB_WAIVED;
    return !failed || add_detail(all, result);
}

/* ---- Written out ---- */

static void put_names(lb_doc *doc, FILE *out, const char *key, const lb_names *names)
{
    lb_doc_printf(doc, ",\n\"%s\":[", key);
    for (size_t i = 0; i < names->count; i++) {
        lb_doc_puts(doc, i == 0 ? "" : ",");
        lb_escape_script(doc, names->list[i], LB_HTML_NAME);
        lb_doc_flush_full(doc, out);
    }
    lb_doc_char(doc, ']');
}

/* Family and type of every function. */
static void put_kinds(lb_doc *doc, const lb_facts *facts)
{
    lb_doc_puts(doc, ",\n\"families\":[");
    for (size_t i = 0; i < facts->functions.count; i++) {
        lb_doc_puts(doc, i == 0 ? "" : ",");
        lb_escape_script(doc, facts->list[i].family, LB_HTML_NAME);
    }
    lb_doc_puts(doc, "],\n\"types\":[");
    for (size_t i = 0; i < facts->functions.count; i++) {
        lb_doc_puts(doc, i == 0 ? "" : ",");
        lb_escape_script(doc, facts->list[i].variant, LB_HTML_NAME);
    }
    lb_doc_char(doc, ']');
}

/* Takes over the text of a finished column. */
static void put_text(lb_doc *doc, FILE *out, lb_doc *text)
{
    lb_doc_flush(doc, out);
    doc->failed = !lb_doc_flush(text, out) || doc->failed;
}

bool lb_html_data_put(lb_html_data *all, const lb_facts *facts, lb_doc *doc, FILE *out)
{
    lb_doc_puts(doc, "<script type=\"application/json\" id=\"data\">{\"rows\":");
    lb_doc_u64(doc, all->rows);
    lb_doc_puts(doc, ",\"total\":");
    lb_doc_u64(doc, facts->count);
    put_names(doc, out, "profiles", &facts->profiles);
    put_names(doc, out, "functions", &facts->functions);
    put_kinds(doc, facts);
    lb_doc_puts(doc, ",\n\"verdict\":\"");
    put_text(doc, out, &all->verdicts);
    lb_doc_puts(doc, "\",\n\"agreements\":\"");
    put_text(doc, out, &all->agreements);
    lb_doc_char(doc, '"');
    for (int i = 0; i < COLUMN_COUNT; i++) {
        lb_doc_printf(doc, ",\n\"%s\":[", keys[i]);
        if (i == WORDS) /* number 0 is the empty one */
            lb_doc_puts(doc, all->columns[i].length > 0 ? "\"\"," : "\"\"");
        put_text(doc, out, &all->columns[i]);
        lb_doc_char(doc, ']');
    }
    lb_doc_puts(doc, "}</script>\n");
    return lb_doc_flush_full(doc, out) && !doc->failed;
}
