# The include rules, and how a name in an #include finds its file. Input: all files of the tree, one a line, paths from
# its root; the sources among them are opened from here. POSIX awk: a bare machine has nothing better.

BEGIN {
    # room: the other rooms it may include, and the kinds of system headers.
    may_rooms["reference"] = "";                  may_system["reference"] = "libc"
    may_rooms["impl"] = "";                       may_system["impl"] = "libc compiler"
    may_rooms["reports"] = "";                    may_system["reports"] = "libc cjson"
    may_rooms["harness"] = "reference reports";   may_system["harness"] = "libc cjson yaml nettle zlib sanitizer packs seccomp cmsis"
    may_rooms["ci"] = "";                         may_system["ci"] = "libc peers"
    # Exceptions: one file, further rooms. The built-in port is the harness's one door to the implementation; the port kit
    # is compiled with the headers of whoever ports, and for lastbit-agent and the tests that is ours.
    file_rooms["harness/port/builtin.c"] = "impl"
    file_rooms["harness/port_kit/port_litert.c"] = "impl"
    file_rooms["harness/port_kit/lb_kit_mli.h"] = "impl"
    file_rooms["harness/port_kit/port_lastbit.c"] = "impl"
    file_rooms["harness/port_kit/example_mistake.c"] = "impl"
    folder_rooms["harness/port_kit/scaffold/mli"] = "impl"
    folder_rooms["harness/tests/broken_ports"] = "impl"
    folder_rooms["harness/tests/cmsis_nn/Source/Own"] = "impl"
    folder_rooms["harness/tests/other_headers"] = "impl"
    folder_rooms["harness/tests/other_headers/api"] = "impl"
    folder_rooms["harness/tests/mistaken_agent"] = "impl"
    file_rooms["ci/platforms/seeded_fault.c"] = "impl"
    file_rooms["ci/bench_peers.cpp"] = "impl"
    # The floors of harness/: a floor may include itself and those before it. Tests stand beside a floor and may include any.
    floor_count = split("base json arrays encodings tflite suite call port trial faults guard explain coverage generate diagnose characterize run pack export package " \
                        "bench command", floors, " ")
    for (i = 1; i <= floor_count; i++)
        floor_number["harness/" floors[i]] = i
    # The rooms of reference/: arithmetic; how a kernel is described and run; the kernel sets, which know nothing of each
    # other. The configuration of a call is made of what the sets bring: one header includes one of each.
    floor_count = split("core describe mli litert", floors, " ")
    for (i = 1; i <= floor_count; i++)
        floor_number["reference/" floors[i]] = i
    # What the exact models are made of: real models are a second telling of it, to check it.
    exact_parts = "^reference/(core/(num|steps|scale|scale_num|result)|describe/(map|map_walk|map_cursor|program|dense|cell_ops)|mli/(weighted|pool_divisor))[.]h$"
    # Folders, from a room's root, in which a bare name is looked for beside the including file's own folder.
    folders = ". include include/api litert/include src tests port_kit"
    # Rooms whose public headers are included by bare name, as their users do, from these folders.
    public_folders["impl"] = "include include/api litert/include"
    # Tests that read recorded cases.
    folder_system["impl/litert/tests"] = "cjson"
    folder_system["reference/litert/tests"] = "cjson"

    # Folders of impl/src, and which of these they may include. All may include the files beside them: the families of
    # kernels, which may include none. impl/litert is a library of its own, and knows none of impl/src.
    may_inner["portable"] = ""
    may_inner["simd"] = ""
    may_inner["x86"] = "simd portable"
    may_inner["arm"] = "simd portable"
    # Where headers of instruction sets may be included.
    compiler_folders = "^impl/(src/(simd|x86|arm)|bench)/"

    kind("libc", "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg " \
                 "stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype")
    kind("libc", "aio alloca byteswap dirent dlfcn elf endian err execinfo fcntl features fnmatch ftw getopt glob grp iconv " \
                 "langinfo libgen link malloc netdb poll pthread pwd regex sched semaphore spawn strings syslog termios ucontext " \
                 "unistd utime wordexp")
    # Headers of instruction sets belong to the compiler; kernels written for one need them.
    kind("compiler", "cpuid immintrin emmintrin smmintrin tmmintrin xmmintrin x86intrin arm_neon arm_sve arm_acle riscv_vector")
    kind("sanitizer", "sanitizer/asan_interface")
    kind("cjson", "cjson/cJSON")
    # Written by lastbit pack beside what includes it.
    kind("packs", "lb_packs")
    # Of the library that a porter has, or of the tests; and what a build says of it.
    kind("cmsis", "arm_nnfunctions cmsis_nn_library")
    kind("yaml", "yaml")
    kind("nettle", "nettle/sha2 nettle/base16")
    kind("zlib", "zlib zconf")
    kind("seccomp", "seccomp")
    kind("cmocka", "cmocka")
    # Libraries that ci/bench-peers measures.
    kind("peers", "xnnpack cpuinfo")
    kind_of["oneapi/dnnl/dnnl.hpp"] = "peers"
    libc_folders = "^(sys|net|netinet|arpa|linux|asm|bits)/"
    wrong = 0
    checked = 0
}

