//! The examples of help texts as commands, for these tests and those of the parser, which include
//! this file.

/// An example of a help text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Example {
    /// The command as written, with its pipes.
    pub(crate) command: String,
    /// The arguments, if the command begins with this program.
    pub(crate) arguments: Option<Vec<String>>,
}

/// The examples of a help text. Each begins a line; its description stands behind two spaces
/// or more, or on the next line.
pub(crate) fn examples(help: &str) -> Vec<Example> {
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    let lines = lines.take_while(|line| line.starts_with(' '));
    let begins = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    lines.filter(begins).map(|line| Example::of(line.trim())).collect()
}

impl Example {
    fn of(line: &str) -> Self {
        let command = line.split("  ").next().unwrap_or_default().to_owned();
        let mut words = words(&command).into_iter();
        let is_ours = words.next().as_deref() == Some("fourbook");
        // Redirections are the shell's.
        let shell = ["|", "<", ">", ">>"];
        let arguments = words.take_while(|word| !shell.contains(&word.as_str())).collect();
        Example { command, arguments: is_ours.then_some(arguments) }
    }
}

/// The words of a command; a quoted text is one word.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

#[test]
fn examples_are_taken_apart() {
    let help = "About\n\nExamples:\n  fourbook show '[1, 2]' 4 | less   what it does\n  curl x\n     \
                continued\n\nExit codes:\n  fourbook no\n";
    let found = examples(help);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0].command, "fourbook show '[1, 2]' 4 | less");
    let arguments = ["show", "[1, 2]", "4"].map(str::to_owned);
    assert_eq!(found[0].arguments.as_deref(), Some(&arguments[..]));
    assert_eq!(found[1], Example { command: "curl x".to_owned(), arguments: None });
}
