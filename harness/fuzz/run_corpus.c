/* Gives every file of the folders, and the files, that it is called with to a fuzz target, so that
 * inputs which once did harm are tried by every build. */
#include "harness/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static unsigned tried;

static int try_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        return 1;
    }
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes =
        malloc(size ? size : 1); /* of exactly that size, so that a sanitizer sees a byte too far */
    int status = !bytes || fread(bytes, 1, size, file) != size;
    fclose(file);
    if (status == 0)
        LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    tried++;
    return status;
}

static int try_path(const char *path)
{
    struct stat info;
    int status = 0;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return try_file(path);
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            status |= try_file(name);
    }
    if (folder)
        closedir(folder);
    return status;
}

int main(int argc, char **argv)
{
    int status = argc < 2;
    for (int i = 1; i < argc; i++)
        status |= try_path(argv[i]);
    printf("%u inputs\n", tried);
    return status || tried == 0;
}
