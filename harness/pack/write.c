/* The files of baked packs: see write.h. */
#include "harness/pack/write.h"
#include "harness/base/command_line.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BYTES_IN_LINE = 32, PATH_BYTES = 4096 };

static bool complain(const char *path)
{
    fprintf(stderr, "lastbit pack: %s: %s\n", path, strerror(errno));
    return false;
}

static FILE *open_file(const lb_pack_writer *w, const char *name)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", w->folder, name);
    FILE *file = fopen(path, "w");
    if (!file)
        complain(path);
    return file;
}

static bool close_file(const lb_pack_writer *w, FILE *file, const char *name)
{
    bool good = !ferror(file);
    good = fclose(file) == 0 && good;
    if (!good)
        fprintf(stderr, "lastbit pack: %s/%s: cannot be written\n", w->folder, name);
    return good;
}

/* ---- The folder ---- */

/* "lb_pack_", digits, ".c", and their header. */
static bool is_pack(const char *name)
{
    if (strcmp(name, "lb_packs.h") == 0)
        return true;
    size_t digits = strncmp(name, "lb_pack_", 8) == 0 ? strspn(name + 8, "0123456789") : 0;
    return digits > 0 && strcmp(name + 8 + digits, ".c") == 0;
}

/* Packs of an earlier time would be compiled with the new ones. */
static bool clear_folder(const lb_pack_writer *w)
{
    DIR *folder = opendir(w->folder);
    bool good = true;
    if (!folder)
        return complain(w->folder);
    for (const struct dirent *entry; good && (entry = readdir(folder)) != NULL;) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/%.255s", w->folder, entry->d_name);
        if (is_pack(entry->d_name) && unlink(path) != 0)
            good = complain(path);
    }
    closedir(folder);
    return good;
}

void lb_pack_writer_discard(lb_pack_writer *w)
{
    clear_folder(w);
}

static bool copy_sources(const lb_pack_writer *w)
{
    for (const lb_pack_source *s = lb_pack_sources; s->name; s++) {
        FILE *file = open_file(w, s->name);
        if (!file)
            return false;
        fwrite(s->text, 1, s->bytes, file);
        if (!close_file(w, file, s->name))
            return false;
    }
    return true;
}

bool lb_pack_writer_open(lb_pack_writer *w)
{
    if (mkdir(w->folder, 0777) != 0 && errno != EEXIST)
        return complain(w->folder);
    if (!clear_folder(w) || !copy_sources(w))
        return false;
    w->list = open_file(w, "packs.txt");
    if (w->list)
        fprintf(w->list, "# What is in these packs: number of the pack, number of the case in it, "
                         "id, profiles, bytes "
                         "of constant data, bytes of memory, place\n");
    return w->list != NULL;
}

void lb_pack_writer_free(lb_pack_writer *w)
{
    lb_pack_bytes_free(&w->pack);
    if (w->list)
        fclose(w->list);
    w->list = NULL;
}

/* ---- A pack ---- */

static void begin_pack(lb_pack_writer *w)
{
    w->pack.count = 0;
    w->cases = 0;
    w->memory_bytes = 0;
    lb_pack_put_bytes(&w->pack, "LBPK", 4);
    lb_pack_put(&w->pack, LB_PACK_VERSION, 2);
    lb_pack_put(&w->pack, w->big_endian ? LB_PACK_BIG : LB_PACK_LITTLE, 2);
    for (int i = 0; i < 4; i++)
        lb_pack_put(&w->pack, 0, 4);
}

static void seal_pack(lb_pack_writer *w)
{
    uint8_t *head = w->pack.at;
    lb_wire_put32(head + LB_PACK_AT_CASES, w->cases);
    lb_wire_put32(head + LB_PACK_AT_MEMORY, (uint32_t)w->memory_bytes);
    lb_wire_put32(head + LB_PACK_AT_BYTES, (uint32_t)w->pack.count);
    lb_wire_put32(
        head + LB_PACK_AT_CRC,
        (uint32_t)crc32(0, head + LB_PACK_HEAD_BYTES, (uInt)(w->pack.count - LB_PACK_HEAD_BYTES)));
}

