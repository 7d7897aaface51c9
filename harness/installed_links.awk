# Links of a page of the source tree, for the place where it is installed: those to pages that are installed too lead
# there, of others only the text is left.
# Usage: awk -v page=PATH-IN-DATADIR -f installed_links.awk PAGE
# The table is the one place that knows what install.cmake puts where; a folder ends with a slash.
BEGIN {
    count = split( \
        "harness/port_kit/ lastbit/port_kit/ " \
        "reference/litert/spec/ lastbit/spec/litert/ " \
        "reference/mli/spec/ lastbit/spec/ " \
        "vectors/ lastbit/vectors/ " \
        "harness/guide/ doc/lastbit/guide/ " \
        "ci/examples/github-actions.yml doc/lastbit/examples/github-actions.yml " \
        "ci/examples/gitlab-ci.yml doc/lastbit/examples/gitlab-ci.yml " \
        "harness/guard/DEFINITIONS.md doc/lastbit/DEFINITIONS.md " \
        "harness/PROMISES.md doc/lastbit/PROMISES.md " \
        "reports/FORMAT.md doc/lastbit/FORMAT.md " \
        "README.md doc/lastbit/README.md " \
        "CHANGELOG.md doc/lastbit/CHANGELOG.md " \
        "LICENSE doc/lastbit/copyright", table, " ")
    source = moved(page, 2, 1)
}

# The path in the other tree: by table[from] to table[to]; "" if it has no place there.
function moved(path, from, to,    i, head) {
    for (i = 0; i < count; i += 2) {
        head = table[i + from]
        if (path == head || (head ~ /\/$/ && index(path, head) == 1))
            return table[i + to] substr(path, length(head) + 1)
    }
    return ""
}

# "a/b/../c" without its detours.
function straight(path,    part, parts, i, kept, n) {
    parts = split(path, part, "/")
    n = 0
    for (i = 1; i <= parts; i++) {
        if (part[i] == "..")
            n--
        else if (part[i] != "." && part[i] != "")
            kept[++n] = part[i]
    }
    path = ""
    for (i = 1; i <= n; i++)
        path = path (i > 1 ? "/" : "") kept[i]
    return path
}

function folder(path) {
    sub(/[^\/]*$/, "", path)
    return path
}

# From the folder of this page.
function relative(path,    here, there, i, up, a, b) {
    here = split(folder(page), a, "/") - 1
    there = split(path, b, "/")
    for (i = 1; i <= here && i < there && a[i] == b[i]; i++)
        continue
    up = ""
    for (; here >= i; here--)
        up = up "../"
    path = b[i]
    while (i < there)
        path = path "/" b[++i]
    return up path
}

{
    out = ""
    while (match($0, /\[[^\]]*\]\([^) ]*\)/)) {
        out = out substr($0, 1, RSTART - 1)
        link = substr($0, RSTART, RLENGTH)
        $0 = substr($0, RSTART + RLENGTH)
        at = index(link, "](")
        text = substr(link, 2, at - 2)
        target = substr(link, at + 2, length(link) - at - 2)
        anchor = ""
        if (index(target, "#")) {
            anchor = substr(target, index(target, "#"))
            target = substr(target, 1, index(target, "#") - 1)
        }
        if (target == "" || target ~ /:/)
            out = out link
        else {
            place = moved(straight(folder(source) target), 1, 2)
            out = out (place == "" ? text : "[" text "](" relative(place) anchor ")")
        }
    }
    print out $0
}
