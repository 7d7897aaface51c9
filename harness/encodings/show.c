/* Encodings files as JSON and as text: see show.h. */
#include "harness/encodings/show.h"
#include "harness/base/utf8.h"

#include "reports/escape.h"

#include <math.h>
#include <string.h>

const lb_enc_axis *lb_enc_axis_of(const lb_enc_axes *axes, const char *name)
{
    for (size_t i = 0; i < axes->count; i++)
        if (strcmp(axes->items[i].name, name) == 0) {
            axes->items[i].is_used = true;
            return &axes->items[i];
        }
    return NULL;
}

static const char *sa_name(const lb_enc_map *map)
{
    return map->sa_type == LB_SA32 ? "sa32" : "sa8";
}

/* ---- JSON ---- */

static void begin_note(lb_doc *doc, const lb_enc_note *note)
{
    lb_doc_puts(doc, "{\"code\": ");
    lb_escape_json(doc, note->code);
    lb_doc_puts(doc, ", \"where\": ");
    lb_escape_json(doc, note->where);
}

static void put_note(lb_doc *doc, const lb_enc_note *note)
{
    begin_note(doc, note);
    lb_doc_puts(doc, "}");
}

/* The same with all there is to say. */
static void put_details(lb_doc *doc, const lb_enc_note *note)
{
    begin_note(doc, note);
    if (note->line > 0)
        lb_doc_printf(doc, ", \"line\": %u, \"column\": %u, \"offset\": %zu", note->line,
                      note->column, note->offset);
    lb_doc_puts(doc, ", \"problem\": ");
    lb_escape_json(doc, note->problem);
    lb_doc_puts(doc, ", \"remedy\": ");
    lb_escape_json(doc, note->remedy);
    lb_doc_puts(doc, "}");
}

static void put_code(lb_doc *doc, const char *target, const char *code, bool *first)
{
    if (!code)
        return;
    lb_doc_printf(doc, "%s\"%s\": \"%s\"", *first ? "" : ", ", target, code);
    *first = false;
}

static void put_unsupported(lb_doc *doc, const lb_enc_map *map)
{
    bool first = true;
    lb_doc_puts(doc, ", \"unsupported\": {");
    put_code(doc, "all", map->all, &first);
    put_code(doc, sa_name(map), map->sa_code, &first);
    put_code(doc, "fx16", map->fx_code[0], &first);
    put_code(doc, "fx8", map->fx_code[1], &first);
    put_code(doc, "fp32", map->fp32_code, &first);
    lb_doc_puts(doc, "}");
}

/* Numbers of a channel that show where rounding and clamping begin, as a check for other importers.
 */
static void put_samples(lb_doc *doc, const lb_enc_tensor *t, const lb_enc_map *map)
{
    const lb_enc_grid *g = &t->grids[0];
    double s = lb_scale_real(map->scales[0]);
    const double values[] = {
        0,          g->low,   g->high, 1.5 * g->low, 1.5 * g->high,
        0.5 * s,    -0.5 * s, 1.5 * s, 2.5 * s,      g->low + (g->high - g->low) * 2 / 3,
        g->high / 7};
    lb_grid grid = lb_grid_of(map->scales[0], map->zero_points[0], map->lows[0], map->highs[0]);
    lb_doc_puts(doc, ", \"channel0_samples\": [");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        float x = (float)values[i];
        int64_t even, up;
        uint32_t bits[2];
        if (!lb_quantize(grid, x, LB_HALVES_TO_EVEN, &even) ||
            !lb_quantize(grid, x, LB_HALVES_UP, &up))
            continue;
        float back = lb_dequantize(grid, even);
        memcpy(&bits[0], &x, sizeof x);
        memcpy(&bits[1], &back, sizeof back);
        lb_doc_printf(
            doc, "%s{\"x\": \"0x%08x\", \"q\": %lld, \"q_half_up\": %lld, \"dq\": \"0x%08x\"}",
            i ? ", " : "", (unsigned)bits[0], (long long)even, (long long)up, (unsigned)bits[1]);
    }
    lb_doc_puts(doc, "]");
}

static void put_sa(lb_doc *doc, const lb_enc_tensor *t, const lb_enc_map *map)
{
    int64_t low = map->lows[0], high = map->highs[0];
    lb_doc_printf(doc, ", \"%s\": {\"scale\": [", sa_name(map));
    for (size_t i = 0; i < map->count; i++)
        lb_doc_printf(doc, "%s%d", i ? ", " : "", map->scales[i].mantissa);
    lb_doc_puts(doc, "], \"scale_frac_bits\": [");
    for (size_t i = 0; i < map->count; i++)
        lb_doc_printf(doc, "%s%d", i ? ", " : "", map->scales[i].frac);
    lb_doc_puts(doc, "], \"zero_point\": [");
    for (size_t i = 0; i < map->count; i++) {
        lb_doc_printf(doc, "%s%d", i ? ", " : "", map->zero_points[i]);
        low = map->lows[i] < low ? map->lows[i] : low;
        high = map->highs[i] > high ? map->highs[i] : high;
    }
    lb_doc_printf(doc, "], \"qmin\": %lld, \"qmax\": %lld, \"per_axis\": %s", (long long)low,
                  (long long)high, map->per_axis ? "true" : "false");
    if (map->has_axis)
        lb_doc_printf(doc, ", \"axis\": %d", (int)map->axis);
    if (map->sa_type == LB_SA8 && !t->has_own_dtype)
        put_samples(doc, t, map);
    lb_doc_puts(doc, "}");
}