function kind(name, headers,    list, n, i) {
    n = split(headers, list, " ")
    for (i = 1; i <= n; i++)
        kind_of[list[i] ".h"] = name
}

function has_word(words, word) {
    return index(" " words " ", " " word " ") > 0
}

function room_of(path) {
    return index(path, "/") ? substr(path, 1, index(path, "/") - 1) : ""
}

# "a/./b/../c" is "a/c"; a path that leaves the tree keeps its "..".
function normal(path,    parts, n, i, out, depth) {
    n = split(path, parts, "/")
    depth = 0
    for (i = 1; i <= n; i++) {
        if (parts[i] == "" || parts[i] == ".")
            continue
        if (parts[i] == ".." && depth > 0 && kept[depth] != "..")
            depth--
        else
            kept[++depth] = parts[i]
    }
    out = ""
    for (i = 1; i <= depth; i++)
        out = out (i > 1 ? "/" : "") kept[i]
    return out
}

# The file of `room` that a name means without naming the room, or "".
function in_room(room, name, where,    list, n, i, path) {
    n = split(where, list, " ")
    for (i = 1; i <= n; i++) {
        path = normal(room "/" list[i] "/" name)
        if (path in exists && room_of(path) == room)
            return path
    }
    return ""
}

function complain(file, line, rule, text) {
    printf "%s:%d: %s: %s\n", file, line, rule, text
    wrong++
}

# A room that knows the name by one of its folders, other than `own`; "" if none.
function stranger(own, name,    other, path) {
    for (other in may_rooms) {
        if (other == own)
            continue
        path = in_room(other, name, folders)
        if (path != "")
            return path
    }
    return ""
}

# The folder of impl/src that a file is in, "" if none.
function inner_of(path) {
    return path ~ /^impl\/src\/[^\/]+\// ? substr(path, 10, index(substr(path, 10), "/") - 1) : ""
}

