//! The numbering of positions as `docs/src/format.md` describes it, slow and plain,
//! to compare with the library's.

use fourbook::{Position, Size};

/// The slots of the positions of a board with a number of stones.
pub(crate) struct Numbering {
    size: Size,
    ply: usize,
    /// Right code, middle and left code of every mask, in order.
    masks: Vec<[usize; 3]>,
}

impl Numbering {
    pub(crate) fn new(size: Size, ply: u32) -> Self {
        let ply = ply as usize;
        let mut masks: Vec<_> = all_heights(size, ply)
            .iter()
            .map(|heights| codes(size, heights))
            .filter(|[right, _, left]| right <= left)
            .collect();
        masks.sort_unstable();
        Numbering { size, ply, masks }
    }

    /// How many there are.
    pub(crate) fn slots(&self) -> usize {
        self.masks.len() * binomial(self.ply, self.ply / 2)
    }

    /// The slot of a position.
    pub(crate) fn slot(&self, position: Position) -> usize {
        assert_eq!((position.size(), position.ply() as usize), (self.size, self.ply));
        let [position, mirrored] =
            [position, position.mirrored()].map(|image| (codes(self.size, &heights(image)), image));
        let [right, _, left] = position.0;
        let (mask, image) = if right <= left { position } else { mirrored };
        let mut colours = colour_rank(image);
        if right == left {
            colours = colours.min(colour_rank(mirrored.1));
        }
        let index = self.masks.binary_search(&mask).expect("all masks are there");
        index * binomial(self.ply, self.ply / 2) + colours
    }

    /// Every position of the ply that two bitboards can express, a game or not; both
    /// images of
    /// positions with symmetric heights.
    pub(crate) fn positions(&self) -> impl Iterator<Item = Position> + use<> {
        let size = self.size;
        let ply = self.ply;
        let rows = (0_u128..1 << ply).filter(move |row| row.count_ones() as usize == ply / 2);
        let rows: Vec<u128> = rows.collect();
        let canonical = all_heights(size, ply).into_iter().filter(move |heights| {
            let [right, _, left] = codes(size, heights);
            right <= left
        });
        canonical.flat_map(move |heights| {
            let cells: Vec<u128> = cells(size, &heights).map(|cell| 1 << cell).collect();
            let board = |row: u128| -> u128 {
                let chosen = cells.iter().enumerate().filter(|(place, _)| row >> place & 1 == 1);
                chosen.map(|(_, cell)| cell).sum()
            };
            let all = cells.iter().sum();
            let position = |&row: &u128| Position::from_bitboards(size, board(row), all).ok();
            rows.iter().filter_map(position).collect::<Vec<_>>()
        })
    }
}

/// The heights of all columns, for every way to place `stones` stones.
fn all_heights(size: Size, stones: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..size.width() {
        let longer = |heights: Vec<usize>| {
            let left = stones - heights.iter().sum::<usize>();
            (0..=left.min(size.height())).map(move |height| [&heights[..], &[height]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all.retain(|heights| heights.iter().sum::<usize>() == stones);
    all
}

fn heights(position: Position) -> Vec<usize> {
    (0..position.size().width()).map(|column| position.height(column)).collect()
}

/// The bits of the cells below these heights, column by column.
fn cells(size: Size, heights: &[usize]) -> impl Iterator<Item = usize> {
    let columns = heights.iter().enumerate();
    columns.flat_map(move |(column, &height)| {
        (0..height).map(move |row| column * (size.height() + 1) + row)
    })
}

/// Right code, middle and left code.
fn codes(size: Size, heights: &[usize]) -> [usize; 3] {
    let half = heights.len() / 2;
    let code = |columns: &mut dyn Iterator<Item = &usize>| {
        columns.take(half).fold(0, |code, height| code * (size.height() + 1) + height)
    };
    let middle = if heights.len() % 2 == 1 { heights[half] } else { 0 };
    [code(&mut heights.iter().rev()), middle, code(&mut heights.iter())]
}

fn colour_rank(position: Position) -> usize {
    let heights = heights(position);
    let cells = cells(position.size(), &heights).enumerate();
    let of_mover = cells.filter(|(_, cell)| position.mover() >> cell & 1 == 1);
    of_mover.zip(1..).map(|((place, _), number)| binomial(place, number)).sum()
}

fn binomial(n: usize, k: usize) -> usize {
    if k > n { 0 } else { (1..=k).fold(1, |product, i| product * (n - k + i) / i) }
}
