# Help texts to a manual page. Input: the texts, each after a line "@main" or "@command NAME"; ABOUT in the environment
# is the short description for the section NAME. What it knows of a text:
#   Usage: ...            and the indented lines below it: the synopsis
#   Heading:              alone on its line, at most 30 letters: a section; "Examples:" is kept as it stands
#   up to three spaces, term, two spaces or more, text: an item; deeper lines go on with its text, unless they begin with
#   an option, which opens an item at any depth
#   other lines at the margin: paragraphs
# Other indented lines are kept as they stand.

function escape(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    gsub(/\^/, "\\(ha", s)
    gsub(/~/, "\\(ti", s)
    gsub(/`/, "\\(ga", s)
    gsub(/'/, "\\(aq", s)
    sub(/^\./, "\\\\\\&.", s)
    return s
}

# Blank lines wait until a line of a kept block follows; a section's first paragraph needs no ".PP".
function emit(s) {
    if (s == ".PP" && after_section)
        return
    after_section = s ~ /^\.S[HS] /
    print s
}

# Ends what is open: a kept block, an item, a paragraph.
function close_block() {
    if (kept)
        emit(".fi")
    kept = 0
    blanks = 0
    flowing = 0
    item = 0
}

function keep(s) {
    if (!kept) {
        close_block()
        emit(".PP")
        emit(".nf")
        kept = 1
    }
    for (; blanks > 0; blanks--)
        emit("")
    emit(escape(s))
}

function flow(s) {
    if (kept || !flowing) {
        close_block()
        emit(".PP")
        flowing = 1
    }
    emit(escape(s))
}

function section(name) {
    close_block()
    if (command == "")
        emit(".SH " toupper(name))
    else {
        emit(".PP")
        emit("\\fI" escape(toupper(substr(name, 1, 1)) substr(name, 2)) "\\fR")
    }
    heading = name
}

function synopsis(s) {
    if (s != "")
        emit(escape(s))
}

BEGIN {
    printf ".TH LASTBIT 1 \"\" \"lastbit %s\" \"User Commands\"\n", escape(version)
    emit(".nh")
    emit(".ad l")
    emit(".SH NAME")
    emit("lastbit \\- " escape(ENVIRON["ABOUT"]))
}

/^@main$/ {
    command = ""
    heading = ""
    next
}

/^@command / {
    close_block()
    if (command == "")
        emit(".SH COMMANDS IN DETAIL")
    command = substr($0, length("@command ") + 1)
    heading = ""
    emit(".SS " escape(command))
    next
}

/^[Uu]sage:/ {
    close_block()
    if (command == "")
        emit(".SH SYNOPSIS")
    emit(".nf")
    usage = 1
    sub(/^[Uu]sage: */, "")
    synopsis($0)
    next
}

usage && /^ +[^ ]/ {
    sub(/^ +/, "")
    synopsis($0)
    next
}

usage {
    usage = 0
    emit(".fi")
}

/^ *$/ {
    if (!kept)
        close_block()
    else
        blanks++
    next
}

length($0) <= 30 && /^[A-Za-z][^:.]*:$/ {
    section(substr($0, 1, length($0) - 1))
    next
}

# At the margin: a paragraph. The first one of the main page opens its description.
/^[^ ]/ {
    if (command == "" && heading == "") {
        emit(".SH DESCRIPTION")
        heading = "Description"
    }
    flow($0)
    next
}

heading ~ /^[Ee]xample/ || heading == "" {
    sub(/^  /, "")
    keep($0)
    next
}

# An item: its term, and its text on the same line or below.
/^ ? ? ?[^ ]/ || /^ +--?[a-z]/ {
    sub(/^ +/, "")
    close_block()
    emit(".TP")
    item = 1
    if (match($0, /   *[^ ]/)) {
        emit("\\fB" escape(substr($0, 1, RSTART - 1)) "\\fR")
        emit(escape(substr($0, RSTART + RLENGTH - 1)))
    } else
        emit("\\fB" escape($0) "\\fR")
    next
}

item {
    sub(/^ +/, "")
    emit(escape($0))
    next
}

{
    keep($0)
}

END {
    if (usage)
        emit(".fi")
    close_block()
}
