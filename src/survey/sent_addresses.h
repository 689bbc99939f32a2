// Addresses that leave the program through a pipe, a file, a socket or a message queue, and may come back to it.
//
// The table of effects says of write, read and a few others what they give and take (effects.h). Here all ways out
// count, because addresses may come back on ways of which no effect says that they take: readv, recvmsg, a mapped file.
#ifndef HEDDLE_SURVEY_SENT_ADDRESSES_H
#define HEDDLE_SURVEY_SENT_ADDRESSES_H

#include "survey/survey_facts.h"

// May some library function write bytes out that hold the address of an object which is no constant? What reads them
// in again would have a pointer that pointing does not know. (May: true is no proof that such an address comes back.)
bool addresses_may_be_sent(const SurveyFacts *facts);

#endif
