//! The sorting algorithm of PHP's functions: insertion sort for up to 16 elements, else partitioning around a pivot.
//!
//! The result of a sort with a consistent order is the same whatever the algorithm. This one is PHP's because programs see which
//! pairs their callbacks are asked for, and because the order of values that have none (strings among numbers, callbacks
//! that return booleans) depends on it. The sequence of comparisons is tested against one observed from stock PHP.
//!
//! `compare(a, b) > 0` says that `a` belongs behind `b`; equality never comes up when it falls back to the original places.

/// Sorts by `greater(a, b)`: `a` belongs behind `b`.
pub fn sort<T>(items: &mut [T], greater: &mut dyn FnMut(&T, &T) -> bool) {
    let mut items = items;
    while items.len() > 16 {
        let middle = partition(items, greater);
        let (left, right) = items.split_at_mut(middle);
        let right = &mut right[1..];
        // The smaller side first, the other one without recursion.
        if left.len() < right.len() {
            sort(left, greater);
            items = right;
        } else {
            sort(right, greater);
            items = left;
        }
    }
    insertion(items, greater);
}

/// Puts a pivot in its place, smaller elements before and greater ones behind it.
fn partition<T>(items: &mut [T], greater: &mut dyn FnMut(&T, &T) -> bool) -> usize {
    let len = items.len();
    let half = len / 2;
    if len >= 1024 {
        let quarter = half / 2;
        network5(items, [0, quarter, half, half + quarter, len - 1], greater);
    } else {
        network3(items, [0, half, len - 1], greater);
    }
    items.swap(1, half);
    let pivot = 1;
    let (mut i, mut j) = (2, len - 1);
    'meet: loop {
        while greater(&items[pivot], &items[i]) {
            i += 1;
            if i == j {
                break 'meet;
            }
        }
        j -= 1;
        if i == j {
            break;
        }
        while greater(&items[j], &items[pivot]) {
            j -= 1;
            if i == j {
                break 'meet;
            }
        }
        items.swap(i, j);
        i += 1;
        if i == j {
            break;
        }
    }
    items.swap(pivot, i - 1);
    i - 1
}

fn order2<T>(items: &mut [T], a: usize, b: usize, greater: &mut dyn FnMut(&T, &T) -> bool) {
    if greater(&items[a], &items[b]) {
        items.swap(a, b);
    }
}

fn network3<T>(items: &mut [T], [a, b, c]: [usize; 3], greater: &mut dyn FnMut(&T, &T) -> bool) {
    if !greater(&items[a], &items[b]) {
        if greater(&items[b], &items[c]) {
            items.swap(b, c);
            order2(items, a, b, greater);
        }
        return;
    }
    if !greater(&items[c], &items[b]) {
        items.swap(a, c);
        return;
    }
    items.swap(a, b);
    order2(items, b, c, greater);
}

/// Lets the last of the places sink to where it belongs; those before it are in order.
fn sink<T>(items: &mut [T], places: &[usize], greater: &mut dyn FnMut(&T, &T) -> bool) {
    for pair in places.windows(2).rev() {
        if !greater(&items[pair[0]], &items[pair[1]]) {
            return;
        }
        items.swap(pair[0], pair[1]);
    }
}

fn network4<T>(items: &mut [T], places: [usize; 4], greater: &mut dyn FnMut(&T, &T) -> bool) {
    network3(items, [places[0], places[1], places[2]], greater);
    sink(items, &places, greater);
}

fn network5<T>(items: &mut [T], places: [usize; 5], greater: &mut dyn FnMut(&T, &T) -> bool) {
    network4(items, [places[0], places[1], places[2], places[3]], greater);
    sink(items, &places, greater);
}

/// Up to 16 elements.
fn insertion<T>(items: &mut [T], greater: &mut dyn FnMut(&T, &T) -> bool) {
    match items.len() {
        0 | 1 => {}
        2 => order2(items, 0, 1, greater),
        3 => network3(items, [0, 1, 2], greater),
        4 => network4(items, [0, 1, 2, 3], greater),
        5 => network5(items, [0, 1, 2, 3, 4], greater),
        len => {
            for new in 1..len {
                if greater(&items[new - 1], &items[new]) {
                    let place = if new < 6 { place_linear(items, new, greater) } else { place_by_twos(items, new, greater) };
                    items[place..=new].rotate_right(1);
                }
            }
        }
    }
}

/// Where `items[new]`, which is smaller than its neighbour, belongs among those before it.
fn place_linear<T>(items: &[T], new: usize, greater: &mut dyn FnMut(&T, &T) -> bool) -> usize {
    let mut at = new - 1;
    while at > 0 {
        at -= 1;
        if !greater(&items[at], &items[new]) {
            return at + 1;
        }
    }
    0
}

