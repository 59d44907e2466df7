//! The claims of the texts that describe the system, one by one.
//!
//! S1: bitboards and the unique key. S2: anticipating direct losing moves.
//! S3: two bitboards and a move counter. S4: the "7-shape" trap found by its
//! threats. S5: board representations compared, the row-major layout.

use super::notation::{Notation, diagram, rows};
use super::{Geometry, Player, Position, Size, Word, threats};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap, HashSet};

const BOARD: Geometry<u128> = u128::STANDARD;
const STANDARD: Size = Size::STANDARD;

fn after(moves: &str) -> Position {
    Position::from_moves(moves).unwrap()
}

fn has_four(stones: u128) -> bool {
    threats::has_four(&BOARD, stones)
}

/// A position of a game of random moves, ended games included.
fn any_position(size: Size) -> impl Strategy<Value = Position> {
    prop::collection::vec(0..size.width(), 0..=size.cells() as usize).prop_map(move |columns| {
        columns.into_iter().fold(Position::empty(size), |position, column| {
            position.try_play(column).unwrap_or(position)
        })
    })
}

/// Calls `visit` with every position of every ply up to `depth`, each once.
fn visit_positions(size: Size, depth: u32, mut visit: impl FnMut(Position)) {
    let mut level = BTreeSet::from([Position::empty(size)]);
    for _ in 0..=depth {
        level.iter().copied().for_each(&mut visit);
        level = level.into_iter().flat_map(Position::children).flatten().collect();
    }
}

/// Every line of four as a set of cells, cell by cell and without bit tricks;
/// the cells are (column, row) from 0.
fn lines(width: i32, height: i32) -> Vec<[(usize, usize); 4]> {
    let mut lines = Vec::new();
    for (column, row) in (0..width).flat_map(|column| (0..height).map(move |row| (column, row))) {
        for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let last_column = column + 3 * right;
            let last_row = row + 3 * up;
            if last_column < width && (0..height).contains(&last_row) {
                let cell = |i| ((column + i * right) as usize, (row + i * up) as usize);
                lines.push([cell(0), cell(1), cell(2), cell(3)]);
            }
        }
    }
    lines
}

/// The position after these moves with columns from 0, as S4 writes them.
fn after_columns(columns: &[usize]) -> Position {
    columns.iter().fold(Position::default(), |position, &column| position.play(column))
}

/// The cells of a bitboard as (column, row), both from 0.
fn cells(bits: u128) -> Vec<(usize, usize)> {
    (0..128).filter(|bit| bits >> bit & 1 != 0).map(|bit| (bit / 7, bit % 7)).collect()
}

// S1: bitboards and the unique key

#[test]
fn s1_a_column_has_seven_bits_the_top_one_an_empty_guard() {
    assert_eq!(BOARD.column_bits, 7);
    assert_eq!(BOARD.cell(2, 3), 1 << (7 * 2 + 3));
    assert_eq!(BOARD.guard, (0..7).map(|column| 1_u128 << (7 * column + 6)).sum::<u128>());
    assert_eq!(BOARD.board & BOARD.guard, 0);
    let full_column = after("444444");
    assert_eq!(full_column.mask(), BOARD.column(3));
    assert_eq!(full_column.mask() & BOARD.guard, 0);
}

#[test]
fn s1_one_bitboard_holds_the_side_to_move_and_mask_all_stones() {
    let position = after("445");
    assert_eq!(cells(position.mask()), [(3, 0), (3, 1), (4, 0)]);
    assert_eq!(cells(position.mover()), [(3, 1)], "the second player is to move");
    assert_eq!(cells(position.0.opponent()), [(3, 0), (4, 0)]);
}

proptest! {
    #[test]
    fn s1_the_key_is_position_plus_mask_plus_bottom(position in any_position(STANDARD)) {
        let bottom: u128 = (0..7).map(|column| 1 << (7 * column)).sum();
        prop_assert_eq!(BOARD.bottom, bottom);
        prop_assert_eq!(position.key(), position.mover() + position.mask() + bottom);
    }

    #[test]
    fn s1_a_move_adds_the_bottom_mask_of_its_column(
        position in any_position(STANDARD), column in 0_usize..7,
    ) {
        let top_cell = BOARD.cell(column, 5);
        let is_free = position.mask() & top_cell == 0;
        prop_assert_eq!(position.can_play(column), is_free && !position.is_won());
        if position.can_play(column) {
            let next = position.play(column);
            prop_assert_eq!(
                next.mask(),
                position.mask() | (position.mask() + BOARD.cell(column, 0))
            );
            prop_assert_eq!(next.mover(), position.0.opponent(), "the sides change");
        }
    }

    #[test]
    fn s1_alignment_in_four_directions_agrees_with_a_look_at_every_line(
        stones in (any::<u128>(), any::<u128>()),
    ) {
        let stones = (stones.0 | stones.1) & BOARD.board;
        let four = lines(7, 6).iter().any(|line| {
            line.iter().all(|&(column, row)| stones & BOARD.cell(column, row) != 0)
        });
        prop_assert_eq!(has_four(stones), four);
    }

    #[test]
    fn s1_different_positions_have_different_keys(
        positions in prop::collection::vec(any_position(STANDARD), 2..200),
    ) {
        let mut by_key = HashMap::new();
        for position in positions {
            let other = *by_key.entry(position.key()).or_insert(position);
            prop_assert_eq!(other, position);
            prop_assert_eq!(Position::from_key(STANDARD, position.key()), Ok(position));
        }
    }
}

