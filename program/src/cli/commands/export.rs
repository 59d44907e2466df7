//! `fourbook export`: a book in another program's format, or strategies as a bot.

use crate::cli::args::{
    FORMATS, Options, ToolArgs, is_built_in, is_strategy, is_stream, notation_parser, whole,
};
use crate::cli::error::{Context, Error, Result};
use crate::cli::output;
use crate::cli::write;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fourbook::Strategy;
use fourbook::board::notation::Notation;
use fourbook::files;
use fourbook::strategy::{Language, bot};
use fourbook::text::{count, grouped, listed};
use fourbook::tools::exchange::pons::LOG2_SIZES;
use fourbook::tools::exchange::{ExportOptions, Exported, Format, export};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// The languages of bots, after the formats of books.
const BOTS: &str = "  \
  python, javascript, c, rust
                         a bot: source code that plays a strategy";

const EXAMPLES: &str = "\
Examples:
  fourbook export 7x6-d8.book --out 7x6-d8.csv
  fourbook export 7x6-d8.book --notation key | head
  fourbook export 7x6-d8.book --format pons --out 7x6.book
  fourbook export 7x6-d12.book --format bitbully-12-distances --out book_12ply_distances.dat
  fourbook export 7x6-first-d8.strategy --format python --out bot.py
  fourbook export built-in --format c --out bot.c     with both built-in strategies";

/// Write a book in another program's format, or as comma-separated values, or a strategy as a bot
///
/// A position and its mirror image are written once. Finished games and positions won with the
/// next stone are left out, as the rules score them. Comma-separated values have one position a
/// line, ply by ply, always in the same order.
///
/// In the hash table of Pascal Pons' solver, several positions can want the same slot; the
/// shallowest is kept. On boards with an odd number of cells, it has no value for the lowest score.
/// The number of positions that are left out is printed at the end.
///
/// BitBully recognises its files by their sizes, so the files written have as many entries as
/// BitBully's own.
///
/// A bot plays the moves of a strategy, or of one for each player, and searches all other positions. It
/// is one file of source code without dependencies, of at most 100,000 characters. Its first lines say
/// how to use it.
#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n{BOTS}\n\n{EXAMPLES}"))]
pub(crate) struct ExportArgs {
    /// The book ('-' is standard input), or for a bot a strategy of one or of both players; 'built-in'
    /// is the built-in one
    #[arg(value_name = "FILE", num_args = 1..=2, required = true)]
    files: Vec<PathBuf>,

    /// The format to write, or the language of a bot
    #[arg(help_heading = "Output", long, value_name = "FORMAT", default_value = Format::Csv.name())]
    #[arg(value_parser = target_parser())]
    format: Target,

    /// How positions are written as csv [default: moves]
    #[arg(help_heading = "Output", long, value_name = "NOTATION", value_parser = notation_parser())]
    notation: Option<Notation>,

    /// The size of the table for Pascal Pons' solver: as many slots as the least prime from 2^LOG2
    /// on [default: the least up to 26 that loses no entry, or else at most one in eight]
    #[arg(help_heading = "Output", long, value_name = "LOG2", value_parser = whole(LOG2_SIZES))]
    log2_size: Option<u32>,

    /// The file to write; '-' is standard output, for csv and bots only [default: -]
    #[arg(help_heading = "Output", short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(help_heading = "Output", short, long, requires = "out")]
    force: bool,

    #[command(flatten)]
    tool: ToolArgs,
}

/// What to write.
#[derive(Clone, Copy, Debug)]
enum Target {
    Book(Format),
    Bot(Language),
}

fn target_parser() -> impl TypedValueParser<Value = Target> {
    let formats = Format::ALL.into_iter().filter(Format::is_written).map(Format::name);
    let names = formats.chain(Language::ALL.map(Language::name));
    PossibleValuesParser::new(names).try_map(|name| match name.parse() {
        Ok(language) => Ok(Target::Bot(language)),
        Err(_) => name.parse().map(Target::Book),
    })
}

pub(crate) fn run(args: &ExportArgs, options: &Options) -> Result {
    let out = args.out.as_deref().filter(|path| !is_stream(path));
    match args.format {
        Target::Book(format) => export_book(args, format, out, options),
        Target::Bot(language) => export_bot(args, language, out, options),
    }
}

