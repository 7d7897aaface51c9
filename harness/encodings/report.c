/* Errors and warnings of encodings files, with pointer (RFC 6901), offset, line and column. See
 * reader.h. */
#include "harness/base/xalloc.h"
#include "harness/encodings/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 600 };

/* ---- Pointers ---- */

static size_t pointer_length(const lb_pointer *p)
{
    size_t length = 0;
    for (; p; p = p->above)
        length += 1 + (p->key ? 2 * strlen(p->key) : 20); /* each character may need two */
    return length;
}

static char *write_pointer(char *end, const lb_pointer *p)
{
    if (!p)
        return end;
    end = write_pointer(end, p->above);
    *end++ = '/';
    if (!p->key)
        return end + sprintf(end, "%zu", p->index);
    for (const char *c = p->key; *c; c++) {
        if (*c == '~' || *c == '/') {
            *end++ = '~';
            *end++ = *c == '~' ? '0' : '1';
        } else {
            *end++ = *c;
        }
    }
    return end;
}

const char *lb_pointer_text(lb_arena *arena, const lb_pointer *pointer)
{
    char *text = lb_arena_alloc(arena, pointer_length(pointer) + 1);
    *write_pointer(text, pointer) = '\0';
    return text;
}

/* ---- Notes ---- */

static void add_warning(lb_enc_file *file, lb_enc_note note)
{
    file->warnings = lb_room_for_one(file->warnings, file->warning_count, &file->warning_capacity,
                                     sizeof *file->warnings);
    file->warnings[file->warning_count++] = note;
}

static lb_enc_note note_of(lb_enc_file *file, const char *code, const char *where,
                           const char *remedy, const char *format, va_list arguments)
{
    char problem[MESSAGE_BYTES];
    vsnprintf(problem, sizeof problem, format, arguments);
    return (lb_enc_note){.code = code,
                         .where = lb_arena_strdup(&file->arena, where),
                         .problem = lb_arena_strdup(&file->arena, problem),
                         .remedy = lb_arena_strdup(&file->arena, remedy)};
}

static void set_place(const lb_enc_reader *r, lb_enc_note *note, size_t offset)
{
    note->offset = offset;
    lb_text_position(r->text, offset, 1, &note->line, &note->column);
}

bool lb_enc_fail(lb_enc_reader *r, const char *code, const lb_pointer *where, const cJSON *node,
                 const char *remedy, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    r->file->error =
        note_of(r->file, code, lb_pointer_text(&r->file->arena, where), remedy, format, arguments);
    va_end(arguments);
    if (node)
        set_place(r, &r->file->error, lb_node_place(node).value);
    return false;
}

bool lb_enc_fail_at(lb_enc_reader *r, const char *code, const char *where, size_t offset,
                    const char *remedy, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    r->file->error = note_of(r->file, code, where, remedy, format, arguments);
    va_end(arguments);
    set_place(r, &r->file->error, offset);
    return false;
}

void lb_enc_warn(lb_enc_reader *r, const char *code, const lb_pointer *where, const cJSON *node,
                 const char *remedy, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lb_enc_note note =
        note_of(r->file, code, lb_pointer_text(&r->file->arena, where), remedy, format, arguments);
    va_end(arguments);
    if (node)
        note.offset = lb_node_place(node).key;
    note.line = node != NULL; /* has a place; the line is counted when all warnings are known */
    add_warning(r->file, note);
}

void lb_enc_warn_at(lb_enc_file *file, const char *code, const char *where, size_t offset,
                    const char *remedy, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lb_enc_note note = note_of(file, code, where, remedy, format, arguments);
    va_end(arguments);
    note.offset = offset;
    note.line = 1;
    add_warning(file, note);
}
