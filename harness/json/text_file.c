/* Small text files, read whole: see text_file.h. */
#include "harness/json/text_file.h"
#include "harness/base/utf8.h"
#include "harness/base/whole_file.h"
#include "harness/json/document.h"

#include <stdio.h>
#include <stdlib.h>

bool lb_is_utf8(const char *text, size_t length, lb_problems *problems)
{
    lb_place place = {0};
    size_t bad = lb_utf8_check(text, length);
    if (bad == length)
        return true;
    lb_text_position(text, bad, 1, &place.line, &place.column);
    lb_problem(problems, place, "save the file as UTF-8", "byte 0x%02X is not UTF-8",
               (unsigned)(unsigned char)text[bad]);
    return false;
}

char *lb_small_file_read(const char *path, const char *kind, size_t most, size_t *length,
                         lb_problems *problems)
{
    char remedy[100];
    lb_whole_file file = lb_whole_file_read(path, most, NULL);
    *length = file.length;
    if (!file.text) {
        snprintf(remedy, sizeof remedy, "name a %s file", kind);
        if (file.state == LB_FILE_TOO_LARGE)
            snprintf(remedy, sizeof remedy, "at most %zu MiB", most >> 20);
        lb_problem(problems, (lb_place){0}, remedy, "%s", lb_whole_file_problem(&file));
        return NULL;
    }
    if (lb_is_utf8(file.text, file.length, problems))
        return file.text;
    free(file.text);
    return NULL;
}
