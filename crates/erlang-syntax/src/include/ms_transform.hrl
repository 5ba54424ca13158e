%% What modules that write ets:fun2ms include, written for Foresee.
-compile({parse_transform, ms_transform}).
