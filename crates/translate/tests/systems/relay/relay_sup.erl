%% The server behind, the server in front, a client of each. A child supervisor starts the clients.
-module(relay_sup).
-behaviour(supervisor).
-export([start_link/0, start_clients/0, init/1, buyer/1, seller/0, start/2]).

start_link() ->
    supervisor:start_link(?MODULE, servers).

start_clients() ->
    supervisor:start_link(?MODULE, clients).

init(servers) ->
    Back = #{id => back, start => {back, start_link, [[{tea, 2}]]}},
    Front = #{id => front, start => {front, start_link, []}},
    Clients = #{id => clients, start => {?MODULE, start_clients, []}, type => supervisor},
    {ok, {#{strategy => rest_for_one}, [Back, Front, Clients]}};
init(clients) ->
    {ok, {#{}, [
        #{id => buyer, start => {?MODULE, start, [buyer, [[tea, milk]]]}, restart => temporary},
        #{id => seller, start => {?MODULE, start, [seller, []]}, restart => temporary}
    ]}}.

start(Who, Arguments) ->
    {ok, spawn_link(?MODULE, Who, Arguments)}.

buyer([]) ->
    ok;
buyer([Thing | Things]) ->
    gen_server:call(front, {price, Thing}, infinity),
    buyer(Things).

seller() ->
    gen_server:cast(back, {set, tea, 1}).
