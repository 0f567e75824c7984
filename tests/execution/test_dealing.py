"""Who gets how many tasks: everybody something, nobody too much, and none is forgotten."""

import heapq

from hypothesis import given, settings
from hypothesis import strategies as st

from consilience.execution import dealing
from consilience.execution.dealing import AHEAD, Dealer, longest_call


def play(times, threads, speeds):
    """Go through a run: each worker's threads, calls that end when their time is over."""
    dealer, queue, now = Dealer(), list(range(len(times))), 0.0
    under_way, begun, ends = {}, [], []
    free = {who: [0.0] * n for who, n in threads.items()}

    def fill():
        for who, size, limit in dealer.deal(len(queue), threads, now):
            items = [queue.pop(0) for _ in range(size)]
            at = heapq.heappop(free[who])
            seconds, n_done = 0.0, 0
            for item in items:
                seconds += times[item] * speeds[who]
                n_done += 1
                if seconds > limit:
                    break
            end = max(at, now) + seconds
            heapq.heappush(free[who], end)
            call = len(begun)
            begun.append((who, size, n_done, seconds))
            under_way[call] = who, items, n_done, seconds
            heapq.heappush(ends, (end, call))
            count = sum(who == each[0] for each in under_way.values())
            assert count <= AHEAD * threads[who]

    fill()
    done = []
    while ends:
        due = now + max(0.01, dealer.due(now))
        if queue and due < ends[0][0]:
            now = due
        else:
            now, call = heapq.heappop(ends)
            who, items, n_done, seconds = under_way.pop(call)
            done += items[:n_done]
            queue[:0] = items[n_done:]
            dealer.learn(n_done, seconds)
            dealer.end(who)
        fill()
    assert not queue
    return done, now, begun


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(1e-5, 3.0), min_size=1, max_size=200),
    st.lists(st.integers(1, 3), min_size=1, max_size=5),
    st.data(),
)
def test_every_task_is_dealt_once(times, n_threads, data):
    threads = {f"w{i}": n for i, n in enumerate(n_threads)}
    speeds = {who: data.draw(st.sampled_from([1.0, 1.0, 3.0])) for who in threads}
    done, _, _ = play(times, threads, speeds)
    assert sorted(done) == list(range(len(times)))


def test_equal_tasks_end_at_the_same_time_with_few_calls():
    _, seconds, begun = play([0.008] * 150, {"a": 1, "b": 1}, {"a": 1.0, "b": 1.0})
    assert seconds < 1.05 * 0.6
    assert len(begun) < 14


def test_a_slow_worker_holds_up_nothing():
    """It ends its call when its time is over, and others do the rest."""
    _, seconds, begun = play([0.01] * 2000, {"a": 1, "b": 1}, {"a": 1.0, "b": 20.0})
    best = 20.0 / (1 + 1 / 20)
    assert seconds < 1.2 * best
    assert max(took for *_, took in begun) < 2.5 * dealing.CALL_SECONDS * 2


def test_tasks_that_turn_out_long_are_shared():
    """Thousands of short ones, then some that take as long as all these together."""
    times = [0.0005] * 4000 + [0.5] * 10
    _, seconds, _ = play(times, {"a": 1, "b": 1}, {"a": 1.0, "b": 1.0})
    assert seconds < 1.35 * sum(times) / 2


def test_few_long_tasks_go_to_as_many_workers():
    threads = {f"w{i}": 1 for i in range(10)}
    first = list(Dealer().deal(10, threads, 0.0))
    assert sorted(first)[::1] == [(who, 1, dealing.FIRST_SECONDS) for who in sorted(threads)]


def test_not_all_is_started_before_it_is_known_how_long_it_takes():
    dealer, threads = Dealer(), {f"w{i:04d}": 1 for i in range(1000)}
    assert len(list(dealer.deal(100_000, threads, 0.0))) == dealing.FIRST
    assert not list(dealer.deal(99_000, threads, 0.05))
    later = list(dealer.deal(99_000, threads, 0.2))  # they take long, it seems
    assert len(later) == AHEAD * 1000 - dealing.FIRST


def test_calls_do_not_come_faster_than_they_can_be_answered():
    """A thousand threads, whose calls take one process a millisecond and a half each."""
    assert longest_call(0.01, 2) == 50
    assert 0.01 * longest_call(0.01, 1000) == 2 * 1000 * dealing.CALL_COST


def test_who_may_not_be_given_a_call_is_given_none():
    dealer = Dealer()
    assert {who for who, *_ in dealer.deal(50, {"a": 1, "b": 2}, 0.0, able=["b"])} == {"b"}
    assert list(dealer.deal(50, {"a": 1, "b": 0}, 0.0, able=["b"])) == []
