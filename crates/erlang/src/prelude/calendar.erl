%% Dates and times of the Gregorian calendar. Local time is universal time: a run has no place on Earth.
-module(calendar).
-export([date_to_gregorian_days/1, date_to_gregorian_days/3, datetime_to_gregorian_seconds/1, day_of_the_week/1,
         day_of_the_week/3, gregorian_days_to_date/1, gregorian_seconds_to_datetime/1, is_leap_year/1,
         iso_week_number/0, iso_week_number/1, last_day_of_the_month/2, local_time/0,
         local_time_to_universal_time/1, local_time_to_universal_time_dst/1, now_to_datetime/1, now_to_local_time/1,
         now_to_universal_time/1, rfc3339_to_system_time/1, rfc3339_to_system_time/2, seconds_to_daystime/1,
         seconds_to_time/1, system_time_to_local_time/2, system_time_to_universal_time/2, system_time_to_rfc3339/1,
         system_time_to_rfc3339/2, time_difference/2, time_to_seconds/1, universal_time/0,
         universal_time_to_local_time/1, valid_date/1, valid_date/3]).

-define(DAY, 86400).
%% Seconds from the year 0 to 1970.
-define(EPOCH, 62167219200).

date_to_gregorian_days({Year, Month, Day}) -> date_to_gregorian_days(Year, Month, Day).

date_to_gregorian_days(Year, Month, Day) when is_integer(Day), Day > 0 ->
    Last = last_day_of_the_month(Year, Month),
    if
        Day =< Last -> days_before_year(Year) + days_before_month(Year, Month) + Day - 1
    end.

days_before_year(0) -> 0;
days_before_year(Year) ->
    Before = Year - 1,
    Year * 365 + Before div 4 - Before div 100 + Before div 400 + 1.

days_before_month(Year, Month) ->
    element(Month, {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334}) + leap_day(Year, Month).

leap_day(Year, Month) when Month > 2 ->
    case is_leap_year(Year) of
        true -> 1;
        false -> 0
    end;
leap_day(_, _) -> 0.

datetime_to_gregorian_seconds({Date, Time}) -> ?DAY * date_to_gregorian_days(Date) + time_to_seconds(Time).

day_of_the_week({Year, Month, Day}) -> day_of_the_week(Year, Month, Day).
day_of_the_week(Year, Month, Day) -> (date_to_gregorian_days(Year, Month, Day) + 5) rem 7 + 1.

gregorian_days_to_date(Days) when is_integer(Days), Days >= 0 ->
    Year = year_of(Days, Days div 366, Days div 365),
    {Month, Day} = month_of(Year, 12, Days - days_before_year(Year)),
    {Year, Month, Day}.

%% The last year that does not start after the day.
year_of(_, Low, Low) -> Low;
year_of(Days, Low, High) ->
    Middle = (Low + High + 1) div 2,
    case days_before_year(Middle) =< Days of
        true -> year_of(Days, Middle, High);
        false -> year_of(Days, Low, Middle - 1)
    end.

month_of(Year, Month, Days) ->
    case days_before_month(Year, Month) of
        Before when Before =< Days -> {Month, Days - Before + 1};
        _ -> month_of(Year, Month - 1, Days)
    end.

gregorian_seconds_to_datetime(Seconds) when Seconds >= 0 ->
    {gregorian_days_to_date(Seconds div ?DAY), seconds_to_time(Seconds rem ?DAY)}.

is_leap_year(Year) when Year rem 4 =:= 0, Year rem 100 > 0 -> true;
is_leap_year(Year) when Year rem 400 =:= 0 -> true;
is_leap_year(Year) when is_integer(Year), Year >= 0 -> false.

iso_week_number() ->
    {Date, _} = local_time(),
    iso_week_number(Date).

%% A week belongs to the year of its Thursday.
iso_week_number({Year, _, _} = Date) ->
    Thursday = date_to_gregorian_days(Date) + 4 - day_of_the_week(Date),
    Of = if
        Thursday < 0 -> Year - 1;
        true -> element(1, gregorian_days_to_date(Thursday))
    end,
    {Of, (Thursday - days_before_year(Of)) div 7 + 1}.

last_day_of_the_month(Year, Month) when is_integer(Year), Year >= 0 -> last_day(Month, Year).
last_day(2, Year) ->
    case is_leap_year(Year) of
        true -> 29;
        false -> 28
    end;
last_day(Month, _) when Month =:= 4; Month =:= 6; Month =:= 9; Month =:= 11 -> 30;
last_day(Month, _) when is_integer(Month), Month > 0, Month < 13 -> 31.

universal_time() -> system_time_to_universal_time(erlang:system_time(second), second).
local_time() -> universal_time().
local_time_to_universal_time(DateTime) -> checked(DateTime).
local_time_to_universal_time_dst(DateTime) -> [checked(DateTime)].
universal_time_to_local_time(DateTime) -> checked(DateTime).

checked({Date, _} = DateTime) ->
    case valid_date(Date) of
        true -> DateTime;
        false -> error(badarg)
    end.

now_to_datetime({Mega, Seconds, _}) -> gregorian_seconds_to_datetime(?EPOCH + Mega * 1000000 + Seconds).
now_to_universal_time(Now) -> now_to_datetime(Now).
now_to_local_time(Now) -> now_to_datetime(Now).

