//! MediaWiki of Debian's package: one very large article and some small ones, from the parser's cache and parsed for each request.
//!
//! The texts come from a seeded generator, which makes DokuWiki's pages as well: the two wikis show comparable articles.

use super::{Application, Install, Page, Source, Target};
use crate::load::SplitMix;

static MEDIAWIKI: Application = Application {
    group: "mediawiki",
    needs: "/usr/share/mediawiki/index.php",
    folders: &[("etc", "/etc/mediawiki"), ("var", "/var/lib/mediawiki")],
    document_root: "/var/lib/mediawiki",
    front_controller: None,
    database: true,
    install,
};

/// The large article has at least this many bytes.
const LARGE_BYTES: usize = 110_000;

const SETTINGS: &str = "
# What the benchmark wants: nothing that depends on the time, parsed pages kept in the database, and a way around that cache.
$wgMainCacheType = CACHE_NONE;
$wgParserCacheType = CACHE_DB;
$wgJobRunRate = 0;
$wgCacheDirectory = '/var/lib/mediawiki/cache';
$wgLocalisationCacheConf['store'] = 'files';
$wgUseFileCache = false;
$wgShowExceptionDetails = true;
$wgDisableOutputCompression = true;
if ( isset( $_GET['fresh'] ) ) {
	$wgParserCacheType = CACHE_NONE;
}
";

fn install(install: &Install) -> Result<(), String> {
    install.copy("/etc/mediawiki", "etc")?;
    install.copy("/var/lib/mediawiki", "var")?;
    let server = format!("localhost:{}", crate::database::socket(install.place).display());
    let run = "/usr/share/mediawiki/maintenance/run.php";
    let php = |arguments: &[&str], input: &[u8]| {
        let all = [&["-d", "memory_limit=1G", "-d", "date.timezone=UTC", run][..], arguments].concat();
        install.place.run(&install.mounts, "php8.4", &all, input)
    };
    php(
        &[
            "install", "--dbtype=mysql", "--dbserver", &server, "--dbname=mediawiki", "--dbuser=root", "--dbpass=", "--installdbuser=root",
            "--installdbpass=", "--pass=Bench-Secret-123", "--server=http://bench.test", "--scriptpath=", "--confpath=/etc/mediawiki", "Bench", "Admin",
        ],
        b"",
    )?;
    let settings = install.template.join("etc/LocalSettings.php");
    let mut text = std::fs::read_to_string(&settings).map_err(|e| format!("LocalSettings.php: {e}"))?;
    text.push_str(SETTINGS);
    install.write("etc/LocalSettings.php", &text)?;
    php(&["edit", "--user=Admin", "Template:Box"], b"<div class=\"box\">'''{{{1}}}''': {{{2|nothing}}}</div>")?;
    php(&["edit", "--user=Admin", "Large"], article(7, LARGE_BYTES, Dialect::MediaWiki).as_bytes())?;
    for n in 0..10 {
        let text = article(n, 2000 + n as usize * 900, Dialect::MediaWiki);
        php(&["edit", "--user=Admin", &format!("Page{n}")], text.as_bytes())?;
    }
    php(&["rebuildLocalisationCache", "--lang=en"], b"")?;
    Ok(())
}

