use super::*;
use fourbook_solver::board::Size;
use fourbook_solver::splitmix::SplitMix;
use std::collections::BTreeSet;

/// Stones by column from the bottom: a board without any bitboard.
type Stones = Vec<Vec<Player>>;

fn stones_of(position: Position) -> Stones {
    let size = position.size();
    let owner = |column, row| {
        let cell = u128::geometry(size).cell(column, row);
        Player::BOTH.into_iter().find(|&player| position.stones(player) & cell != 0)
    };
    (0..size.width())
        .map(|column| (0..size.height()).map_while(|row| owner(column, row)).collect())
        .collect()
}

/// Whether a stone of `player` in a cell is part of four in a line.
fn completes(stones: &Stones, player: Player, cell: Cell) -> bool {
    let has = |column: isize, row: isize| {
        let is_cell = column == cell.column as isize && row == cell.row as isize;
        let stone = |column: usize| stones.get(column)?.get(usize::try_from(row).ok()?).copied();
        is_cell || usize::try_from(column).ok().and_then(stone) == Some(player)
    };
    [[0, 1], [1, 0], [1, 1], [1, -1]].iter().any(|[right, up]| {
        let at = |count: isize| {
            has(cell.column as isize + count * right, cell.row as isize + count * up)
        };
        (-3..=0).any(|start| (start..start + 4).all(at))
    })
}

fn next_cell(stones: &Stones, column: usize) -> Cell {
    Cell { column, row: stones[column].len() }
}

fn open_columns(stones: &Stones, height: usize) -> Vec<usize> {
    (0..stones.len()).filter(|&column| stones[column].len() < height).collect()
}

/// Checks every fact against the board, and returns the reason.
fn check(position: Position, line: &[usize]) -> Option<Reason> {
    let explanation = Explanation::new(position, line);
    let Explanation { winner, last, .. } = explanation;
    let mut boards = vec![stones_of(position)];
    for (index, &column) in line.iter().enumerate() {
        let mut next = boards[index].clone();
        next[column].push(Player::to_move_at(position.ply() + index as u32));
        boards.push(next);
    }
    let end = &boards[line.len()];
    assert_eq!(explanation.stones as usize, end.iter().map(Vec::len).sum::<usize>());
    assert_eq!(explanation.text, explanation.to_string());
    let Some(winner) = winner else {
        assert_eq!(explanation.fours, []);
        return None;
    };
    for four in &explanation.fours {
        for cell in [four.from, four.to] {
            assert_eq!(end[cell.column][cell.row], winner);
        }
        let steps = (four.to.column - four.from.column).max(four.to.row.abs_diff(four.from.row));
        assert!(steps >= 3, "{four} has fewer than four stones");
    }
    let (Some(last), false) = (last, line.is_empty()) else {
        assert_eq!((explanation.reason, line.len()), (None, 0));
        return None;
    };
    assert_eq!(Some(&winner), end[last.column].last());
    assert_eq!((last.row, last.column), (end[last.column].len() - 1, line[line.len() - 1]));
    assert_eq!(explanation.row == Some("odd"), last.row.is_multiple_of(2));
    let is_threat = |stones: &Stones| completes(stones, winner, last);
    let since = boards.iter().position(is_threat).unwrap() as u32 + position.ply();
    assert_eq!(explanation.threat_since, Some(since));
    check_reason(&explanation, &boards, winner, position.size().height());
    explanation.reason
}

fn check_reason(explanation: &Explanation, boards: &[Stones], winner: Player, height: usize) {
    let threats = &explanation.threats;
    let Some(index) = boards.len().checked_sub(3) else {
        assert_eq!(explanation.reason, Some(Reason::AtOnce));
        return;
    };
    let before = &boards[index];
    for &cell in threats {
        assert!(completes(before, winner, cell), "{cell:?} is no threat");
        assert!(cell.row >= before[cell.column].len(), "{cell:?} is filled");
    }
    let playable = |cell: &Cell| next_cell(before, cell.column) == *cell;
    let mut saving = Vec::new();
    let loser = winner.other();
    for column in open_columns(before, height) {
        let wins = completes(before, loser, next_cell(before, column));
        let mut next = before.clone();
        next[column].push(loser);
        let loses = open_columns(&next, height)
            .iter()
            .any(|&reply| completes(&next, winner, next_cell(&next, reply)));
        if wins || !loses {
            saving.push(column);
        }
    }
    assert_eq!(explanation.defences, saving);
    let columns: Vec<usize> = threats.iter().map(|cell| cell.column).collect();
    match explanation.reason.unwrap() {
        Reason::AtOnce => panic!("the loser had a move"),
        Reason::Oversight => assert!(!saving.is_empty()),
        Reason::DoubleThreat => assert!(threats.len() >= 2 && threats.iter().all(playable)),
        Reason::StackedThreats => {
            assert!(threats.len() == 2 && playable(&threats[0]));
            assert_eq!((columns[0], threats[0].row + 1), (columns[1], threats[1].row));
            // The text mentions a block only if the loser blocked the lower cell.
            let is_above = explanation.last == Some(threats[1]);
            assert_eq!(explanation.text.contains("had to block"), is_above);
        }
        Reason::Zugzwang => {
            assert_eq!(columns, open_columns(before, height));
            assert!(threats.iter().all(|cell| cell.row == before[cell.column].len() + 1));
        }
    }
}