seconds_to_daystime(Seconds) ->
    Days = floor_div(Seconds, ?DAY),
    {Days, seconds_to_time(Seconds - Days * ?DAY)}.

floor_div(N, By) when N >= 0 -> N div By;
floor_div(N, By) -> -((By - 1 - N) div By).

seconds_to_time(Seconds) when is_integer(Seconds), Seconds >= 0, Seconds < ?DAY ->
    {Seconds div 3600, Seconds rem 3600 div 60, Seconds rem 60}.

time_to_seconds({Hour, Minute, Second}) when is_integer(Hour), is_integer(Minute), is_integer(Second) ->
    Hour * 3600 + Minute * 60 + Second.

time_difference({{_, _, _}, {_, _, _}} = From, {{_, _, _}, {_, _, _}} = To) ->
    seconds_to_daystime(datetime_to_gregorian_seconds(To) - datetime_to_gregorian_seconds(From)).

system_time_to_universal_time(Time, Unit) ->
    gregorian_seconds_to_datetime(?EPOCH + erlang:convert_time_unit(Time, Unit, second)).
system_time_to_local_time(Time, Unit) -> system_time_to_universal_time(Time, Unit).

valid_date({Year, Month, Day}) -> valid_date(Year, Month, Day).
valid_date(Year, Month, Day)
  when is_integer(Year), is_integer(Month), is_integer(Day), Year >= 0, Month > 0, Month < 13, Day > 0 ->
    Day =< last_day_of_the_month(Year, Month);
valid_date(Year, Month, Day) when is_integer(Year), is_integer(Month), is_integer(Day) -> false.

system_time_to_rfc3339(Time) -> system_time_to_rfc3339(Time, []).
system_time_to_rfc3339(Time, Options) ->
    Unit = option(unit, Options, second),
    Offset = option(offset, Options, ""),
    Separator = option(time_designator, Options, $T),
    Parts = erlang:convert_time_unit(1, second, Unit),
    Adjusted = Time + offset(Offset) * Parts,
    Seconds = floor_div(Adjusted, Parts),
    {{Year, Month, Day}, {Hour, Minute, Second}} = gregorian_seconds_to_datetime(?EPOCH + Seconds),
    Date = [digits(4, Year), $-, digits(2, Month), $-, digits(2, Day)],
    Clock = [digits(2, Hour), $:, digits(2, Minute), $:, digits(2, Second)],
    Rest = fraction(Unit, Adjusted - Seconds * Parts),
    lists:flatten([Date, Separator, Clock, Rest, shown_offset(Offset)]).

option(Key, Options, Default) ->
    case lists:keyfind(Key, 1, Options) of
        {Key, Value} -> Value;
        false -> Default
    end.

digits(N, Value) ->
    Text = integer_to_list(Value),
    lists:duplicate(max(0, N - length(Text)), $0) ++ Text.

fraction(second, _) -> "";
fraction(millisecond, Rest) -> [$. | digits(3, Rest)];
fraction(microsecond, Rest) -> [$. | digits(6, Rest)];
fraction(nanosecond, Rest) -> [$. | digits(9, Rest)];
fraction(native, Rest) -> [$. | digits(9, Rest)].

offset("Z") -> 0;
offset("z") -> 0;
offset("") -> 0;
offset([Sign, H1, H2, $:, M1, M2]) ->
    Seconds = list_to_integer([H1, H2]) * 3600 + list_to_integer([M1, M2]) * 60,
    case Sign of
        $- -> -Seconds;
        $+ -> Seconds
    end;
offset(Time) when is_integer(Time) -> Time div 1000000000.

shown_offset("") -> "+00:00";
shown_offset(Time) when is_integer(Time) ->
    Minutes = abs(Time) div 60000000000,
    Sign = if Time < 0 -> $-; true -> $+ end,
    [Sign, digits(2, Minutes div 60), $:, digits(2, Minutes rem 60)];
shown_offset(Offset) -> Offset.

rfc3339_to_system_time(Text) -> rfc3339_to_system_time(Text, []).
rfc3339_to_system_time(Text, Options) ->
    Unit = option(unit, Options, second),
    {DateText, [_ | Rest]} = lists:split(10, Text),
    [Y1, Y2, Y3, Y4, $-, Mo1, Mo2, $-, D1, D2] = DateText,
    [H1, H2, $:, Mi1, Mi2, $:, S1, S2 | Tail] = Rest,
    {Fraction, Offset} = fraction_of(Tail),
    Date = {list_to_integer([Y1, Y2, Y3, Y4]), list_to_integer([Mo1, Mo2]), list_to_integer([D1, D2])},
    Time = {list_to_integer([H1, H2]), list_to_integer([Mi1, Mi2]), list_to_integer([S1, S2])},
    Seconds = datetime_to_gregorian_seconds({Date, Time}) - ?EPOCH - offset(Offset),
    Parts = erlang:convert_time_unit(1, second, Unit),
    Scale = pow10(length(Fraction)),
    Part = case Fraction of
        "" -> 0;
        _ -> list_to_integer(Fraction)
    end,
    Seconds * Parts + round(Part * Parts / Scale).

pow10(0) -> 1;
pow10(N) -> 10 * pow10(N - 1).

fraction_of([$. | Rest]) -> lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, Rest);
fraction_of(Rest) -> {"", Rest}.