pub fn target() -> Target {
    let show = |title: &str| format!("/index.php?title={title}");
    let mut pages = vec![
        Page::new(&show("Large"), 10, "mw-content-text").bytes(100_000, 2_000_000),
        Page::new(&show("Large&fresh=1"), 2, "mw-content-text").bytes(100_000, 2_000_000),
        Page::new(&show("Main_Page"), 10, "mw-content-text"),
        Page::new(&show("Large&action=history"), 2, "mw-history"),
        Page::new(&show("Special:RecentChanges"), 2, "mw-changeslist"),
        Page::new(&show("No_such_page"), 3, "").status(404),
        Page::new("/api.php?action=query&format=json&list=allpages", 2, "allpages"),
    ];
    pages.extend((0..10).map(|n| Page::new(&show(&format!("Page{n}")), 4, "mw-content-text")));
    pages.push(Page::new(&show("Page5&fresh=1"), 4, "mw-content-text"));
    Target::new("mediawiki", "MediaWiki: a large article, small ones, cached and parsed anew", Source::Application(&MEDIAWIKI), pages)
        // As its composer.json says, and its database.
        .requires(&["ctype", "dom", "fileinfo", "iconv", "intl", "mbstring", "mysqlnd", "mysqli", "xml", "xmlreader"])
        .ini(&[("error_reporting", "22519")])
        .normalise(&[
            (r#""wgRequestId":"[^"]*""#, "request"),
            (r#""wgBackendResponseTime":[0-9]+"#, "time"),
            (r#""wgPageParseReport":\{.*?\}\}(,"cachereport":\{[^}]*\})?\}"#, "report"),
            (r"(?s)<!-- \n?NewPP limit report.*?-->", "report"),
            (r"(?s)<!--\nTransclusion expansion time report.*?-->", "report"),
            (r"<!-- Saved in parser cache with key [^>]*-->", "saved"),
            (r"RLPAGEMODULES|RLCONF=\{.*?\};", "conf"),
            (r"\b20[0-9]{12}\b", "TIMESTAMP"),
            (r"[0-9]{2}:[0-9]{2}", "HH:MM"),
        ])
}

#[derive(Clone, Copy, PartialEq)]
enum Dialect {
    MediaWiki,
    DokuWiki,
}

/// A page of DokuWiki.
pub fn article_dokuwiki(n: u64) -> String {
    article(n, 1500 + n as usize * 150, Dialect::DokuWiki)
}

const WORDS: &[&str] = &[
    "river", "lantern", "morning", "copper", "window", "garden", "quiet", "stone", "market", "paper", "harbour", "winter", "signal", "orange", "ladder", "cloud",
    "the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "as", "was", "with", "be", "by", "on", "not", "at", "are", "this", "have", "from",
];

/// An article of at least `bytes_min` bytes: headings, paragraphs with emphasis and links, lists, tables, and in MediaWiki templates.
fn article(seed: u64, bytes_min: usize, dialect: Dialect) -> String {
    let mut random = SplitMix(seed.wrapping_mul(1_000_003) + 11);
    let mut below = move |n: usize| (random.next() % n.max(1) as u64) as usize;
    let mut text = String::new();
    let wiki = dialect == Dialect::MediaWiki;
    let mut section = 0;
    while text.len() < bytes_min {
        section += 1;
        let mut sentence = |words: usize| {
            let mut line = String::new();
            for n in 0..words {
                let word = WORDS[below(WORDS.len())];
                let link = |target: usize| if wiki { format!("[[Page{target}|{word}]]") } else { format!("[[bench:page{target}|{word}]]") };
                let shown = match below(24) {
                    0 => link(below(12)),
                    1 => format!("{0}{word}{0}", if wiki { "'''" } else { "**" }),
                    2 => format!("{0}{word}{0}", if wiki { "''" } else { "//" }),
                    3 if wiki => format!("[https://example.org/{word}?n={n} {word}]"),
                    _ => word.to_owned(),
                };
                line.push_str(&shown);
                line.push(if n + 1 == words { '.' } else { ' ' });
            }
            line
        };
        let heading = if wiki { format!("== Section {section} ==\n") } else { format!("===== Section {section} =====\n\n") };
        text.push_str(&heading);
        for _ in 0..3 {
            text.push_str(&sentence(60));
            text.push_str("\n\n");
        }
        for item in 0..4 {
            text.push_str(if wiki { "* " } else { "  * " });
            text.push_str(&sentence(8 + item));
            text.push('\n');
        }
        text.push('\n');
        if section % 3 == 0 {
            if wiki {
                text.push_str("{| class=\"wikitable\"\n! one !! two !! three\n");
                for _ in 0..5 {
                    text.push_str(&format!("|-\n| {} || {} || {}\n", sentence(3), sentence(2), sentence(4)));
                }
                text.push_str("|}\n\n");
            } else {
                text.push_str("^ one ^ two ^ three ^\n");
                for _ in 0..5 {
                    text.push_str(&format!("| {} | {} | {} |\n", sentence(3), sentence(2), sentence(4)));
                }
                text.push('\n');
            }
        }
        if wiki {
            text.push_str(&format!("{{{{Box|Note {section}|{}}}}}\n\n", sentence(6)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_are_the_same_each_time() {
        let large = article(7, LARGE_BYTES, Dialect::MediaWiki);
        assert!(large.len() >= 100_000 && large.len() < 130_000);
        assert_eq!(large, article(7, LARGE_BYTES, Dialect::MediaWiki));
        assert_ne!(article_dokuwiki(1), article_dokuwiki(2));
    }
}
