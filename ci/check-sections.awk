# Mentions of the specification: "PAGE.md 4.2", "PAGE.md 2.4 to 2.6", "PAGE.md 6, 9 and 11 D4" in any file of the tree must
# name sections that reference/mli/spec has; and every section must be named where something is tested (coverpoints, tests,
# suites, an example on the page), or stand in reference/mli/spec/untested.txt with the reason. So must mentions of the
# specification of LiteRT, "litert.2.3", whose pages number their sections through. Input: all files of the tree, one a
# line, paths from its root. POSIX awk.

BEGIN {
    pages = "numerics|conv|pooling_and_movement|elementwise|recurrent|api|encodings|float4|features"
    page_pattern = "(" pages ")\\.md"
    number = "[0-9]+(\\.[0-9]+)?"
    folder = "reference/mli/spec/"
    count = split(pages, page_names, "|")
    for (i = 1; i <= count; i++)
        read_page(page_names[i], folder page_names[i] ".md")
    folder_of["litert"] = "reference/litert/spec/"
    count = split("ground primitives weights reductions elementwise preparation recordings cmsis_nn", page_names, " ")
    for (i = 1; i <= count; i++)
        read_page("litert", folder_of["litert"] page_names[i] ".md")
}

function complain(place, text) {
    print place ": " text
}

# Sections of a page, the labels of its rows ("- **D4**: ..."), and which sections have examples.
function read_page(page, file,    line, in_code, section, label, n) {
    n = 0
    while ((getline line <file) > 0) {
        n++
        if (line ~ /^```/) {
            in_code = !in_code
            if (line ~ /^```example/)
                tested[page, section] = 1
        } else if (!in_code && line ~ /^##+ [0-9]/) {
            section = line
            sub(/^#+ /, "", section)
            sub(/[^0-9.].*/, "", section)
            sub(/\.$/, "", section)
            if ((page, section) in place_of)
                complain(file ":" n, "a second section " section)
            place_of[page, section] = file ":" n
            order[++sections] = page SUBSEP section
        } else if (!in_code && match(line, /^- \*\*[A-Z][0-9]?[a-z]?\*\*/)) {
            label = substr(line, 5, RLENGTH - 6)
            labels[page, section, label] = 1
        }
    }
    close(file)
    if (n == 0)
        complain(file, "there is no such page")
}

function name_of(page, section) {
    return page (page == "litert" ? "." : ".md ") section
}

# One section is named; label: what stands behind it if it looks like the name of a row.
function take(page, section, label, place, proves) {
    if (!((page, section) in place_of))
        complain(place, "names " name_of(page, section) ", a section that the specification does not have")
    else if (label != "" && !((page, section, label) in labels))
        complain(place, "names " page ".md " section " " label ", and that section has no such row")
    else if (proves)
        tested[page, section] = 1
}

# What lies between the ends of "2.4 to 2.6".
function take_range(page, from, to, place, proves,    head, last, i) {
    head = from
    last = to
    if (sub(/[0-9]+$/, "", head) && head != "" && index(last, head) == 1) {
        for (i = substr(from, length(head) + 1) + 1; i < substr(last, length(head) + 1) + 0; i++)
            take(page, head i, "", place, proves)
    } else if (from !~ /\./ && to !~ /\./) {
        for (i = from + 1; i < to + 0; i++)
            take(page, i "", "", place, proves)
    }
}

