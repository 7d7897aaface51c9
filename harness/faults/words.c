/* Faults in words: names for files and messages, sentences for people. See faults.h. */
#include "harness/faults/faults.h"

#include <string.h>

/* ---- Text by a pattern ---- */

/* One of "none|one|two". */
static const char *choice(const char *words, const char *end, int32_t n, lb_arena *arena)
{
    for (; n > 0 && words < end; n--)
        words += strcspn(words, "|}") + 1;
    return words < end ? lb_arena_printf(arena, "%.*s", (int)strcspn(words, "|}"), words) : "";
}

/* What stands for the word in braces, which is `*n` as a number. */
static const char *word_text(lb_word_fn word, const void *of, const char *at, int32_t *n,
                             lb_arena *arena)
{
    const size_t length = strcspn(at, "=}");
    const bool is_signed = *at == '+';
    *n = 0;
    const char *name = lb_arena_printf(arena, "%.*s", (int)length - is_signed, at + is_signed);
    const char *text = word(of, name, n, arena);
    if (at[length] == '=')
        return choice(at + length + 1, strchr(at, '}'), *n, arena);
    return text ? text : lb_arena_printf(arena, is_signed ? "%+d" : "%d", (int)*n);
}

/* Up to `end`. */
static const char *text_until(const char *at, const char *end, lb_word_fn word, const void *of,
                              lb_arena *arena)
{
    const char *text = "";
    int32_t n;
    while (at < end)
        if (*at == '<' && (word_text(word, of, strchr(at, '{') + 1, &n, arena), n == 0)) {
            at = strchr(at, '>') + 1;
        } else if (*at == '{') {
            text = lb_arena_printf(arena, "%s%s", text, word_text(word, of, at + 1, &n, arena));
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

const char *lb_text_by(const char *pattern, lb_word_fn word, const void *of, lb_arena *arena)
{
    return text_until(pattern, pattern + strlen(pattern), word, of, arena);
}

/* ---- Places by the pattern of their kind ---- */

const char *lb_fault_word(const void *of, const char *word, int32_t *n, lb_arena *arena)
{
    const lb_fault *f = of;
    const struct {
        const char *word;
        int32_t value;
    } members[] = {{"role", f->role},
                   {"other", f->other_role},
                   {"dim", f->dim},
                   {"to", f->other_dim},
                   {"2^dim", f->dim ? (int32_t)1 << (f->dim & 15) : 0}};
    *n = f->argument;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strcmp(members[i].word, word) == 0)
            *n = members[i].value;
    if (strcmp(word, "role") == 0 || strcmp(word, "other") == 0)
        return lb_role_name((lb_role)*n);
    if (strcmp(word, "field") == 0)
        return lb_config_fields((lb_config_kind)f->dim)[f->argument].name;
    if (strcmp(word, "function") == 0)
        return lb_kernels[f->argument].name;
    return f->kind->word ? f->kind->word(f, word, n, arena) : NULL;
}

static const char *own_place(const lb_fault *f, lb_arena *arena)
{
    return f->kind->place ? lb_text_by(f->kind->place, lb_fault_word, f, arena)
                          : f->kind->describe(f, arena);
}

/* ---- Names ---- */

static const char *text_or(const char *text, const char *other)
{
    return text && *text ? text : other;
}

const char *lb_fault_site_text(const lb_fault *fault, const lb_num_step *step, lb_arena *arena)
{
    if (fault->everywhere)
        return lb_arena_printf(arena, "every %s", lb_operation_name(step->operation));
    if (fault->all_parts)
        return lb_arena_printf(arena, "%s, wherever it is done", lb_site_label(step->site));
    if (step->operation == LB_STEP_GIVEN)
        return lb_arena_printf(arena, "%s%s%s", lb_owner_name(step->place.owner),
                               step->place.field ? "." : "",
                               text_or(lb_quant_field_name(step->place.field), ""));
    const char *block = fault->all_blocks ? "" : lb_block_name(step->block);
    const char *term = fault->all_blocks ? "" : lb_term_name(step->term);
    return lb_arena_printf(arena, "%s%s%s%s%s, %s", block, *block ? "." : "", term,
                           *term ? "." : "", lb_part_words(step->part), lb_site_label(step->site));
}

/* Of the place: what the members that mean something say. */
static const char *place_text(const lb_fault *fault, lb_arena *arena)
{
    const bool has_own = lb_fault_has_own_places(fault->kind);
    if (fault->other_site && !has_own)
        return lb_arena_printf(arena, "%s; taken from %s",
                               lb_fault_site_text(fault, fault->site, arena),
                               lb_fault_site_text(fault, fault->other_site, arena));
    if (fault->second_site && !has_own)
        return lb_arena_printf(arena, "%s; and %s", lb_fault_site_text(fault, fault->site, arena),
                               lb_fault_site_text(fault, fault->second_site, arena));
    if (fault->site && !has_own)
        return lb_fault_site_text(fault, fault->site, arena);
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
    return text_until(place, number - (number > place ? 2 : 0), lb_fault_word, fault, arena);
}

static const char *sentence_of_one(const lb_fault *fault, lb_arena *arena)
{
    const char *words = fault->kind->words;
    if (fault->kind->edit)
        return lb_arena_printf(arena, "%s%s", lb_edit_sentence(&fault->edit, arena),
                               fault->early ? ", already before the checks" : "");
    const bool has_number = strstr(words, "{n") != NULL;
    const char *place = has_number ? place_without_number(fault, arena) : place_text(fault, arena);
    return lb_arena_printf(
        arena, "%s%s%s%s", has_number ? lb_text_by(words, lb_fault_word, fault, arena) : words,
        has_number ? "" : argument_text(fault, arena), *place ? ": " : "", place);
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