static void put_tensor(lb_doc *doc, const lb_enc_tensor *t, const lb_enc_map *map)
{
    lb_doc_puts(doc, "{\"name\": ");
    lb_escape_json(doc, t->name);
    lb_doc_printf(doc, ", \"section\": \"%s\", \"dtype\": \"%s\"", t->section, t->dtype);
    if (!t->has_own_dtype)
        lb_doc_printf(doc, ", \"bitwidth\": %d", t->bits);
    if (t->scale_count > 0)
        lb_doc_printf(doc, ", \"channels\": %zu", t->scale_count);
    put_unsupported(doc, map);
    if (map->has_fx && !t->has_own_dtype)
        lb_doc_printf(doc, ", \"symmetric\": %s", t->is_symmetric ? "true" : "false");
    if (map->has_fx && !map->fx_code[0])
        lb_doc_printf(doc, ", \"fx16\": {\"frac_bits\": %d}", map->frac_bits[0]);
    if (map->has_fx && !map->fx_code[1])
        lb_doc_printf(doc, ", \"fx8\": {\"frac_bits\": %d}", map->frac_bits[1]);
    if (map->has_sa && !map->sa_code)
        put_sa(doc, t, map);
    if (map->is_fp32 && !map->fp32_code)
        lb_doc_puts(doc, ", \"fp32\": true");
    lb_doc_puts(doc, "}");
}

void lb_enc_show_json(lb_doc *doc, const lb_enc_file *file, const lb_enc_axes *axes)
{
    lb_arena arena = {0};
    size_t warnings = file->is_valid ? file->warning_count : 0;
    lb_doc_puts(doc, "{\"file\": ");
    lb_escape_json(doc, file->path);
    lb_doc_printf(doc, ", \"valid\": %s, \"version\": ", file->is_valid ? "true" : "false");
    if (file->version)
        lb_escape_json(doc, file->version);
    else
        lb_doc_puts(doc, "null");
    lb_doc_puts(doc, ", \"error\": ");
    if (file->is_valid)
        lb_doc_puts(doc, "null");
    else
        put_note(doc, &file->error);
    lb_doc_puts(doc, ", \"warnings\": [");
    for (size_t i = 0; i < warnings; i++) {
        lb_doc_puts(doc, i ? ", " : "");
        put_note(doc, &file->warnings[i]);
    }
    lb_doc_puts(doc, "], \"tensors\": [");
    for (size_t i = 0; i < file->tensor_count; i++) {
        lb_enc_map map;
        lb_enc_map_tensor(&file->tensors[i], lb_enc_axis_of(axes, file->tensors[i].name), &arena,
                          &map);
        lb_doc_puts(doc, i ? ", " : "");
        put_tensor(doc, &file->tensors[i], &map);
        lb_arena_reset(&arena);
    }
    lb_doc_puts(doc, "], \"details\": [");
    if (!file->is_valid)
        put_details(doc, &file->error);
    for (size_t i = 0; i < warnings; i++) {
        lb_doc_puts(doc, i ? ", " : "");
        put_details(doc, &file->warnings[i]);
    }
    lb_doc_puts(doc, "]}\n");
    lb_arena_free(&arena);
}

/* ---- Text ---- */

/* A name for people: control characters must not act on the terminal. */
static void put_name(lb_doc *doc, const char *name)
{
    while (*name) {
        uint32_t code_point;
        unsigned bytes = lb_utf8_decode(name, strlen(name), &code_point);
        if (bytes == 0 || lb_utf8_is_control(code_point)) {
            lb_doc_puts(doc, "\xEF\xBF\xBD");
            bytes = bytes ? bytes : 1;
        } else {
            lb_doc_bytes(doc, name, bytes);
        }
        name += bytes;
    }
}

void lb_enc_show_note(lb_doc *doc, const lb_enc_file *file, const lb_enc_note *note)
{
    put_name(doc, file->path);
    if (note->line > 0)
        lb_doc_printf(doc, ":%u:%u", note->line, note->column);
    lb_doc_puts(doc, ": ");
    if (note->where[0]) {
        put_name(doc, note->where);
        lb_doc_puts(doc, ": ");
    }
    lb_doc_printf(doc, "%s: ", note->code);
    put_name(doc, note->problem);
    if (note->remedy[0]) {
        lb_doc_puts(doc, "; ");
        put_name(doc, note->remedy);
    }
    lb_doc_puts(doc, "\n");
}

