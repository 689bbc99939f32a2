// With sanitizers everything is some four times slower; the plain builds do the full number.
#ifndef HEDDLE_TESTS_UNIT_SHARE_H
#define HEDDLE_TESTS_UNIT_SHARE_H

#ifdef HEDDLE_SANITIZE
enum { SHARE = 4 };
#else
enum { SHARE = 1 };
#endif

#endif
