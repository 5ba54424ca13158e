//! The codes of what can be wrong with files of transitions, formulas and patterns, one row each with a title.
//! Why: enumerable things are data. Whatever prints news or explains a code reads this table.
//! 040x: files of transition systems; 041x–043x: formulas; 044x: patterns.

foresee_text::codes! { pub,
    AUT_HEADER "E0401" "the .aut file does not start with a header";
    AUT_LINE "E0402" "a line of the .aut file is no transition";
    AUT_COUNT "E0403" "the .aut file does not have as many transitions as its header says";
    AUT_STATE "E0404" "the .aut file names a state that its header does not allow";
    DOT_LINE "E0405" "a line of the DOT file is not understood";
    UNREADABLE "E0406" "the file could not be read to its end";
    SYNTAX "E0411" "the formula is not well formed";
    UNBOUND_MACRO "E0412" "a formula uses a macro that is not defined";
    ARGUMENTS "E0413" "a macro or variable is given the wrong number of arguments";
    RECURSIVE_MACRO "E0414" "a macro uses itself";
    UNBOUND_VARIABLE "E0415" "a formula uses a variable that is not bound";
    NEGATED_VARIABLE "E0416" "a fixpoint variable stands under a negation";
    UNGUARDED "E0417" "a fixpoint variable stands under no modality";
    NO_SUCH_LABEL "E0418" "a label of the formula matches nothing";
    NOT_AN_ACTION "E0419" "an operator on actions is applied to a sequence of actions";
    LABEL_PATTERN "E0420" "a label pattern is not well formed";
    INFINITE_SORT "E0421" "a quantifier ranges over a sort that is not known to be finite";
    NO_VALUE "E0422" "a data expression has no value";
    NOT_SUPPORTED "E0423" "the formula uses something that is not supported";
    NEGATION_OF_FIRST "E0424" "a negation covers only the first of two alternatives";
    UNKNOWN_ACTION "E0425" "the formula speaks of an action that the specification does not have";
    UNKNOWN_DATA "E0426" "the formula uses a sort or a value that the specification does not have";
    UNKNOWN_PATTERN "E0441" "there is no such pattern";
    PATTERN_ARGUMENTS "E0442" "a pattern is given arguments it cannot take";
}