static void print_array(const lb_pack_bytes *bytes, FILE *file)
{
    for (size_t i = 0; i < bytes->count; i++)
        fprintf(file, "%s%u%s", i % BYTES_IN_LINE ? "" : "    ", bytes->at[i],
                i + 1 == bytes->count     ? "\n"
                : (i + 1) % BYTES_IN_LINE ? ","
                                          : ",\n");
}

static bool write_pack(lb_pack_writer *w)
{
    char name[64];
    seal_pack(w);
    snprintf(name, sizeof name, "lb_pack_%03u.c", w->packs);
    FILE *file = open_file(w, name);
    if (!file)
        return false;
    fprintf(file,
            "/* Baked pack %u: %u cases, %zu bytes of constant data, %zu bytes of memory for the "
            "largest case. Made by "
            "lastbit %s; packs.txt\n * says what is in it. */\n#include \"lb_packs.h\"\n\nconst "
            "uint8_t "
            "lb_pack_%03u[%zu] = {\n",
            w->packs, w->cases, w->pack.count, w->memory_bytes, lb_version(), w->packs,
            w->pack.count);
    print_array(&w->pack, file);
    fprintf(file, "};\n");
    w->packs++;
    w->all_cases += w->cases;
    w->all_bytes += w->pack.count;
    if (w->pack.count > w->largest_bytes)
        w->largest_bytes = w->pack.count;
    w->pack.count = 0;
    return close_file(w, file, name);
}

bool lb_pack_writer_add(lb_pack_writer *w, const lb_pack_bytes *record, size_t memory_bytes,
                        const char *id, const char *profiles, const char *place)
{
    if (w->pack.count > 0 && w->pack.count + record->count > w->max_bytes && !write_pack(w))
        return false;
    if (w->pack.count == 0)
        begin_pack(w);
    fprintf(w->list, "%u %u %s %s %zu %zu %s\n", w->packs, w->cases, id, profiles, record->count,
            memory_bytes, place);
    lb_pack_put_bytes(&w->pack, record->at, record->count);
    w->cases++;
    if (memory_bytes > w->memory_bytes)
        w->memory_bytes = memory_bytes;
    if (memory_bytes > w->all_memory_bytes)
        w->all_memory_bytes = memory_bytes;
    return true;
}

/* Names of all packs, and how much memory they take with tables (some 2.3 KB of ours) and
 * alignment. */
static bool write_header(const lb_pack_writer *w)
{
    enum { TABLE_BYTES = 4096, ALIGNMENT = 64 };
    FILE *file = open_file(w, "lb_packs.h");
    if (!file)
        return false;
    fprintf(file,
            "/* The packs of this folder. Made by lastbit %s. */\n#ifndef LB_PACKS_H\n#define "
            "LB_PACKS_H\n\n#include "
            "<stdint.h>\n\n",
            lb_version());
    for (uint32_t i = 0; i < w->packs; i++)
        fprintf(file, "extern const uint8_t lb_pack_%03u[];\n", i);
    fprintf(file, "\n#define LB_PACKS ");
    for (uint32_t i = 0; i < w->packs; i++)
        fprintf(file, "%slb_pack_%03u", i ? ", " : "", i);
    fprintf(file,
            "\n/* Bytes for the largest case and for look-up tables of up to %d bytes. */\n#define "
            "LB_PACKS_MEMORY "
            "%zu\n\n#endif\n",
            TABLE_BYTES, w->all_memory_bytes + TABLE_BYTES + ALIGNMENT);
    return close_file(w, file, "lb_packs.h");
}

bool lb_pack_writer_close(lb_pack_writer *w)
{
    bool good = w->pack.count == 0 || write_pack(w);
    FILE *list = w->list;
    w->list = NULL;
    return close_file(w, list, "packs.txt") && good && write_header(w);
}
