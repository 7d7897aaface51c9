/* Faults in words: names for files and messages, sentences for people. See faults.h. */
#include "harness/faults/faults.h"

#include <string.h>

/* ---- Places by the pattern of their kind ---- */

static int32_t member(const lb_fault *f, const char *word, size_t length)
{
    const struct {
        const char *word;
        int32_t value;
    } members[] = {{"role", f->role},
                   {"other", f->other_role},
                   {"dim", f->dim},
                   {"to", f->other_dim},
                   {"2^dim", f->dim ? (int32_t)1 << (f->dim & 15) : 0}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strlen(members[i].word) == length && strncmp(members[i].word, word, length) == 0)
            return members[i].value;
    return f->argument;
}

/* One of "none|one|two". */
static const char *choice(const char *words, const char *end, int32_t n, lb_arena *arena)
{
    for (; n > 0 && words < end; n--)
        words += strcspn(words, "|}") + 1;
    return words < end ? lb_arena_printf(arena, "%.*s", (int)strcspn(words, "|}"), words) : "";
}

/* What stands for the word in braces, which is `*n` as a number. */
static const char *word_text(const lb_fault *f, const char *word, int32_t *n, lb_arena *arena)
{
    const size_t length = strcspn(word, "=}");
    const bool is_signed = *word == '+';
    *n = member(f, word + is_signed, length - is_signed);
    if (word[length] == '=')
        return choice(word + length + 1, strchr(word, '}'), *n, arena);
    if (strncmp(word, "role", length) == 0 || strncmp(word, "other", length) == 0)
        return lb_role_name((lb_role)*n);
    if (strncmp(word, "field", length) == 0)
        return lb_config_fields((lb_config_kind)f->dim)[f->argument].name;
    if (strncmp(word, "function", length) == 0)
        return lb_kernels[f->argument].name;
    return lb_arena_printf(arena, is_signed ? "%+d" : "%d", (int)*n);
}

/* Up to `end`. */
static const char *place_by(const lb_fault *f, const char *at, const char *end, lb_arena *arena)
{
    const char *text = "";
    int32_t n;
    while (at < end)
        if (*at == '<' && (word_text(f, strchr(at, '{') + 1, &n, arena), n == 0)) {
            at = strchr(at, '>') + 1;
        } else if (*at == '{') {
            text = lb_arena_printf(arena, "%s%s", text, word_text(f, at + 1, &n, arena));
            at = strchr(at, '}') + 1;
        } else if (*at == '<' || *at == '>') {
            at++;
        } else {
            const size_t left = (size_t)(end - at), run = strcspn(at, "{<>");
            const size_t plain = run < left ? run : left;
            text = lb_arena_printf(arena, "%s%.*s", text, (int)plain, at);
            at += plain;
        }
    return text;
}

static const char *own_place(const lb_fault *f, lb_arena *arena)
{
    const char *place = f->kind->place;
    return place ? place_by(f, place, place + strlen(place), arena) : f->kind->describe(f, arena);
}

/* ---- Names ---- */

static const char *text_or(const char *text, const char *other)
{
    return text && *text ? text : other;
}

static const char *site_text(const lb_fault *fault, const lb_num_step *s, lb_arena *arena)
{
    if (fault->everywhere)
        return lb_arena_printf(arena, "every %s", lb_operation_name(s->operation));
    if (fault->all_parts)
        return lb_arena_printf(arena, "%s, wherever it is done", lb_site_label(s->site));
    if (s->operation == LB_STEP_GIVEN)
        return lb_arena_printf(arena, "%s%s%s", lb_owner_name(s->place.owner),
                               s->place.field ? "." : "",
                               text_or(lb_quant_field_name(s->place.field), ""));
    const char *block = fault->all_blocks ? "" : lb_block_name(s->block);
    const char *term = fault->all_blocks ? "" : lb_term_name(s->term);
    return lb_arena_printf(arena, "%s%s%s%s%s, %s", block, *block ? "." : "", term,
                           *term ? "." : "", lb_part_words(s->part), lb_site_label(s->site));
}

