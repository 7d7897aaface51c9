/* Sets of kernels whose platforms differ in the built-in profiles alone, and in no features: which
 * of the profiles gives all that a port gives, function by function. */
#ifndef LB_HARNESS_CHARACTERIZE_BY_PROFILE_H
#define LB_HARNESS_CHARACTERIZE_BY_PROFILE_H

#include "harness/characterize/character.h"
#include "reports/doc.h"

/* Has the set of the numerics in which the port is asked no features? */
bool lb_character_is_by_profile(const lb_character *character);

/* As lb_characterize; a group is one function. */
void lb_characterize_by_profile(lb_character *character);

/* As lb_character_text and lb_character_against (text.h). */
void lb_character_profiles_text(lb_doc *doc, const lb_character *character);
unsigned lb_character_profiles_against(lb_doc *doc, const lb_character *character,
                                       const lb_profile *other);

#endif