#[test]
fn each_fact_about_perfect_play_is_true_of_the_board() {
    let mut reasons = BTreeSet::new();
    for (width, height) in [(4, 4), (4, 5), (5, 4), (5, 5), (7, 6)] {
        let size = Size::new(width, height).unwrap();
        let oracle = Oracle::without_book(size).unwrap();
        let fewest = size.cells() * 2 / 3;
        for number in 0..200 {
            let position = Position::random(size, fewest - number % 6, number.into());
            let line = oracle.line(position).unwrap().value.1;
            let reason = check(position, &line);
            assert_ne!(reason, Some(Reason::Oversight), "perfect play overlooks nothing");
            reasons.extend(reason.map(|reason| format!("{reason:?}")));
        }
    }
    let all = ["AtOnce", "DoubleThreat", "StackedThreats", "Zugzwang"];
    assert_eq!(reasons, all.map(str::to_owned).into());
}

#[test]
fn each_fact_about_any_game_is_true_of_the_board() {
    let mut random = SplitMix(2);
    let mut reasons = BTreeSet::new();
    for size in [Size::new(4, 4).unwrap(), Size::default(), Size::new(9, 7).unwrap()] {
        for _ in 0..300 {
            let start = Position::empty(size);
            let mut position = start;
            let mut line = Vec::new();
            while !position.is_over() {
                let open: Vec<usize> = position.legal_columns().collect();
                line.push(open[random.below(open.len())]);
                position = position.play(line[line.len() - 1]);
            }
            reasons.extend(check(start, &line).map(|reason| format!("{reason:?}")));
            // Explains the game from its end: only the line of four is known.
            assert_eq!(Explanation::new(position, &[]).reason, None);
        }
    }
    assert!(reasons.contains("Oversight"));
}

#[test]
fn the_reason_is_put_in_words() {
    let text = |moves: &str, line: &[usize]| {
        Explanation::new(Position::from_moves(moves).unwrap(), line).text
    };
    assert_eq!(
        text("44335", &[1, 5]),
        "X wins with stone 7 in column 6, row 1: it completes row 1, columns 3 to 6. \
         X threatened to complete four in column 2, row 1 and in column 6, row 1; O could block \
         only one."
    );
    assert_eq!(
        text("121212", &[0]),
        "X wins with stone 7 in column 1, row 4: it completes column 1, rows 1 to 4."
    );
    assert_eq!(text("1212121", &[]), "X has won with four in column 1, rows 1 to 4.");
    assert_eq!(
        text("12121", &[1, 0]),
        "X wins with stone 7 in column 1, row 4: it completes column 1, rows 1 to 4. \
         O could have gone on with column 1."
    );
}

#[test]
fn columns_have_the_names_that_moves_have() {
    let empty = Position::empty(Size::new(12, 4).unwrap());
    let text =
        |moves, line: &[usize]| Explanation::new(empty.play_moves(moves).unwrap(), line).text;
    assert_eq!(
        text("a9a9a", &[0, 9]),
        "X wins with stone 7 in column a, row 4: it completes column a, rows 1 to 4. \
         O could have gone on with column a."
    );
    assert_eq!(
        text("8191a", &[1, 10]),
        "X wins with stone 7 in column b, row 1: it completes row 1, columns 8 to b. X threatened \
         to complete four in column 7, row 1 and in column b, row 1; O could block only one."
    );
}

#[test]
fn the_first_player_of_a_whole_game_wins_by_zugzwang() {
    let explanation =
        Oracle::new(crate::book::Book::embedded()).unwrap().explain(Position::default());
    let explanation = explanation.unwrap().value;
    assert_eq!((explanation.winner, explanation.stones), (Some(Player::X), 41));
    assert_eq!(explanation.reason, Some(Reason::Zugzwang));
    assert!(explanation.text.contains("O was in zugzwang: only column"), "{}", explanation.text);
}
