//! `fourbook play`: a game in the terminal against the computer.

mod command;
mod game;

use crate::cli::args::{Options, OracleArgs, read_line, seconds, whole};
use crate::cli::error::{Error, Result};
use crate::cli::output;
use crate::cli::waiting::wait_for;
use crate::cli::write::cancel_on_signal;
use clap::builder::{StringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use command::Command;
use fourbook::board::column_name;
use fourbook::level::random_seed;
use fourbook::oracle::{Query, Question};
use fourbook::text::{count, shortened};
use fourbook::{Level, Limits, Oracle, Player, Position, Stopped};
use game::Game;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  fourbook play                                  you begin, at a level in the middle
  fourbook play --level 8 --first computer       against perfect play
  fourbook play --level novice --first random    either side begins
  fourbook play --seed 7 4453                    from this position on, repeatable
  fourbook play --size 8x8                       on a larger board
  fourbook play < commands.txt                   commands from a file";

/// Play against the computer, in the terminal
///
/// Type the number of a column to put a stone into it, or 'help' for the list of commands, such
/// as hints, undo and the list of moves. Lines may come from a file or a pipe as well.
///
/// The same seed, level and moves of yours give the same game again, on every machine, as long as
/// the computer has enough time. On large boards, the levels master and perfect often run out of
/// time; the computer then plays the best move that it knows. Ctrl-C stops a search early, with the
/// same effect, and ends the program when no search is under way.
#[derive(Debug, Args)]
#[command(after_help = format!("{}\n\n{EXAMPLES}", list_levels()))]
pub(crate) struct PlayArgs {
    /// Begin after these moves: columns from 1, one character a move
    #[arg(value_name = "MOVES", default_value = "", hide_default_value = true)]
    #[arg(value_parser = StringValueParser::new().map(|moves| moves.trim().to_owned()))]
    moves: String,

    /// How well the computer plays: a number from 1 to 8, or a name; see the list below
    #[arg(help_heading = "Game", long, default_value_t)]
    level: Level,

    /// Who moves first
    #[arg(help_heading = "Game", long, value_name = "WHO", default_value = "me")]
    first: First,

    /// The seed of the computer's choices, a whole number [default: random]
    #[arg(help_heading = "Game", long, value_name = "N", value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,

    /// The longest time for a move of the computer: seconds, or a time such as 500ms or 5min
    #[arg(help_heading = "Limits", long, value_name = "TIME", default_value = "3s", value_parser = seconds)]
    deadline: Duration,

    #[command(flatten)]
    oracle: OracleArgs,
}

/// Who makes the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum First {
    /// The person at the keyboard
    Me,
    /// The computer
    Computer,
    /// Chosen by the seed
    Random,
}

/// The list of levels for the help.
fn list_levels() -> String {
    let mut text = "Levels:".to_owned();
    for level in Level::ALL {
        let sees = match level.horizon {
            Some(stones) => format!("sees {} ahead", count(stones, "stone")),
            None => "sees to the end of the game".to_owned(),
        };
        let _ = write!(text, "\n  {}  {level:<13} {sees}", level.number);
        if level.chance > 0 {
            let _ = write!(text, ", plays any move in {} of 100 positions", level.chance);
        }
    }
    text
}

pub(crate) fn run(args: &PlayArgs, options: &Options) -> Result {
    let oracle = args.oracle.open(options, true)?.with_threads(args.oracle.threads.number());
    if !args.oracle.strategies.is_empty() && args.level != Level::PERFECT {
        let level = args.level;
        options.note(format_args!("the level {level} follows no strategy; --level perfect does"));
    }
    let start = Position::empty(oracle.size()).play_moves(&args.moves)?;
    if start.is_over() {
        let text =
            format!("the game is over after '{}'; leave some moves out", shortened(&args.moves));
        return Err(Error::new(text));
    }
    // From now on Ctrl-C stops a search, and ends the program if none is under way; the system
    // ends it.
    let cancel = cancel_on_signal(true)?;
    cancel.store(true, Ordering::Relaxed);
    let mut session = Session {
        args,
        options,
        cancel,
        seed: args.seed.unwrap_or_else(random_seed),
        game: Game::new(&args.moves, start, start.to_move()),
        oracle,
    };
    session.run()
}

/// A person at the keyboard, and the game that is played.
///
/// Everything, including mistakes at the prompt, is printed on stdout: it is one conversation.
struct Session<'a> {
    args: &'a PlayArgs,
    options: &'a Options,
    oracle: Oracle,
    /// Stops the search; set while none is under way.
    cancel: Arc<AtomicBool>,
    seed: u64,
    game: Game,
}