/// As [`place_linear`], looking at every second element first.
fn place_by_twos<T>(items: &[T], new: usize, greater: &mut dyn FnMut(&T, &T) -> bool) -> usize {
    let mut at = new - 1;
    loop {
        at -= 2;
        if !greater(&items[at], &items[new]) {
            at += 1;
            return if greater(&items[at], &items[new]) { at } else { at + 1 };
        }
        match at {
            0 => return 0,
            1 => return if greater(&items[new], &items[0]) { 1 } else { 0 },
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs that are compared, as "a:b a:b".
    fn pairs(items: &[u32]) -> String {
        let mut items = items.to_vec();
        let mut log = Vec::new();
        sort(&mut items, &mut |a, b| {
            log.push(format!("{a}:{b}"));
            a > b
        });
        assert!(items.is_sorted());
        log.join(" ")
    }

    #[test]
    fn compares_the_pairs_that_stock_php_compares() {
        for (items, expected) in SEQUENCES {
            assert_eq!(pairs(items), *expected, "{items:?}");
        }
    }

    #[test]
    fn sorts_many() {
        for len in [17u32, 100, 1023, 1024, 5000] {
            let mut items: Vec<u32> = (0..len).map(|n| n.wrapping_mul(2_654_435_761) % 1000).collect();
            sort(&mut items, &mut |a, b| a > b);
            assert!(items.is_sorted());
        }
    }

    /// Observed: `usort` with a callback that writes down its arguments.
    const SEQUENCES: &[(&[u32], &str)] = &[
        (&[0, 2, 1],
         "0:2 2:1 0:1"),
        (&[4, 2, 3, 0, 1],
         "4:2 3:2 4:3 4:0 3:0 2:0 4:1 3:1 2:1 0:1"),
        (&[6, 5, 4, 3, 2, 1, 0],
         "6:5 6:4 5:4 6:3 5:3 4:3 6:2 5:2 4:2 3:2 6:1 5:1 4:1 3:1 2:1 6:0 4:0 2:0 0:1"),
        (&[8, 0, 5, 3, 6, 4, 1, 2, 7],
         "8:0 8:5 0:5 8:3 5:3 0:3 8:6 5:6 8:4 6:4 5:4 3:4 8:1 5:1 3:1 1:0 8:2 5:2 3:2 0:2 1:2 8:7 5:7 6:7"),
        (&[16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
         "16:8 0:8 8:14 1:8 8:13 2:8 8:12 3:8 8:11 4:8 8:10 5:8 8:9 6:8 8:15 7:8 15:9 15:10 9:10 15:11 10:11 \
          15:12 11:12 15:13 12:13 15:14 12:14 13:14 15:16 0:7 7:1 0:1 7:2 1:2 7:3 2:3 7:4 3:4 7:5 3:5 4:5 7:6 \
          4:6 5:6"),
        (&[3, 4, 7, 9, 11, 13, 8, 2, 6, 14, 12, 1, 10, 16, 0, 5, 15],
         "3:6 6:15 6:7 5:6 6:9 0:6 6:11 16:6 10:6 1:6 6:13 12:6 14:6 4:6 6:8 2:6 3:2 3:5 5:0 3:0 2:0 5:1 3:1 \
          2:1 0:1 5:4 3:4 8:13 13:14 14:12 13:12 8:12 14:11 13:11 12:11 8:11 14:10 13:10 12:10 11:10 8:10 \
          14:16 16:9 13:9 11:9 8:9 10:9 16:7 13:7 11:7 9:7 7:8 16:15 13:15 14:15"),
        (&[32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
         "32:16 0:16 16:30 1:16 16:29 2:16 16:28 3:16 16:27 4:16 16:26 5:16 16:25 6:16 16:24 7:16 16:23 8:16 \
          16:22 9:16 16:21 10:16 16:20 11:16 16:19 12:16 16:18 13:16 16:17 14:16 16:31 15:16 31:17 31:18 17:18 \
          31:19 18:19 31:20 19:20 31:21 20:21 31:22 20:22 21:22 31:23 21:23 22:23 31:24 22:24 23:24 31:25 \
          23:25 24:25 31:26 24:26 25:26 31:27 25:27 26:27 31:28 26:28 27:28 31:29 27:29 28:29 31:30 28:30 \
          29:30 31:32 0:15 15:1 0:1 15:2 1:2 15:3 2:3 15:4 3:4 15:5 3:5 4:5 15:6 4:6 5:6 15:7 5:7 6:7 15:8 6:8 \
          7:8 15:9 7:9 8:9 15:10 8:10 9:10 15:11 9:11 10:11 15:12 10:12 11:12 15:13 11:13 12:13 15:14 12:14 \
          13:14"),
        (&[32, 2, 14, 20, 19, 31, 21, 15, 16, 7, 8, 11, 23, 18, 12, 13, 24, 0, 17, 5, 10, 22, 28, 26, 4, 30, 27, 29, 6, 1, 3, 25, 9],
         "32:24 9:24 24:14 24:20 24:19 24:31 25:24 3:24 24:21 24:15 24:16 24:7 24:8 24:11 24:23 24:18 24:12 \
          24:13 24:2 24:0 24:17 24:5 24:10 24:22 24:28 1:24 24:26 6:24 24:4 24:30 29:24 27:24 30:27 30:29 \
          27:29 30:26 29:26 27:26 30:28 29:28 27:28 30:31 31:25 29:25 27:25 25:26 31:32 9:23 23:6 9:6 9:14 1:9 \
          9:20 22:9 10:9 5:9 9:19 17:9 0:9 9:3 9:21 2:9 9:15 13:9 12:9 18:9 4:9 9:16 11:9 8:9 9:7 6:7 7:1 6:1 \
          7:5 6:5 1:5 7:0 6:0 5:0 1:0 7:3 6:3 5:3 1:3 7:2 5:2 1:2 3:2 7:4 5:4 2:4 3:4 7:8 16:11 16:15 11:15 \
          16:18 18:12 16:12 15:12 11:12 18:13 16:13 15:13 12:13 18:21 21:19 16:19 18:19 21:17 18:17 15:17 \
          16:17 21:20 18:20 19:20 21:10 19:10 17:10 15:10 12:10 10:11 21:22 22:14 20:14 18:14 16:14 13:14 \
          15:14 22:23"),
    ];
}
