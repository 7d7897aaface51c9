/* Members of a JSON object: see json_put.h. */
#include "json_put.h"

#include "escape.h"

void lb_put_key(lb_doc *doc, const char *key)
{
    char last = doc->length > 0 ? doc->text[doc->length - 1] : '{';
    lb_doc_puts(doc, last == '{' || last == '[' ? "\"" : ",\"");
    lb_doc_puts(doc, key);
    lb_doc_puts(doc, "\":");
}

void lb_put_text(lb_doc *doc, const char *key, const char *text)
{
    lb_put_key(doc, key);
    lb_escape_json(doc, text);
}

void lb_put_number(lb_doc *doc, const char *key, int64_t value)
{
    lb_put_key(doc, key);
    lb_doc_i64(doc, value);
}

void lb_put_bool(lb_doc *doc, const char *key, bool value)
{
    lb_put_key(doc, key);
    lb_doc_puts(doc, value ? "true" : "false");
}
