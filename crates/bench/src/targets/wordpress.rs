//! WordPress of Debian's package, with 100 posts and 700 comments from a seeded generator, and a mix of requests as a blog has them.

use super::{Application, Install, Page, Source, Target};

static WORDPRESS: Application = Application {
    group: "wordpress",
    needs: "/usr/share/wordpress/wp-load.php",
    folders: &[("site", "{work}/site")],
    document_root: "{work}/site",
    front_controller: Some("index.php"),
    database: true,
    install,
};

fn install(install: &Install) -> Result<(), String> {
    install.copy("/usr/share/wordpress", "site")?;
    install.write("site/wp-config.php", include_str!("../../targets/wordpress-config.php"))?;
    crate::database::query(install.place, &install.mounts, "CREATE DATABASE wordpress CHARACTER SET utf8mb4")?;
    install.php(include_str!("../../targets/wordpress-install.php"))?;
    // Rewrite rules are made by a WordPress that is installed.
    let rules = "<?php $_SERVER['HTTP_HOST'] = 'bench.test'; $_SERVER['REQUEST_URI'] = '/'; require '/srv/jumbo-bench/site/wp-load.php'; flush_rewrite_rules(false); echo 'rules';";
    install.php(rules)?;
    Ok(())
}

pub fn target() -> Target {
    let mut pages = vec![
        Page::new("/", 25, "Jumbo Bench").bytes(10_000, 500_000),
        Page::new("/page/2/", 5, "Jumbo Bench").bytes(10_000, 500_000),
        Page::new("/category/topic-3/", 4, "topic 3"),
        Page::new("/?s=lantern", 3, "Jumbo Bench"),
        Page::new("/2024/02/", 2, "Jumbo Bench"),
        Page::new("/feed/", 6, "<rss"),
        Page::new("/comments/feed/", 2, "<rss"),
        Page::new("/wp-json/wp/v2/posts?per_page=5", 3, "\"slug\""),
        Page::new("/robots.txt", 1, "User-agent"),
        Page::new("/no-such-page/", 4, "").status(404),
    ];
    // Posts of different lengths and with different numbers of comments; post n is of the n-th day of 2024.
    for (n, weight) in [(1, 4), (5, 6), (12, 6), (31, 6), (40, 6), (61, 6), (80, 6), (100, 5)] {
        let (month, _) = month_and_day(n);
        pages.push(Page::new(&format!("/2024/{month:02}/post-{n}/"), weight, &format!("Post {n}")).bytes(10_000, 500_000));
    }
    Target::new("wordpress", "WordPress: 100 posts, 700 comments; front page, posts, lists, feeds, searches, 404s", Source::Application(&WORDPRESS), pages)
        .requires(&["mysqlnd", "mysqli"])
        .ini(&[("error_reporting", "22519")])
        .normalise(&[
            // Nonces, and identifiers that count up within a page.
            (r#""nonce":"[0-9a-f]{10}""#, "nonce"),
            (r#"(_wpnonce|nonce)(=|" value=")[0-9a-f]{10}"#, "nonce"),
        ])
}

/// Month and day of the n-th day of 2024.
fn month_and_day(day_of_year: u32) -> (u32, u32) {
    let mut left = day_of_year;
    for (month, days) in (1..).zip([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
        if left <= days {
            return (month, left);
        }
        left -= days;
    }
    (12, 31)
}
