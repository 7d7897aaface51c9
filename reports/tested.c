/* What was tested, as facts: see tested.h. */
#include "tested.h"

#include <stdio.h>
#include <string.h>

const lb_tested lb_tested_facts[] = {
    {"Port", "port", offsetof(lb_run_info, port), true, false},
    {"Described as", "port.described", offsetof(lb_run_info, port_described), false, false},
    {"Port's SHA-256", "port.sha256", offsetof(lb_run_info, port_sha256), true, false},
    {"Port's target", "port.target", offsetof(lb_run_info, port_target), false, false},
    {"Port's compiler", "port.compiler", offsetof(lb_run_info, port_compiler), false, false},
    {"Port's build", "port.options", offsetof(lb_run_info, port_options), false, false},
    {"Library's own options", "port.library_options", offsetof(lb_run_info, port_library_options),
     true, false},
    {"Port kept apart by", "port.sandbox", offsetof(lb_run_info, port_sandbox), false, true},
    {"Host", "host", offsetof(lb_run_info, host), false, true},
    {"lastbit compiled by", "host.compiler", offsetof(lb_run_info, host_compiler), false, true},
};
const size_t lb_tested_count = sizeof lb_tested_facts / sizeof lb_tested_facts[0];

const char *lb_tested_text(const lb_tested *fact, const lb_run_info *info)
{
    const char *text;
    memcpy(&text, (const char *)info + fact->offset, sizeof text);
    return !text ? "" : text;
}

void lb_tested_version(const lb_run_info *info, char *text, size_t text_bytes)
{
    bool known = info->tool_commit && info->tool_commit[0] != '\0';
    snprintf(text, text_bytes, "%.60s%s%.60s", info->tool_version, known ? ", commit " : "",
             known ? info->tool_commit : "");
}

const char *lb_tested_role(const char *role)
{
    static const char *const names[][2] = {
        {"encodings", "Encodings file"}, {"packed", "Packed elements"},
        {"npy", "NumPy array"},          {"npz", "NumPy archive"},
        {"profile", "Platform profile"}, {"policy", "Tolerance policy"},
        {"waivers", "Waivers"},          {"port", "File of the port"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(role, names[i][0]) == 0)
            return names[i][1];
    return "File";
}