impl Session<'_> {
    /// Plays until the person quits.
    fn run(&mut self) -> Result<()> {
        self.begin()?;
        while let Some(line) = self.read_line()? {
            match Command::parse(&line, self.oracle.size()) {
                Ok(Command::Quit) => break,
                Ok(command) => self.obey(command)?,
                Err(problem) => say(&problem)?,
            }
        }
        self.say_goodbye()
    }

    /// The next line that is typed; none at the end.
    fn read_line(&self) -> Result<Option<String>> {
        let is_typed = io::stdin().is_terminal();
        if is_typed {
            let mut out = output::stdout();
            match self.game.end() {
                None => write!(out, "Your move: ")?,
                Some(_) => write!(out, "new, undo or quit: ")?,
            }
            out.flush()?;
        }
        let mut bytes = Vec::new();
        if read_line(&mut io::stdin().lock(), &mut bytes)? > 0 {
            return Ok(Some(String::from_utf8_lossy(&bytes).into_owned()));
        }
        if is_typed {
            say("")?;
        }
        Ok(None)
    }

    /// Begins a game.
    fn begin(&mut self) -> Result<()> {
        let start = self.game.start;
        let next = start.to_move();
        let computer_begins = match self.args.first {
            First::Me => false,
            First::Computer => true,
            First::Random => self.seed % 2 == 1,
        };
        let person = if computer_begins { next.other() } else { next };
        self.game = Game::new(&self.args.moves, start, person);
        let level = self.args.level;
        let seed = self.seed;
        let [mine, others] = [person, person.other()]
            .map(|player| output::for_stdout(stone(player), self.options.color));
        let first = if computer_begins { "The computer begins." } else { "You begin." };
        say(&format!(
            "You have the stones {mine}, the computer {others}: level {} ({level}), seed {seed}. \
             {first}\nType a column, or help.",
            level.number
        ))?;
        self.go_on()
    }

    /// Lets the computer move if it is its turn, and shows where the game stands.
    fn go_on(&mut self) -> Result<()> {
        if self.game.is_computers_turn() {
            let (column, text) = chosen(&self.computers_move()?);
            self.game.play(column);
            say(&format!("The computer plays {text}."))?;
        }
        self.show()
    }

    /// The search for the column that the computer chooses.
    fn computers_move(&self) -> Result<Query> {
        let question = Question::Play { level: self.args.level, seed: self.seed };
        let mut query = self.oracle.query(self.game.position(), question)?;
        if self.search(&mut query)?.is_some_and(|stopped| !stopped.reason.is_limit()) {
            say("Stopped: the computer plays what it sees a few stones ahead.")?;
        }
        Ok(query)
    }

    /// Draws the board, and says how the game has ended if it has.
    fn show(&self) -> Result<()> {
        let position = self.game.position();
        let board = draw(position, position.winning_stones());
        say(&format!("\n{}", output::for_stdout(board, self.options.color)))?;
        let Some(end) = self.game.end() else { return Ok(()) };
        say(&format!("{end}\nMoves: {}", self.game.moves))
    }

    fn obey(&mut self, command: Command) -> Result<()> {
        let over = self.game.end().is_some();
        match command {
            Command::Play(_) | Command::Hint | Command::Resign if over => {
                say("The game is over; expected new, undo or quit.")
            }
            Command::Play(column) if !self.game.position().can_play(column) => {
                say(&format!("Column {} is full; choose another.", column_name(column)))
            }
            Command::Play(column) => {
                self.game.play(column);
                self.go_on()
            }
            Command::Hint => self.hint(),
            Command::Resign => {
                self.game.resigned = true;
                self.show()
            }
            Command::Undo if self.game.undo() => self.show(),
            Command::Undo => say("There is no move of yours to take back."),
            Command::Moves => say(match self.game.moves.as_str() {
                "" => "No moves yet.",
                moves => moves,
            }),
            Command::New => {
                // With the same seed the computer would play the same moves again.
                self.seed = self.seed.wrapping_add(1);
                self.begin()
            }
            Command::Help => say(&Command::help(self.oracle.size())),
            Command::Look => self.show(),
            Command::Quit => unreachable!("it ends the conversation"),
        }
    }

    fn hint(&self) -> Result<()> {
        let position = self.game.position();
        let mut query = self.oracle.query(position, Question::BestMoves)?;
        let stopped = self.search(&mut query)?;
        let known = query.known();
        if let Some(score) = known.score().filter(|_| stopped.is_none()) {
            let mut best = known.best_moves();
            best.sort_unstable();
            return say(&format!("Hint: {}.", output::describe(position, score, &best)));
        }
        // The level that follows strategies and looks ahead.
        let question = Question::Play { level: Level::PERFECT, seed: self.seed };
        let mut advice = self.oracle.query(position, question)?;
        advice.learn_from(known);
        say(&format!("Hint: {}.", chosen(&advice).1))
    }

    /// Searches until the answer is complete, or returns the limit that was reached.
    fn search(&self, query: &mut Query) -> Result<Option<Stopped>> {
        let limits = Limits { max_time: Some(self.args.deadline), ..Limits::default() };
        wait_for(output::THINKING, query, limits, &self.cancel, None, self.options)
    }

    /// Says how to resume a game that has not ended.
    fn say_goodbye(&self) -> Result<()> {
        let moves = &self.game.moves;
        if moves.is_empty() || self.game.end().is_some() {
            return say("Goodbye.");
        }
        let seed = self.seed;
        say(&format!("Goodbye. To go on: the same command with --seed {seed} and {moves}"))
    }
}

