%% A place in the chain: a server, and the part of it that a client means.
%% `whole` is the ordinary server. A server that stands at both ends of a
%% chain is split into its `head` (a store in memory) and its `tail` (disk).
-record(place, {server :: pid(), part = whole :: whole | head | tail}).

%% One configuration of the chain.
-record(layout, {
    epoch :: pos_integer(),
    %% A write goes to all of these, in this order.
    chain :: [#place{}],
    %% A read goes to this one.
    tail :: #place{}
}).
