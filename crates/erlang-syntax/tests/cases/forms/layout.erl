%% comments and odd layout
-module( % here
  layout
  ).

f (X)->X.%comment right after
g(A,
  B) when
    A > B
    ->
    [A
    ,B
    |
     [ ] ]
    .
h()->
 case
   1
 of
   X
     when
      X
     -> m:
        f
        (
        X
        )
 end.
