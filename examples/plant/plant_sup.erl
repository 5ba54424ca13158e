%% Each child is started again when it fails; ten failures in a second are too many.
-module(plant_sup).
-behaviour(supervisor).
-export([start_link/0, init/1]).

start_link() -> supervisor:start_link({local, ?MODULE}, ?MODULE, []).

init([]) ->
    Pumps = [#{id => Name, start => {pump, start_link, [Name]}} || Name <- [pump_1, pump_2, pump_3]],
    Others = [#{id => valve, start => {valve, start_link, []}},
              #{id => recorder, start => {recorder, start_link, []}}],
    {ok, {#{strategy => one_for_one, intensity => 10, period => 1}, Pumps ++ Others}}.