# May this file include that file of a folder of impl/src?
function judge_inner(file, line, written, path,    own, other) {
    own = inner_of(file)
    other = inner_of(path)
    if ((file ~ /^impl\/litert\//) != (path ~ /^impl\/litert\//) && path ~ /^impl\// && file ~ /^impl\//)
        complain(file, line, "impl-folders", written " is " path ": impl/litert/ and the rest of impl/ know nothing of each other")
    if (other != "" && other != own && !has_word(may_inner[own], other))
        complain(file, line, "impl-folders", written " is " path ": only " (other ~ /simd|portable/ ? "the files of levels" : "impl/src/" other "/") " may include it")
}

# May this file include that file of another room, written like this?
function judge_room(file, line, written, path,    own, other, rooms) {
    own = room_of(file)
    other = room_of(path)
    if (other == own) {
        judge_floor(file, line, written, path)
        return
    }
    rooms = may_rooms[own]
    if (file in file_rooms)
        rooms = rooms " " file_rooms[file]
    if (folder_of(file) in folder_rooms)
        rooms = rooms " " folder_rooms[folder_of(file)]
    if (!has_word(rooms, other)) {
        if (own == "harness" && other == "impl")
            complain(file, line, "harness-not-impl", written " is " path ": only the built-in port, harness/port/builtin*.c, may include impl/, and what is compiled with the port kit")
        else
            complain(file, line, own "-not-" other, written " is " path ": " own "/ may not include " other "/")
    } else if (other in public_folders && in_room(other, bare, public_folders[other]) != "") {
        return
    } else if (bare != path) {
        complain(file, line, "write-the-room", written " is " path ": write \"" path "\"")
    }
}

# May this file include that one of its own room?
function judge_floor(file, line, written, path,    own, other) {
    own = folder_of(file)
    other = folder_of(path)
    if (file ~ /^reference\/[a-z]+\/real_[a-z_]*[.][ch]$/ && path ~ exact_parts)
        complain(file, line, "real-alone", written " is " path ": real models check what the exact ones are made of, and have their own")
    if (!(other in floor_number) || (file == "reference/describe/config.h" && path == other "/config.h") || (file == "reference/describe/families.h" && path == other "/rows.h"))
        return
    if (file ~ /^harness\/port_kit\//)
        complain(file, line, "kit-alone", written " is " path ": the port kit includes nothing of the floors")
    else if (own == "reference/litert" && other == "reference/mli")
        complain(file, line, "floors", written " is " path ": kernel sets know nothing of each other")
    else if ((own in floor_number) && floor_number[other] > floor_number[own])
        complain(file, line, "floors", written " is " path ": " own "/ stands above " other "/ and may not include it")
}

function judge(file, line, written,    own, angle, path, k, kinds) {
    own = room_of(file)
    if (written !~ /^("[^"]+"|<[^>]+>)$/) {
        complain(file, line, "plain-includes", written ": the name is not written out, so it cannot be checked")
        return
    }
    angle = substr(written, 1, 1) == "<"
    bare = substr(written, 2, length(written) - 2)
    if (bare ~ /^\//) {
        complain(file, line, "no-absolute-path", written)
        return
    }
    # As the compiler looks: the file's own folder (quotes only), the room's folders, the root of the tree.
    path = ""
    if (!angle) {
        path = normal(substr(file, 1, length(file) - length(base_of(file))) bare)
        if (!(path in exists))
            path = ""
    }
    if (path == "")
        path = in_room(own, bare, folders)
    if (path == "" && bare ~ /\// && (normal(bare) in exists))
        path = normal(bare)
    # The system's headers come before another room's of the same name.
    kinds = may_system[own] (file ~ /\/tests\// ? " cmocka" : "") " " folder_system[folder_of(file)]
    k = (bare in kind_of) ? kind_of[bare] : (bare ~ libc_folders ? "libc" : "")
    if (k == "" && file ~ /\.(cpp|hpp)$/ && angle && bare ~ /^[a-z_]+$/)
        k = "libc" # the C++ standard library, for checks that a C++ program can use a header
    if (path == "" && k != "") {
        if (!has_word(kinds, k))
            complain(file, line, own "-libraries", written " belongs to " k ": " own "/ may use " kinds)
        else if (k == "compiler" && file !~ compiler_folders)
            complain(file, line, "impl-folders", written " belongs to an instruction set: only impl/src/simd/, x86/ and arm/ may include it")
        return
    }
    if (path == "")
        path = stranger(own, bare)
    if (path == "") {
        if (bare ~ /^\.\.\//)
            complain(file, line, "leaves-the-tree", written)
        else
            complain(file, line, own "-libraries", written " is no file of the tree and no header of: " kinds)
        return
    }
    judge_room(file, line, written, path)
    judge_inner(file, line, written, path)
}

function folder_of(path) {
    sub(/\/[^\/]*$/, "", path)
    return path
}

function base_of(path) {
    sub(/.*\//, "", path)
    return path
}

# Takes comments out of a line; `open` says whether it begins inside one. Quoted text stays.
function without_comments(text,    out, n, i, c, two, quote) {
    out = ""
    n = length(text)
    quote = ""
    for (i = 1; i <= n; i++) {
        c = substr(text, i, 1)
        two = substr(text, i, 2)
        if (open) {
            if (two == "*/") {
                open = 0
                out = out " "
                i++
            }
        } else if (quote != "") {
            out = out c
            if (c == "\\") {
                out = out substr(text, ++i, 1)
            } else if (c == quote)
                quote = ""
        } else if (two == "/*") {
            open = 1
            i++
        } else if (two == "//") {
            return out
        } else {
            if (c == "\"" || c == "'")
                quote = c
            out = out c
        }
    }
    return out
}

function check(file,    line, number, first, text) {
    open = 0
    number = 0
    checked++
    if (!(room_of(file) in may_rooms)) {
        complain(file, 1, "no-code-here", "only " rooms_with_code " hold C and C++")
        return
    }
    while ((getline line < file) > 0) {
        first = ++number
        while (line ~ /\\\r?$/ && (getline text < file) > 0) {
            sub(/\\\r?$/, "", line)
            line = line text
            number++
        }
        # Only these lines can matter: a directive, or what opens or closes a comment.
        if (!open && line !~ /(#|%:|\?\?=)/ && line !~ /\/\*/)
            continue
        line = without_comments(line)
        if (line ~ /^[ \t]*(#|%:|\?\?=)[ \t]*(include|include_next|import)([^A-Za-z0-9_]|$)/) {
            sub(/^[ \t]*(#|%:|\?\?=)[ \t]*[a-z_]+[ \t]*/, "", line)
            sub(/[ \t\r]+$/, "", line)
            judge(file, first, line)
        }
    }
    close(file)
}

{
    exists[$0] = 1
    if ($0 ~ /\.(c|h|cc|cpp|cxx|hh|hpp|inc|inl)$/)
        sources[++source_count] = $0
}

END {
    for (room in may_rooms)
        if (room != "ci")
            rooms_with_code = rooms_with_code (rooms_with_code == "" ? "" : ", ") room "/"
    for (i = 1; i <= source_count; i++)
        check(sources[i])
    if (checked == 0) {
        print "check-includes: no C source found"
        exit 1
    }
    printf "check-includes: %d files, %d includes that break a rule\n", checked, wrong
    exit wrong > 0
}
