/// Recorded by foresee: invariant one holder in locks clients=2; must not come back.
#[test]
fn fixed_bug() {
    foresee::recorded(
        Locks { careful: true, ..Locks::new(2) },
        r#"
foresee trace 1
system: locks clients=2
option: strategy = bfs
seed: 0
violation: invariant one holder

1  timer client1 WantLock
     client1: asked false -> true
     client1 sends Ask to clerk
2  timer client2 WantLock
     client2: asked false -> true
     client2 sends Ask to clerk
3  deliver client1 -> clerk Ask
     clerk: granted[0] + client1
     clerk sends Grant to client1
4  deliver client2 -> clerk Ask
     clerk: granted[1] + client2
     clerk sends Grant to client2
5  deliver clerk -> client1 Grant
     client1: asked true -> false
     client1: holds false -> true
6  deliver clerk -> client2 Grant
     client2: asked true -> false
     client2: holds false -> true
end
"#,
    )
    .assert_fixed();
}
