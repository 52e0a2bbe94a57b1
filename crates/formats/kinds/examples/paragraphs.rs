//! Prints the commands that follow from the files of kinds, as paragraphs of the command table.

fn main() {
    print!("{}", transom_kinds::table().paragraphs());
}