/* Of the place: what the members that mean something say. */
static const char *place_text(const lb_fault *fault, lb_arena *arena)
{
    if (fault->other_site)
        return lb_arena_printf(arena, "%s; taken from %s", site_text(fault, fault->site, arena),
                               site_text(fault, fault->other_site, arena));
    if (fault->second_site)
        return lb_arena_printf(arena, "%s; and %s", site_text(fault, fault->site, arena),
                               site_text(fault, fault->second_site, arena));
    const bool has_own = lb_fault_has_own_places(fault->kind);
    if (fault->site && !has_own)
        return site_text(fault, fault->site, arena);
    if (fault->rule && !has_own)
        return fault->rule->name;
    if (fault->profile)
        return fault->profile->name;
    const lb_fault none = {.kind = fault->kind};
    const char *early = fault->early ? ", already before the checks" : "";
    if (has_own)
        return lb_arena_printf(arena, "%s%s", own_place(fault, arena), early);
    if (fault->early)
        return "already before the checks";
    return lb_fault_equal(fault, &none) ? "" : lb_arena_printf(arena, "%d", (int)fault->argument);
}

static const char *argument_text(const lb_fault *fault, lb_arena *arena)
{
    bool counts = fault->kind->argument_count > 0 || fault->argument != 0;
    return counts && fault->site ? lb_arena_printf(arena, " (%d)", (int)fault->argument) : "";
}

const char *lb_fault_name(const lb_fault *fault, lb_arena *arena)
{
    const char *place = place_text(fault, arena);
    const char *name = lb_arena_printf(arena, "%s%s%s%s", fault->kind->name,
                                       argument_text(fault, arena), *place ? " at " : "", place);
    return fault->beside
               ? lb_arena_printf(arena, "%s + %s", name, lb_fault_name(fault->beside, arena))
               : name;
}

/* Where the fault sits, without the number, which the words have told. */
static const char *place_without_number(const lb_fault *fault, lb_arena *arena)
{
    const char *place = fault->kind->place, *number = place ? strstr(place, "{n}") : NULL;
    if (!number || number[3] || fault->early)
        return place_text(fault, arena);
    return place_by(fault, place, number - (number > place ? 2 : 0), arena);
}

static const char *sentence_of_one(const lb_fault *fault, lb_arena *arena)
{
    static const char number[] = "{n}", operand[] = "{nth}";
    static const char *const nth[] = {"first", "second", "third"};
    if (fault->kind->edit)
        return lb_arena_printf(arena, "%s%s", lb_edit_sentence(&fault->edit, arena),
                               fault->early ? ", already before the checks" : "");
    const char *words = fault->kind->words;
    const char *at = strstr(words, number);
    const char *place = at ? place_without_number(fault, arena) : place_text(fault, arena);
    const char *behind = *place ? ": " : "", *of_operand = strstr(words, operand);
    if (of_operand)
        return lb_arena_printf(arena, "%.*s%s%s%s%s", (int)(of_operand - words), words,
                               nth[fault->argument], of_operand + strlen(operand), behind, place);
    if (at)
        return lb_arena_printf(arena, "%.*s%d%s%s%s", (int)(at - words), words,
                               (int)fault->argument, at + strlen(number), behind, place);
    return lb_arena_printf(arena, "%s%s%s%s", words, argument_text(fault, arena), behind, place);
}

const char *lb_fault_sentence(const lb_fault *fault, lb_arena *arena)
{
    const char *first = sentence_of_one(fault, arena);
    return fault->beside ? lb_arena_printf(arena, "%s; and it also %s", first,
                                           sentence_of_one(fault->beside, arena))
                         : first;
}

const char *lb_fault_section(const lb_fault *fault, const lb_kernel *kernel)
{
    if (fault->kind->edit)
        return fault->edit.section ? fault->edit.section : lb_map_of(fault->edit.kernel)->section;
    if (fault->site && fault->site->section && *fault->site->section)
        return fault->site->section;
    return kernel->set == LB_SET_MLI ? fault->kind->sections : lb_families[kernel->family].refusals;
}

const char *lb_fault_hint(const lb_fault *fault)
{
    return fault->kind->edit ? fault->edit.hint : text_or(fault->kind->look_for, "");
}

int lb_fault_prior(const lb_fault *fault)
{
    return fault->kind->edit ? fault->edit.prior : fault->kind->prior;
}