# The numbers behind a page's name, as far as they go.
function take_numbers(page, rest, place, proves,    section, label, last) {
    sub(/^`?,? *(sections? )?/, "", rest)
    while (match(rest, "^" number)) {
        section = substr(rest, 1, RLENGTH)
        rest = substr(rest, RLENGTH + 1)
        if (rest ~ /^[0-9A-Za-z_%]/)
            return 0
        label = ""
        if (match(rest, /^ [A-Z][0-9]?[a-z]?/) && substr(rest, RLENGTH + 1) !~ /^[A-Za-z0-9_'-]/ && page == "conv" && section == "11") {
            label = substr(rest, 2, RLENGTH - 1)
            rest = substr(rest, RLENGTH + 1)
        }
        take(page, section, label, place, proves)
        if (last != "")
            take_range(page, last, section, place, proves)
        last = ""
        sub(/^ \([^)]*\)/, "", rest)
        if (match(rest, /^ (to|-) /))
            last = section
        if (!match(rest, /^(, and |, | and | to | - |,$)/))
            return 0
        rest = substr(rest, RLENGTH + 1)
    }
    return rest == ""
}

# Everything that a line names. True if the last mention goes on in the next line.
function take_line(line, place, proves,    before, page, open) {
    open = 0
    while (match(line, page_pattern)) {
        before = RSTART > 1 ? substr(line, RSTART - 1, 1) : " "
        page = substr(line, RSTART, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
        open = 0
        if (before ~ /[A-Za-z0-9_\/.-]/)
            continue
        open = take_numbers(page, line, place, proves)
        held = page ".md"
    }
    return open
}

# Every "litert.2.3" of a line.
function take_litert(line, place, proves,    before, section) {
    while (match(line, "litert\\." number)) {
        before = RSTART > 1 ? substr(line, RSTART - 1, 1) : " "
        section = substr(line, RSTART + 7, RLENGTH - 7)
        line = substr(line, RSTART + RLENGTH)
        if (before !~ /[A-Za-z0-9_\/.-]/ && line !~ /^[0-9A-Za-z_]/)
            take("litert", section, "", place, proves)
    }
}

# What counts as a test: programs and scripts that test, coverpoints, suites.
function is_proof(file) {
    return file ~ /\/tests\// || file ~ /^harness\/coverage\// || file ~ /^vectors\/[^\/]*\.(yaml|jsonl)$/
}

function read_file(file,    line, n, proves, goes_on) {
    proves = is_proof(file)
    n = goes_on = 0
    while ((getline line <file) > 0) {
        n++
        if (goes_on) {
            sub(/^[ \t]*(\*|#|\/\/|")?[ \t]*/, "", line)
            line = held " " line
        }
        if (index(line, "litert."))
            take_litert(line, file ":" n, proves)
        goes_on = index(line, ".md") ? take_line(line, file ":" n, proves) : 0
    }
    close(file)
}

/^(vectors|reference\/litert)\/recorded\// { next }
/\.(c|h|cpp|awk|md|txt|yaml|yml|json|jsonl|py|cmake|sh|html|js|css)$/ || /(^|\/)[^.\/]*$/ { if ($0 !~ /\/untested\.txt$/) read_file($0) }

# "PAGE.md SECTION  reason" for each section that no test can name.
function read_excuses(file,    line, n, word, page) {
    while ((getline line <file) > 0) {
        n++
        if (line ~ /^(#|$)/)
            continue
        split(line, word, " ")
        page = word[1]
        sub(/\.md$/, "", page)
        if (!((page, word[2]) in place_of))
            complain(file ":" n, "there is no section " word[1] " " word[2])
        else if ((page, word[2]) in tested)
            complain(file ":" n, word[1] " " word[2] " is named by a test; take it out of the list")
        else if (length(line) < length(word[1]) + length(word[2]) + 12)
            complain(file ":" n, "no reason is given")
        excused[page, word[2]] = 1
    }
    close(file)
}

END {
    read_excuses(folder "untested.txt")
    read_excuses(folder_of["litert"] "untested.txt")
    for (i = 1; i <= sections; i++) {
        split(order[i], part, SUBSEP)
        if (!(order[i] in tested) && !(order[i] in excused) && !has_part_in(tested, part[1], part[2]) &&
            !has_part_in(excused, part[1], part[2]))
            complain(place_of[order[i]], "no coverpoint, test or example names " name_of(part[1], part[2]))
    }
}

# A section of sections is tested, or excused, where one of these is.
function has_part_in(set, page, section,    key, part) {
    for (key in set) {
        split(key, part, SUBSEP)
        if (part[1] == page && index(part[2], section ".") == 1)
            return 1
    }
    return 0
}