static void show_symmetry(lb_doc *doc, const lb_enc_tensor *t)
{
    int64_t half = (int64_t)1 << (t->bits - 1);
    size_t strict = 0, wide = 0, without_sign = 0;
    lb_doc_puts(doc, t->is_symmetric ? ", symmetric" : ", asymmetric");
    for (size_t i = 0; t->is_symmetric && i < t->scale_count; i++) {
        const lb_enc_grid *g = &t->grids[i];
        strict += g->is_strict;
        wide += !g->is_strict && g->offset == 1 - half;
        without_sign += g->offset == 0;
    }
    const struct {
        const char *words;
        size_t count;
    } kinds[] = {
        {", strict", strict}, {", unsigned", without_sign}, {", with one code more above 0", wide}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].count == 0)
            continue;
        lb_doc_puts(doc, kinds[i].words);
        if (kinds[i].count < t->scale_count)
            lb_doc_printf(doc, " (%zu of %zu)", kinds[i].count, t->scale_count);
    }
}

static void show_source(lb_doc *doc, const lb_enc_tensor *t)
{
    lb_doc_puts(doc, "  ");
    put_name(doc, t->name[0] ? t->name : "(empty name)");
    lb_doc_printf(doc, "  [%s] %s", t->section, t->dtype);
    if (!t->has_own_dtype)
        lb_doc_printf(doc, " %d bits", t->bits);
    if (t->grids && !t->has_own_dtype)
        show_symmetry(doc, t);
    if (t->grids && t->grids[0].shift != 0)
        lb_doc_printf(doc, ", shifted by %g", t->grids[0].shift);
    if (t->form == LB_ENC_PER_CHANNEL)
        lb_doc_printf(doc, ", %zu channels", t->scale_count);
    if (t->form == LB_ENC_PER_BLOCK)
        lb_doc_printf(doc, ", per block of %.9g", t->block_size);
    lb_doc_puts(doc, "\n");
}

static void show_code(lb_doc *doc, const char *target, const char *code)
{
    if (code)
        lb_doc_printf(doc, "    %-5s %s: %s\n", target, code, lb_enc_reason(code));
}

static void show_sa(lb_doc *doc, const lb_enc_tensor *t, const lb_enc_map *map)
{
    enum { MAX_SHOWN = 8 };
    for (size_t i = 0; i < map->count && i < MAX_SHOWN; i++) {
        double scale = t->grids[i].scale;
        lb_doc_printf(doc, "    %-5s", sa_name(map));
        if (map->per_axis)
            lb_doc_printf(doc, " channel %zu:", i);
        lb_doc_printf(doc, " scale %d * 2^%d (%.1e of %.9g), zero point %d, codes %lld to %lld\n",
                      map->scales[i].mantissa, -map->scales[i].frac,
                      lb_scale_real(map->scales[i]) / scale - 1, scale, map->zero_points[i],
                      (long long)map->lows[i], (long long)map->highs[i]);
    }
    if (map->count > MAX_SHOWN)
        lb_doc_printf(doc, "    %-5s and %zu channels more\n", sa_name(map),
                      map->count - MAX_SHOWN);
}

static void show_tensor(lb_doc *doc, const lb_enc_tensor *t, const lb_enc_map *map)
{
    static const char *const fx[2] = {"fx16", "fx8"};
    show_source(doc, t);
    show_code(doc, "all", map->all);
    if (map->has_sa && !map->sa_code)
        show_sa(doc, t, map);
    show_code(doc, sa_name(map), map->sa_code);
    for (unsigned w = 0; map->has_fx && w < 2; w++) {
        if (!map->fx_code[w])
            lb_doc_printf(doc, "    %-5s frac_bits %d, for %.9g to %.9g\n", fx[w],
                          map->frac_bits[w], map->low, map->high);
        show_code(doc, fx[w], map->fx_code[w]);
    }
    if (map->is_fp32 && !map->fp32_code)
        lb_doc_puts(doc, "    fp32  as it is\n");
    show_code(doc, "fp32", map->fp32_code);
}

void lb_enc_show_text(lb_doc *doc, const lb_enc_file *file, const lb_enc_axes *axes)
{
    lb_arena arena = {0};
    if (!file->is_valid) {
        put_name(doc, file->path);
        lb_doc_printf(doc, ": invalid, %s\n", file->error.code);
        lb_enc_show_note(doc, file, &file->error);
    } else {
        put_name(doc, file->path);
        lb_doc_printf(doc, ": valid, %s%s, %zu %s, %zu %s\n",
                      file->version ? "version " : "no version", file->version ? file->version : "",
                      file->tensor_count, file->tensor_count == 1 ? "tensor" : "tensors",
                      file->warning_count, file->warning_count == 1 ? "warning" : "warnings");
    }
    for (size_t i = 0; i < file->warning_count; i++)
        lb_enc_show_note(doc, file, &file->warnings[i]);
    for (size_t i = 0; i < file->tensor_count; i++) {
        lb_enc_map map;
        lb_enc_map_tensor(&file->tensors[i], lb_enc_axis_of(axes, file->tensors[i].name), &arena,
                          &map);
        show_tensor(doc, &file->tensors[i], &map);
        lb_arena_reset(&arena);
    }
    lb_arena_free(&arena);
}
