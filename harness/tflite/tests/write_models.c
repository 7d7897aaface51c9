/* Writes the models of models.h into a folder, for tests of the whole command. Usage: write_models
 * FOLDER */
#include "models.h"

static int write_model(const char *folder, const char *name, m_model *b)
{
    static w_file file;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.tflite", folder, name);
    w_write(&file, &b->m);
    free(b);
    FILE *out = fopen(path, "wb");
    const bool good = out && fwrite(file.bytes, 1, file.size, out) == file.size;
    return (!out || fclose(out) == 0) && good ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    return write_model(argv[1], "small", m_small()) | write_model(argv[1], "cut", m_cut()) |
           write_model(argv[1], "others", m_others());
}
