-concuerror_options_forced([{dpor, source}, {scheduling_bound_type, delay}, {scheduling_bound, 2},
  {after_timeout, 1000}, {instant_delivery, false}, {non_racing_system, user}, use_receive_patterns]).
