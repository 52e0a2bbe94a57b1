//! A tutorial as a reader sees it: files, and commands around the one that starts the region.
//!
//! Fenced blocks say by the words behind the fence what they are: `toml file=quotes/transom.toml`,
//! `sh`, `sh background`. Blocks of other words are for the reader alone.

/// A file, its path below the system directory.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// What a page has that can be done.
#[derive(Default)]
pub(crate) struct Page {
    /// How the page calls the system directory.
    folder: String,
    pub(crate) files: Vec<File>,
    /// Commands up to the start of the region.
    pub(crate) before: Vec<String>,
    /// Those of the first block behind it.
    pub(crate) behind: Vec<String>,
}

impl Page {
    pub(crate) fn read(text: &str) -> Self {
        let mut page = Self::default();
        let mut started = false;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(words) = line.strip_prefix("```") else {
                continue;
            };
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            match words.split_once(' ') {
                Some((_, words)) if words.starts_with("file=") => page.file(&words[5..], &block),
                Some(("sh", "background")) => {
                    page.before
                        .extend(block.iter().map(|line| (*line).to_owned()));
                    started = true;
                }
                None if words == "sh" && !started => {
                    page.before
                        .extend(block.iter().map(|line| (*line).to_owned()));
                }
                None if words == "sh" && page.behind.is_empty() => {
                    page.behind
                        .extend(block.iter().map(|line| (*line).to_owned()));
                }
                _ => {}
            }
        }
        page
    }

    fn file(&mut self, path: &str, block: &[&str]) {
        let (folder, path) = path.split_once('/').unwrap_or(("", path));
        folder.clone_into(&mut self.folder);
        self.files.push(File {
            path: path.to_owned(),
            text: block.join("\n") + "\n",
        });
    }

    /// Commands with the folder's own name in the place of the page's.
    pub(crate) fn commands<'a>(
        &'a self,
        lines: &'a [String],
        dir: &'a str,
    ) -> impl Iterator<Item = String> + 'a {
        lines.iter().map(move |line| {
            let words = line
                .split(' ')
                .map(|word| match word.strip_prefix(&self.folder) {
                    Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                        format!("{dir}{rest}")
                    }
                    _ => word.to_owned(),
                });
            format!("  {}", words.collect::<Vec<_>>().join(" "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A page\n\n`shop/transom.toml`:\n\n```toml file=shop/transom.toml\n[region]\n```\n\n```sh\ntransom check shop\n\
        ```\n\n```sh background\ntransom run shop\n```\n\n```sh\ncurl http://localhost/shop/1 -o shop/reply\n```\n\n```sh\nlater\n```\n";

    #[test]
    fn files_and_commands_of_a_page() {
        let page = Page::read(PAGE);
        assert_eq!(
            (page.files[0].path.as_str(), page.files.len()),
            ("transom.toml", 1)
        );
        assert_eq!(page.files[0].text, "[region]\n");
        let before: Vec<_> = page.commands(&page.before, "mine").collect();
        assert_eq!(before, ["  transom check mine", "  transom run mine"]);
        let behind: Vec<_> = page.commands(&page.behind, "mine").collect();
        assert_eq!(behind, ["  curl http://localhost/shop/1 -o mine/reply"]);
    }

    #[test]
    fn readers_see_the_name_of_each_file() {
        for text in [
            include_str!("../../../../docs/tutorials/first-api.md"),
            include_str!("../../../../docs/tutorials/first-terminal.md"),
            include_str!("../../../../docs/tutorials/first-db2-rest-service.md"),
        ] {
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in lines.iter().enumerate() {
                let Some((_, file)) = line.strip_prefix("```").and_then(|w| w.split_once("file="))
                else {
                    continue;
                };
                assert_eq!(lines[at - 2], format!("`{file}`:"), "line {}", at + 1);
            }
        }
    }
}
