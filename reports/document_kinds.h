/* The kinds of documents, once: their names, where they stand, and what "lastbit report" says of
 * them. A new one: a row here, lb_render_NAME in render_NAME.c, its test. */
#ifndef LB_REPORTS_DOCUMENT_KINDS_H
#define LB_REPORTS_DOCUMENT_KINDS_H

/* Who writes it without being asked for it by name. */
enum { LB_OF_RUN = 1, LB_OF_BENCH = 2, LB_OF_PACKAGE = 4, LB_OF_ANNOTATIONS = 8 };

/* clang-format off */
/* name, file in a folder (NULL: in none), who writes it, FILE of an example, summary, about */
#define LB_DOCUMENTS(X) \
    X(html, "report.html", LB_OF_RUN | LB_OF_BENCH | LB_OF_PACKAGE, "report.html", \
      "one page to read: verdict, matrix, failures, figures, every result", \
      "Writes one HTML file that holds everything: it needs no network and no other file, opens " \
      "from disk, prints, and follows the light or dark setting of the reader. First the " \
      "verdict, four numbers (bit-exact, guard bits, tolerance, coverage), what was tested and " \
      "what to look at first; then functions by variant and profile, failing cases by first " \
      "differing step, each with a map of where it differs and the line that reproduces it, " \
      "what is skipped or waived, passes that prove little, coverage, tolerance budgets, " \
      "accumulator headroom, speed, the slowest cases, lines of source, and a list of all " \
      "results to search.") \
    X(junit, "junit.xml", LB_OF_RUN, "junit.xml", \
      "JUnit XML for a CI server", \
      "Writes JUnit XML: a testsuite per suite, a testcase per case and profile, failures and " \
      "errors apart, skipped and waived cases as skipped with their reasons, and what was " \
      "tested as properties.") \
    X(markdown, "summary.md", LB_OF_RUN | LB_OF_BENCH | LB_OF_PACKAGE, \
      "- >> \"$GITHUB_STEP_SUMMARY\"", \
      "a summary under 64 KB for a CI job", \
      "Writes a summary in Markdown, under 64 KB however large the run: the verdict, the " \
      "numbers, functions with problems and their first failures, the worst first. It says " \
      "how many it leaves out.") \
    X(csv, NULL, 0, "results.csv", \
      "a table for spreadsheets", \
      "Writes a table (RFC 4180) with a header line and one result a line: verdict, " \
      "oracles, first difference, tolerance, accumulator, time. A text that a spreadsheet " \
      "would take for a formula has an apostrophe before it.") \
    X(sarif, NULL, 0, "lastbit.sarif", \
      "SARIF 2.1.0 for servers that take static analysis", \
      "Writes SARIF 2.1.0: each distinct failure once, with its profiles, at the line of " \
      "its case; a rule is a kind of failure (numbers, status, contract, crash, time).") \
    X(gitlab, "gl-code-quality-report.json", LB_OF_ANNOTATIONS, "quality.json", \
      "GitLab's code quality report", \
      "Writes JSON for artifacts:reports:codequality: each distinct failure once, with a " \
      "fingerprint that stays the same from run to run.") \
    X(tap, NULL, 0, "results.tap", \
      "TAP 14", \
      "Writes the Test Anything Protocol, version 14: a test point a result, with a YAML " \
      "block under what failed.") \
    X(github, NULL, LB_OF_ANNOTATIONS, "-", \
      "annotations of GitHub Actions", \
      "Writes workflow commands (::error file=,line=::): each distinct failure once, with " \
      "its profiles, the simplest first. \"lastbit run --annotate\" prints them.") \
    X(azure, NULL, LB_OF_ANNOTATIONS, "-", \
      "logging commands of Azure Pipelines", \
      "Writes logging commands: each distinct failure once, with its profiles, the " \
      "simplest first. \"lastbit run --annotate\" prints them.") \
    X(teamcity, NULL, LB_OF_ANNOTATIONS, "-", \
      "service messages of TeamCity", \
      "Writes service messages: each distinct failure as a failed test, the simplest " \
      "first. \"lastbit run --annotate\" prints them.")

/* "lastbit report statement" chooses between these: name, function, file, who writes it */
#define LB_STATEMENTS(X) \
    X("statement.html", statement_html, "statement.html", LB_OF_PACKAGE) \
    X("statement.md", statement_markdown, NULL, 0)
/* clang-format on */

#endif
