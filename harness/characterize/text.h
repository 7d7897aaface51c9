/* What was found about a port's numerics: as a profile file, and for people. */
#ifndef LB_HARNESS_CHARACTERIZE_TEXT_H
#define LB_HARNESS_CHARACTERIZE_TEXT_H

#include "harness/characterize/character.h"
#include "reports/doc.h"

/* The profile as a file; `name` is what it is to be called. */
void lb_character_yaml(lb_doc *doc, const lb_character *character, const char *name);
/* What the port does, family by family. */
void lb_character_text(lb_doc *doc, const lb_character *character);
/* Where it departs from a profile, and what that means. Gives the number of differences. */
unsigned lb_character_against(lb_doc *doc, const lb_character *character, const lb_profile *other);

#endif