#[test]
fn s1_a_line_is_found_by_shifts_of_1_h_h_plus_1_and_h_plus_2() {
    for line in lines(7, 6) {
        let bits = line.map(|(column, row)| BOARD.cell(column, row));
        let step = bits.iter().max().unwrap() / bits.iter().min().unwrap();
        assert!([1, 6, 7, 8].contains(&(step.ilog2() / 3)), "{line:?}");
        assert!(has_four(bits.iter().sum()), "{line:?}");
        assert!(!has_four(bits[..3].iter().sum()), "{line:?}");
    }
    assert_eq!(lines(7, 6).len(), 69);
}

#[test]
fn s1_no_line_runs_over_the_guard_into_the_next_column() {
    let around_the_top = BOARD.cell(0, 4) | BOARD.cell(0, 5) | BOARD.cell(1, 0);
    assert!(!has_four(around_the_top | BOARD.cell(1, 1)));
}

#[test]
fn s1_no_two_positions_to_ply_6_share_a_key() {
    let mut keys = HashSet::new();
    let mut by_ply = [0; 7];
    visit_positions(STANDARD, 6, |position| {
        assert!(keys.insert(position.key()), "{position:?}");
        by_ply[position.ply() as usize] += 1;
    });
    assert_eq!(by_ply, [1, 7, 49, 238, 1120, 4263, 16422]);
}

#[test]
fn s1_on_4x4_no_two_positions_at_all_share_a_key() {
    let mut keys = HashSet::new();
    visit_positions(Size::new(4, 4).unwrap(), 16, |position| assert!(keys.insert(position.key())));
    assert_eq!(keys.len(), 161_029);
}

// S2: anticipating direct losing moves

proptest! {
    #[test]
    fn s2_the_winning_cells_are_the_open_threes_in_every_direction(
        position in any_position(STANDARD),
    ) {
        for player in Player::BOTH {
            let stones = position.stones(player);
            let mut open = 0;
            for line in lines(7, 6) {
                let line: u128 = line.iter().map(|&(column, row)| BOARD.cell(column, row)).sum();
                let missing = line & !stones;
                if missing.is_power_of_two() && missing & position.mask() == 0 {
                    open |= missing;
                }
            }
            prop_assert_eq!(position.threats(player), open);
        }
    }

    #[test]
    fn s2_the_possible_moves_are_the_lowest_empty_cells(position in any_position(STANDARD)) {
        let moves: u128 = (0..7)
            .filter(|&column| position.height(column) < 6)
            .map(|column| BOARD.cell(column, position.height(column)))
            .sum();
        prop_assert_eq!(position.0.possible_moves(), moves);
    }

    /// The bit tricks against their meaning: the opponent can win with the next stone after every
    /// move but the non-losing ones.
    #[test]
    fn s2_non_losing_moves_are_those_the_opponent_cannot_answer_with_four(
        position in any_position(STANDARD),
    ) {
        prop_assume!(!position.is_over() && !position.can_win_at_once());
        let safe: u128 = position
            .legal_columns()
            .filter(|&column| !position.play(column).can_win_at_once())
            .map(|column| BOARD.cell(column, position.height(column)))
            .sum();
        prop_assert_eq!(position.0.non_losing_moves(), safe);
    }
}

#[test]
fn s2_an_open_three_in_a_row_is_completed_at_both_ends_and_in_a_gap() {
    assert_eq!(cells(after("334455").threats(Player::X)), [(1, 0), (5, 0)]);
    assert_eq!(cells(after("223366").threats(Player::X)), []);
    assert_eq!(cells(after("22335566").threats(Player::X)), [(3, 0)]);
    assert_eq!(cells(after("121212").threats(Player::X)), [(0, 3)]);
}

