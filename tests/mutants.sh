#!/bin/sh
# What a mutant of the scorer must survive (`make mutants`): the quick tables first, then the rest.
set -e
run="python -m pytest -q -x --no-header -p no:cacheprovider"
cd "$(dirname "$0")/.."
$run tests/scorer/test_cases.py tests/scorer/test_special_hands.py \
    tests/scorer/rulesets/test_options.py tests/scorer/validate/test_problems.py tests/scorer/test_shown_sets.py \
    tests/scorer/decompose/test_wild_splits.py tests/scorer/explain/test_uncounted_rules.py tests/test_doctests.py
$run tests/scorer/patterns tests/scorer/rulesets/test_own_rules.py tests/scorer/rulesets/test_open_faces.py -m "not prove"
$run tests/scorer/oracle/test_agreement.py tests/scorer/decompose/test_splits.py tests/scorer/predicates/test_waits.py \
    tests/scorer/explain/test_alternatives.py tests/scorer/explain/test_claims.py tests/scorer/explain/test_nearby_specials.py -m "not prove"
