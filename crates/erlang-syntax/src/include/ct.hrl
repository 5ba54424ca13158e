%% What test suites include, written for Foresee.
-ifndef(CT_HRL).
-define(CT_HRL, true).

-define(config, test_server:lookup_config).
-define(line,).

-define(MIN_IMPORTANCE, 0).
-define(LOW_IMPORTANCE, 25).
-define(STD_IMPORTANCE, 50).
-define(HI_IMPORTANCE, 75).
-define(MAX_IMPORTANCE, 99).
-define(MIN_VERBOSITY, 0).
-define(LOW_VERBOSITY, 25).
-define(STD_VERBOSITY, 50).
-define(HI_VERBOSITY, 75).
-define(MAX_VERBOSITY, 100).

-endif.
