/* Files of JSON Lines: see lines.h. */
#include "harness/json/lines.h"
#include "harness/base/line_reader.h"
#include "harness/json/document.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *take_line(const char *text, size_t length, lb_json_line_fn *take, void *user)
{
    cJSON *line = lb_json_read(text, length);
    const char *wrong = !line                   ? "it is no JSON"
                        : !cJSON_IsObject(line) ? "it is no JSON object"
                                                : take(user, &line);
    cJSON_Delete(line);
    return wrong;
}

bool lb_json_lines_read(const char *path, const char *remedy, lb_json_line_fn *take, void *user)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    lb_line_reader reader;
    const char *text, *wrong = NULL;
    size_t length;
    unsigned number = 0;
    lb_line_result result = LB_LINE_END;
    if (fd < 0)
        return fprintf(stderr, "%s: %s; %s\n", path, strerror(errno), remedy), false;
    lb_line_reader_start(&reader, fd, 0, NULL);
    while (!wrong && (result = lb_line_reader_next(&reader, &text, &length)) == LB_LINE_OK) {
        number++;
        if (length > 0)
            wrong = take_line(text, length, take, user);
    }
    if (!wrong && result == LB_LINE_ERROR)
        wrong = strerror(errno);
    lb_line_reader_free(&reader);
    close(fd);
    if (wrong)
        fprintf(stderr, "%s:%u: %s; %s\n", path, number, wrong, remedy);
    return !wrong;
}
