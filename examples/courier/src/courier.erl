%% A courier with a name, who takes parcels and can be told to go home.
-module(courier).
-behaviour(gen_server).
-export([start_link/0, take/1, parcels/0, stop/0]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, courier}, ?MODULE, [], []).

take(Parcel) -> gen_server:cast(courier, {take, Parcel}).

parcels() -> gen_server:call(courier, parcels).

stop() -> gen_server:call(courier, stop).

init([]) -> {ok, []}.

handle_call(parcels, _From, Parcels) -> {reply, lists:reverse(Parcels), Parcels};
handle_call(stop, _From, Parcels) -> {stop, normal, ok, Parcels}.

handle_cast({take, Parcel}, Parcels) -> {noreply, [Parcel | Parcels]}.
