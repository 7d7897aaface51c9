/* Sections of the specification: see spec_text.h. */
#include "harness/base/spec_text.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/xalloc.h"

/* ---- Headings ---- */

typedef struct cursor {
    const char *at, *end;
    bool in_code; /* inside a block that ``` opened: a # there is no heading */
} cursor;

static cursor cursor_of(const lb_spec_page *page, const char *from)
{
    const char *text = (const char *)page->text;
    return (cursor){from ? from : text, text + page->bytes, false};
}

/* Length of the line at *at, without its end. */
static size_t line_length(const cursor *c)
{
    const char *end = memchr(c->at, '\n', (size_t)(c->end - c->at));
    return (size_t)((end ? end : c->end) - c->at);
}

/* Moves to the next heading, the line itself included; its level, 0 at the end of the page. */
static unsigned find_heading(cursor *c)
{
    for (size_t length; c->at < c->end; c->at += length + (c->at + length < c->end)) {
        unsigned level = 0;
        length = line_length(c);
        if (length >= 3 && strncmp(c->at, "```", 3) == 0)
            c->in_code = !c->in_code;
        while (level < length && c->at[level] == '#')
            level++;
        if (!c->in_code && level > 0 && level < length && c->at[level] == ' ')
            return level;
    }
    return 0;
}

/* "## 4.2 Bias" and "## 4. Bias": number and title. Sections without a number have "". */
static void read_heading(lb_spec_section *s, const cursor *c, unsigned level)
{
    const char *at = c->at + level + 1, *end = c->at + line_length(c);
    size_t digits = 0;
    while (at + digits < end && strchr("0123456789.", at[digits]))
        digits++;
    s->title = at + digits + (at + digits < end && at[digits] == ' ');
    while (digits > 0 && at[digits - 1] == '.')
        digits--;
    snprintf(s->number, sizeof s->number, "%.*s", (int)digits, at);
    s->title_bytes = (size_t)(end - s->title);
    s->level = level;
}

/* The section whose heading is the next one from the cursor on. */
static bool read_section(const lb_spec_page *page, cursor c, lb_spec_section *s)
{
    unsigned level = find_heading(&c), next;
    if (level == 0)
        return false;
    s->page = page;
    s->text = c.at;
    read_heading(s, &c, level);
    do {
        c.at += line_length(&c);
        c.at += c.at < c.end;
        next = find_heading(&c);
    } while (next > level);
    s->text_bytes = (size_t)(c.at - s->text);
    return true;
}

const char *lb_spec_name(const lb_spec_section *section, char *name, size_t name_bytes)
{
    const char *page = section->page->name;
    bool numbered = *section->number;
    size_t bytes = numbered ? strcspn(page, "/") : strlen(page);
    snprintf(name, name_bytes, "%.*s%s%s", (int)bytes, page, numbered ? "." : "", section->number);
    return name;
}

bool lb_spec_first(const lb_spec_page *page, lb_spec_section *section)
{
    return read_section(page, cursor_of(page, NULL), section);
}

bool lb_spec_next(lb_spec_section *section)
{
    cursor c = cursor_of(section->page, section->title + section->title_bytes);
    return read_section(section->page, c, section);
}

/* ---- Names ---- */

bool lb_spec_is_of(const lb_spec_page *page, const char *name)
{
    size_t bytes = strcspn(name, ". ");
    return bytes > 0 && strncmp(page->name, name, bytes) == 0 &&
           (page->name[bytes] == '\0' || page->name[bytes] == '/');
}

static const lb_spec_page *find_page(const char *name)
{
    for (const lb_spec_page *page = lb_spec_pages; page->name; page++)
        if (lb_spec_is_of(page, name))
            return page;
    return NULL;
}

/* All sections of all pages, ended by one without a page. Read once: every line that explains a
 * result names sections. */
static const lb_spec_section *sections(void)
{
    static lb_spec_section *all;
    size_t count = 0, room = 0;
    if (all)
        return all;
    for (const lb_spec_page *page = lb_spec_pages; page->name; page++) {
        lb_spec_section s;
        for (bool more = lb_spec_first(page, &s); more; more = lb_spec_next(&s)) {
            all = lb_room_for_one(all, count, &room, sizeof *all);
            all[count++] = s;
        }
    }
    all = lb_room_for_one(all, count, &room, sizeof *all);
    all[count] = (lb_spec_section){0};
    return all;
}

bool lb_spec_find(const char *name, lb_spec_section *section)
{
    size_t bytes = strcspn(name, ". ");
    const lb_spec_page *page = find_page(name);
    const char *number = name + bytes;
    if (!page)
        return false;
    if (strncmp(number, ".md", 3) == 0 && !strchr("0123456789", number[3] ? number[3] : 'x'))
        number += 3;
    number += strspn(number, ". ");
    size_t digits = strspn(number, "0123456789.");
    while (digits > 0 && number[digits - 1] == '.')
        digits--;
    if (*number == '\0')
        return lb_spec_first(page, section);
    const lb_spec_section *all = sections();
    for (const lb_spec_section *s = all; digits > 0 && s->page; s++)
        if (lb_spec_is_of(s->page, name) && strlen(s->number) == digits &&
            strncmp(s->number, number, digits) == 0) {
            *section = *s;
            return true;
        }
    return false;
}

bool lb_spec_named(const char *mention, unsigned which, lb_spec_section *section)
{
    char name[64];
    size_t page = strcspn(mention, ".");
    const char *number = mention + page + strspn(mention + page, ".md ");
    for (; number && which > 0; which--)
        number = (number = strchr(number, ',')) ? number + 1 + strspn(number + 1, " ") : NULL;
    if (!number || page > 40)
        return false;
    snprintf(name, sizeof name, "%.*s.%.*s", (int)page, mention, (int)strspn(number, "0123456789."),
             number);
    return lb_spec_find(name, section) && *section->number;
}

const char *lb_spec_title(const char *mention, char *text, size_t text_bytes)
{
    lb_spec_section s;
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; used < text_bytes && lb_spec_named(mention, i, &s); i++)
        used += (size_t)snprintf(text + used, text_bytes - used, "%s%.*s", used ? "; " : "",
                                 (int)s.title_bytes, s.title);
    return text;
}