/// The column that a query chooses, and its text, with what is proved where that is not the best move.
fn chosen(query: &Query) -> (usize, String) {
    let (column, is_proved) = query.choice();
    let column = column.expect("the game is not over");
    let mut text = format!("column {}", column_name(column));
    if !is_proved {
        let known = query.known();
        let bounds = known.bounds().for_player(known.position().to_move());
        text += &format!(", the best move known; proved: {bounds}");
    }
    (column, text)
}

/// Draws the board in several lines, the numbers of the columns below: letters for stones,
/// dots for empty cells. Stones of `marked` are in brackets.
fn draw(position: Position, marked: u128) -> String {
    let size = position.size();
    let draw_cell = |column: usize, row: usize| {
        let cell = 1 << ((size.height() + 1) * column + row);
        let stone = Player::BOTH
            .into_iter()
            .find(|&player| position.stones(player) & cell != 0)
            .map_or(".".to_owned(), stone);
        if marked & cell != 0 { format!("[{stone}]") } else { format!(" {stone} ") }
    };
    let columns = 0..size.width();
    let rows = (0..size.height()).rev();
    let rows = rows.map(|row| columns.clone().map(|column| draw_cell(column, row)).collect());
    let numbers = columns.clone().map(|column| format!(" {} ", column_name(column))).collect();
    let lines = rows.chain([numbers]).map(|line: String| line.trim_end().to_owned() + "\n");
    lines.collect()
}

/// The letter of a player's stones.
fn stone(player: Player) -> String {
    output::paint(output::stone_of(player), player)
}

/// Prints a text as a line, or several.
fn say(text: &str) -> Result<()> {
    Ok(writeln!(output::stdout(), "{text}")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ColorChoice;
    use fourbook::Size;

    #[test]
    fn the_list_of_levels_is_that_of_the_library() {
        let list = list_levels();
        assert_eq!(list.lines().count(), 1 + Level::ALL.len());
        assert!(list.contains("\n  1  beginner      sees 1 stone ahead, plays any move in "));
        assert!(list.ends_with("\n  8  perfect       sees to the end of the game"));
    }

    fn plain(position: Position, marked: u128) -> String {
        output::for_stdout(draw(position, marked), ColorChoice::Never)
    }

    #[test]
    fn stones_stand_over_their_columns_and_marked_ones_in_brackets() {
        let position = Position::empty(Size::new(4, 4).unwrap()).play_moves("1213141").unwrap();
        let drawn = plain(position, position.winning_stones());
        let expected = "[X] .  .  .\n[X] .  .  .\n[X] .  .  .\n[X] O  O  O\n 1  2  3  4\n";
        assert_eq!(drawn, expected);
    }

    #[test]
    fn colours_change_nothing_but_the_colours() {
        let position = Position::empty(Size::new(16, 7).unwrap()).play_moves("ggf1").unwrap();
        let plain = plain(position, 0);
        assert_eq!((plain.matches('X').count(), plain.matches('O').count()), (2, 2));
        assert!(plain.ends_with(" 9  a  b  c  d  e  f  g\n"), "{plain}");
        let mut coloured = draw(position, 0);
        for player in Player::BOTH {
            let stone = stone(player);
            assert_eq!(coloured.matches(&stone).count(), 2, "{coloured:?}");
            coloured = coloured.replace(&stone, &player.to_string());
        }
        assert_eq!(coloured, plain);
    }
}
