/* Any bytes as an encodings file: read by every option, told as JSON and as text, mapped and
 * converted. */
#include "fuzz.h"
#include "harness/encodings/convert.h"

#include <stdlib.h>

static void convert(const lb_enc_file *file)
{
    static const char *const versions[] = {"0.6.1", "1.0.0", "2.0.0", "2.1.0"};
    lb_enc_axes none = {0};
    lb_enc_mli_request mli = {.axes = &none};
    lb_doc doc = lb_doc_make();
    lb_enc_remarks remarks = {.lines = lb_doc_make()};
    lb_enc_write_mli(&doc, file, &mli, &remarks);
    for (unsigned v = 0; v < sizeof versions / sizeof versions[0]; v++) {
        lb_doc_cut(&doc, 0);
        lb_enc_write_version(&doc, file, versions[v], &none, &remarks);
        lb_enc_file *again = lb_enc_read_text("again", doc.text, doc.length, NULL);
        if (!again->is_valid)
            abort(); /* what is written must be readable */
        lb_enc_free(again);
    }
    lb_doc_free(&doc);
    lb_doc_free(&remarks.lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    for (unsigned choice = 0; choice < 3; choice++) {
        lb_enc_options options = {.recompute_tf_offsets = choice == 1,
                                  .bare_parameters = choice == 2};
        lb_enc_axes none = {0};
        lb_doc doc = lb_doc_make();
        lb_enc_file *file = lb_enc_read_text("fuzz", (const char *)bytes, size, &options);
        lb_enc_show_json(&doc, file, &none);
        lb_enc_show_text(&doc, file, &none);
        if (file->is_valid)
            convert(file);
        lb_doc_free(&doc);
        lb_enc_free(file);
    }
    return 0;
}