#[test]
fn s2_a_forced_reply_is_played() {
    let position = after("12121");
    assert_eq!(cells(position.0.opponent_winning_cells()), [(0, 3)]);
    assert_eq!(cells(position.0.non_losing_moves()), [(0, 3)]);
}

#[test]
fn s2_no_stone_goes_under_a_winning_cell_of_the_opponent() {
    // X completes four in the second row of column 4, whose first row is free.
    let text = "......./......./......./......./XXX..../OXO...O";
    let position = Notation::Diagram.parse(STANDARD, text).unwrap();
    assert_eq!(cells(position.0.opponent_winning_cells()), [(3, 1)]);
    assert_eq!(position.0.non_losing_moves(), position.0.possible_moves() & !BOARD.cell(3, 0));
}

#[test]
fn s2_two_forced_replies_are_a_loss() {
    let position = after("33445");
    assert_eq!(cells(position.0.opponent_winning_cells()), [(1, 0), (5, 0)]);
    assert_eq!(position.0.non_losing_moves(), 0);
}

// S3: two bitboards and a move counter

#[test]
fn s3_two_moves_in_column_1_are_the_pair_1_2_and_counter_2() {
    assert_eq!(Notation::Bitboards.print(after("11")).as_deref(), Ok("[1, 2, 2]"));
    assert_eq!(Notation::Bitboards.parse(STANDARD, "[1, 2, 2]"), Ok(after("11")));
}

#[test]
fn s3_two_moves_in_column_2_are_the_pair_128_256_and_counter_2() {
    assert_eq!(Notation::Bitboards.print(after("22")).as_deref(), Ok("[128, 256, 2]"));
    assert_eq!(Notation::Bitboards.parse(STANDARD, "[128, 256, 2]"), Ok(after("22")));
}

#[test]
fn s3_the_pair_is_by_player_and_not_by_side_to_move() {
    assert_eq!(Notation::Bitboards.print(after("1")).as_deref(), Ok("[1, 0, 1]"));
    assert_eq!(Notation::Bitboards.print(after("112")).as_deref(), Ok("[129, 2, 3]"));
}

#[test]
fn s3_columns_are_numbered_from_1() {
    assert_eq!(after("1").mask(), 1);
    assert_eq!(after("7").mask(), 1 << 42);
    assert!(Position::from_moves("0").is_err() && Position::from_moves("8").is_err());
}

#[test]
fn s3_the_columns_begin_at_bits_0_7_14_21_28_35_42() {
    let heights: [u32; 7] = std::array::from_fn(|column| BOARD.cell(column, 0).trailing_zeros());
    assert_eq!(heights, [0, 7, 14, 21, 28, 35, 42]);
    // The next stone of an empty column goes exactly there.
    let moves = cells(Position::default().0.possible_moves());
    assert_eq!(moves, (0..7).map(|column| (column, 0)).collect::<Vec<_>>());
}

#[test]
fn s3_the_board_9552816915338_is_won_by_four_in_the_second_row() {
    let stones = 9_552_816_915_338;
    assert_eq!(stones & !BOARD.board, 0);
    assert!(has_four(stones));
    let start = threats::lines_of_four(stones, 7);
    let (column, row) = cells(start)[0];
    assert_eq!((start.count_ones(), row), (1, 1));
    let four: u128 = (column..column + 4).map(|column| BOARD.cell(column, 1)).sum();
    assert_eq!(stones & four, four);
    assert!(!has_four(stones & !BOARD.cell(column, 1)));
}

// S4: the trap is found by its threats

const S4_COLUMNS: [usize; 12] = [3, 3, 3, 3, 3, 0, 1, 1, 0, 4, 0, 4];

#[test]
fn s4_the_example_leaves_o_with_two_stacked_threats_in_the_third_column() {
    let position = after_columns(&S4_COLUMNS);
    assert_eq!(position, after("444441221515"));
    let of_o = position.threats(Player::O);
    let stacked = threats::stacked(of_o);
    assert_eq!(stacked.count_ones(), 1);
    assert_eq!(cells(stacked), [(2, 1)], "the third column, the second row and the third");
    for row in [1, 2] {
        assert_ne!(of_o & BOARD.cell(2, row), 0);
        assert_eq!(position.mask() & BOARD.cell(2, row), 0, "both cells are still empty");
    }
    assert_eq!(threats::stacked(position.threats(Player::X)), 0);
}