fn export_bot(
    args: &ExportArgs,
    language: Language,
    out: Option<&Path>,
    options: &Options,
) -> Result {
    refuse_options(args, None)?;
    let mut strategies = Vec::new();
    for file in &args.files {
        if !is_built_in(file) {
            strategies.push(options.open_strategy(file)?);
            continue;
        }
        let size = options.size();
        let ours = Strategy::embedded_for(size);
        if ours.is_empty() {
            let text = format!(
                "the program has no strategy for {size} boards; make one with 'fourbook strategy'"
            );
            return Err(Error::usage(text));
        }
        strategies.extend(ours);
    }
    let text = bot(&strategies, language).with_context(|| "cannot make a bot".to_owned())?;
    let Some(path) = out else {
        return Ok(output::stdout().write_all(text.as_bytes())?);
    };
    for file in &args.files {
        output::check_new(path, args.force, file)?;
    }
    files::write_whole(path, args.force, |file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write '{}'", path.display()))?;
    options.note(format_args!("{}: {}", path.display(), count(text.chars().count(), "character")));
    Ok(())
}

fn export_book(args: &ExportArgs, format: Format, out: Option<&Path>, options: &Options) -> Result {
    let what = export_options(args, format, out)?;
    let [file] = &args.files[..] else {
        return Err(Error::usage(format!("--format {format} takes one book; leave the other out")));
    };
    if is_strategy(file) {
        let languages = listed(Language::ALL, "or");
        return Err(Error::new(format!(
            "expected a book for --format {format}, found the strategy '{}'; choose --format \
             {languages}",
            file.display()
        )));
    }
    let book = options.open_book(file)?;
    let context = || format!("cannot export '{}'", file.display());
    let Some(path) = out else {
        // On a terminal, progress would stand between the lines of the book.
        let quiet = options.quiet || io::stdout().is_terminal();
        write::end_on_signal("interrupted")?;
        return args
            .tool
            .run(quiet, |resources| {
                let mut out = BufWriter::new(output::stdout());
                export(&book, &what, &mut out, resources)?;
                Ok::<_, Error>(out.flush()?)
            })
            .with_context(context);
    };
    output::check_new(path, args.force, file)?;
    write::end_on_signal(write::NOTHING_WRITTEN)?;
    let exported = args
        .tool
        .run(options.quiet, |resources| {
            files::write_whole(path, args.force, |out| export(&book, &what, out, resources))
        })
        .with_context(|| format!("{} to '{}'", context(), path.display()))?;
    options.note(summary(path, &exported));
    Ok(())
}

fn export_options(args: &ExportArgs, format: Format, out: Option<&Path>) -> Result<ExportOptions> {
    refuse_options(args, Some(format))?;
    if out.is_none() && format != Format::Csv {
        return Err(Error::usage(format!("--format {format} needs --out FILE")));
    }
    let mut options = ExportOptions::new(format);
    options.notation = args.notation.unwrap_or(options.notation);
    options.log2_size = args.log2_size;
    Ok(options)
}

/// Refuses the options of other formats.
fn refuse_options(args: &ExportArgs, format: Option<Format>) -> Result {
    for (option, is_given, wanted) in [
        ("--notation", args.notation.is_some(), Format::Csv),
        ("--log2-size", args.log2_size.is_some(), Format::Pons),
    ] {
        if is_given && format != Some(wanted) {
            let problem = format!("{option} is for --format {wanted}; leave it out");
            return Err(Error::usage(problem));
        }
    }
    Ok(())
}

fn summary(path: &Path, exported: &Exported) -> String {
    let Exported { positions, replaced, unheld, log2_size } = exported;
    let written = count(positions - replaced - unheld, "position");
    let text = format!("{}: {written}", path.display());
    match log2_size {
        Some(log2) => {
            let lost = grouped(replaced);
            let unheld = grouped(unheld);
            format!(
                "{text} in 2^{log2} slots, {lost} lost to others in their slot, {unheld} with a \
                 score that the format cannot hold"
            )
        }
        None => text,
    }
}
