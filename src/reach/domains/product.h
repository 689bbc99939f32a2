// The domain `explicit+predicate`: values and predicates side by side.
//
// A label is a pair of labels. The parts exchange what they know: predicates of the form `variable == constant` are
// values for the part `explicit`, and values are conditions for the queries about predicates. If values exclude an
// infeasible path, the precision of the values grows. Only other paths need predicates.
#ifndef HEDDLE_REACH_DOMAINS_PRODUCT_H
#define HEDDLE_REACH_DOMAINS_PRODUCT_H

#include "reach/domains/predicate.h"
#include "reach/domains/values.h"

typedef struct LabelPair {
  LabelId values, predicates;
} LabelPair;
VECTOR(LabelPairVector, LabelPair);

typedef struct ProductDomain {
  Domain domain; // first
  Explorer *explorer;
  ExplicitDomain values;
  PredicateDomain predicates;
  LabelPairVector pairs; // the first two are LABEL_TRUE and LABEL_FALSE
  Map known;             // values << 32 | predicates -> its number
  Map tracked;           // sets tracked by the parts -> number of the pair
  Map situations;        // label << 32 | tracked -> its number
  Map posts;             // situation << 32 | edge << 1 | missed -> its place in `lists`
  U32Vector lists;       // starts in `found`; one more than there are lists
  U32Vector found;       // labels
  Account *account;
} ProductDomain;

void product_domain_init(ProductDomain *d, Explorer *explorer); // freed by its operations

#endif