#[test]
fn s4_the_board_shows_stones_as_capitals_and_threats_as_small_letters() {
    let drawn = diagram::draw(after_columns(&S4_COLUMNS));
    assert_eq!(
        drawn,
        "\
. . . . . . .
. . . X . . .
. . . O . . .
X . o X . . .
X O o O O . .
O X . X O . .
1 2 3 4 5 6 7
"
    );
    assert_eq!(Notation::Diagram.parse(STANDARD, &drawn), Ok(after_columns(&S4_COLUMNS)));
}

proptest! {
    #[test]
    fn s4_a_threat_is_an_empty_cell_that_completes_four(position in any_position(STANDARD)) {
        for player in Player::BOTH {
            let stones = position.stones(player);
            let already = has_four(stones);
            for (column, row) in (0..7).flat_map(|column| (0..6).map(move |row| (column, row))) {
                let cell = BOARD.cell(column, row);
                let is_threat = position.threats(player) & cell != 0;
                if position.mask() & cell != 0 {
                    prop_assert!(!is_threat, "only empty cells are threats");
                } else if !already {
                    prop_assert_eq!(is_threat, has_four(stones | cell));
                }
            }
        }
    }

    #[test]
    fn s4_stacked_threats_are_any_two_directly_above_each_other(
        position in any_position(STANDARD),
    ) {
        for player in Player::BOTH {
            let all = position.threats(player);
            let pairs: Vec<_> = cells(all)
                .into_iter()
                .filter(|&(column, row)| row < 5 && all & BOARD.cell(column, row + 1) != 0)
                .collect();
            prop_assert_eq!(cells(threats::stacked(all)), pairs);
        }
    }
}

#[test]
fn s4_the_trap_wins_whoever_starts_its_column() {
    let position = after_columns(&S4_COLUMNS);
    // X starts the column: O wins at once.
    assert_eq!(position.play(2).play(2).winner(), Some(Player::O));
    // O starts it: X must take the lower cell, and O wins with the upper one.
    let blocked = position.play(6).play(2).play(2);
    assert_eq!(blocked.play(2).winner(), Some(Player::O));
    // With one of its cells taken it is no trap any more.
    assert_eq!(threats::stacked(blocked.threats(Player::O)), 0);
}

// S5: board representations compared

#[test]
fn s5_the_row_major_cell_is_bit_8_times_row_plus_column() {
    for (column, row) in (0..7).flat_map(|column| (0..6).map(move |row| (column, row))) {
        let ours = BOARD.cell(column, row);
        let theirs = [1 << (8 * row + column), 0, 0, 0];
        assert_eq!(rows::to_row_major(STANDARD, ours), theirs);
        assert_eq!(rows::from_row_major(STANDARD, theirs), Some(ours));
    }
}

#[test]
fn s5_the_sentinel_column_and_row_are_empty() {
    let [full, above @ ..] = rows::to_row_major(STANDARD, BOARD.board);
    assert_eq!((full, above), (0x7f7f_7f7f_7f7f, [0; 3]));
    for bit in (0..64).filter(|bit| full >> bit & 1 == 0) {
        assert_eq!(rows::from_row_major(STANDARD, [1 << bit, 0, 0, 0]), None, "bit {bit}");
        assert!(Notation::Rows.parse(STANDARD, &format!("rows:{:#x}:0", 1_u64 << bit)).is_err());
    }
}

#[test]
fn s5_the_pair_is_read_and_written_for_exchange() {
    assert_eq!(Notation::Rows.print(after("4453")).as_deref(), Ok("rows:0x18:0x804"));
    assert_eq!(Notation::Rows.parse(STANDARD, "rows:0x18:0x804"), Ok(after("4453")));
}

/// A line in the row-major layout is found by its own shifts (1, 8, 7 and 9)
/// for the same reason: the sentinels keep it from running over an edge.
#[test]
fn s5_shifts_on_the_row_major_layout_find_the_same_lines() {
    let has_four_in_theirs = |stones: u64| {
        [1, 8, 7, 9].into_iter().any(|step| {
            let pairs = stones & (stones >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    };
    let mut seen = 0;
    visit_positions(STANDARD, 8, |position| {
        for player in Player::BOTH {
            let stones = position.stones(player);
            let [theirs, ..] = rows::to_row_major(STANDARD, stones);
            assert_eq!(has_four_in_theirs(theirs), has_four(stones));
        }
        seen += usize::from(position.is_won());
    });
    assert!(seen > 0);
}

#[test]
fn s5_every_board_fits_the_row_major_layout() {
    for size in Size::all() {
        let board = u128::geometry(size).board;
        let theirs = rows::to_row_major(size, board);
        assert_eq!(theirs.map(u64::count_ones).iter().sum::<u32>(), size.cells());
        assert_eq!(rows::from_row_major(size, theirs), Some(board));
    }
}
