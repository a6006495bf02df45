//! Applications of Debian's packages that need no database: DokuWiki, and small sites on Symfony and Laravel.

use super::{Application, Install, Page, Source, Target};

static DOKUWIKI: Application = Application {
    group: "dokuwiki",
    needs: "/usr/share/dokuwiki/doku.php",
    folders: &[("etc", "/etc/dokuwiki"), ("var", "/var/lib/dokuwiki")],
    document_root: "/usr/share/dokuwiki",
    front_controller: None,
    database: false,
    install: install_dokuwiki,
};

/// What the package's postinst script does, without its questions: a wiki that all may read.
fn install_dokuwiki(install: &Install) -> Result<(), String> {
    install.copy("/etc/dokuwiki", "etc")?;
    install.copy("/var/lib/dokuwiki", "var")?;
    install.write("etc/local.php", "<?php\n$conf['title'] = 'Bench';\n$conf['license'] = 'cc-by-sa';\n$conf['useacl'] = 1;\n$conf['superuser'] = '@admin';\n")?;
    install.write("var/acl/acl.auth.php", "# acl.auth.php\n# <?php exit()?>\n*               @ALL          1\n")?;
    install.write("var/acl/users.auth.php", "")?;
    // The page of the syntax shows a feed from the network, which is no part of a benchmark.
    let syntax = install.template.join("var/data/pages/wiki/syntax.txt");
    let text = std::fs::read_to_string(&syntax).map_err(|e| format!("{}: {e}", syntax.display()))?;
    let without: Vec<&str> = text.lines().filter(|line| !line.starts_with("{{rss>")).collect();
    install.write("var/data/pages/wiki/syntax.txt", &(without.join("\n") + "\n"))?;
    for n in 0..40 {
        install.write(&format!("var/data/pages/bench/page{n}.txt"), &super::mediawiki::article_dokuwiki(n))?;
    }
    Ok(())
}

pub fn dokuwiki() -> Target {
    let show = |id: &str| format!("/doku.php?id={id}");
    let mut pages = vec![
        Page::new(&show("wiki:welcome"), 20, "dokuwiki__site").bytes(5_000, 60_000),
        Page::new(&show("wiki:syntax"), 15, "dokuwiki__site").bytes(20_000, 200_000),
        Page::new(&show("bench:nothing"), 4, "This topic does not exist yet"),
        Page::new("/doku.php?id=wiki:welcome&do=index", 3, "index__tree"),
        Page::new("/doku.php?id=bench:page3&do=recent", 3, "dokuwiki__site"),
        Page::new("/doku.php?id=wiki:syntax&do=export_raw", 2, "Formatting Syntax"),
        Page::new("/feed.php?mode=list&ns=bench", 6, "<rdf:RDF"),
        Page::new("/lib/exe/css.php?t=dokuwiki", 4, "dokuwiki"),
    ];
    pages.extend((0..8).map(|n| Page::new(&show(&format!("bench:page{n}")), 5, "dokuwiki__site")));
    Target::new("dokuwiki", "DokuWiki: pages from its cache, lists, a feed", Source::Application(&DOKUWIKI), pages)
        .requires(&[])
        // Debian's package warns on each page that a list of jQuery's versions is missing; writing that down is no part of the benchmark.
        .ini(&[("session.save_path", "/var/lib/dokuwiki/data/tmp"), ("error_reporting", "22519"), ("log_errors", "0")])
        .normalise(&[
            (r#"(name="sectok" value=")[0-9a-f]{32}"#, "sectok"),
            ("sectok=[0-9a-f]{32}", "sectok"),
            (r#""sectok":"[0-9a-f]{32}"#, "sectok"),
            ("tseed=[0-9a-f]{32}", "tseed"),
            ("tok=[0-9a-f]{6}", "tok"),
            (r"eyJ[A-Za-z0-9+/=]+\.[A-Za-z0-9+/=]+\.[A-Za-z0-9+/=]+", "JWT"),
            (r"\b1[5-9][0-9]{8}\b", "TIMESTAMP"),
            ("20[0-9]{2}/[0-9]{2}/[0-9]{2} [0-9]{2}:[0-9]{2}", "DATE"),
            (r"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\+00:?00|Z)", "DATE"),
            ("(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} 20[0-9]{2} [0-9:]{8} (\\+0000|GMT)", "DATE"),
            ("[0-9]+ (seconds?|minutes?|hours?|days?) ago", "AGO"),
        ])
}

static SYMFONY: Application = Application {
    group: "symfony",
    needs: "/usr/share/php/Symfony/Bundle/FrameworkBundle/autoload.php",
    folders: &[("site", "{work}/site")],
    document_root: "{work}/site/public",
    front_controller: Some("index.php"),
    database: false,
    install: install_symfony,
};

fn install_symfony(install: &Install) -> Result<(), String> {
    install.write("site/public/index.php", include_str!("../../targets/symfony/index.php"))?;
    install.write("site/src/InstalledVersions.php", include_str!("../../targets/symfony/InstalledVersions.php"))?;
    install.write("site/src/Kernel.php", include_str!("../../targets/symfony/Kernel.php"))?;
    install.write("site/templates/list.html.twig", include_str!("../../targets/symfony/list.html.twig"))?;
    install.write("site/templates/item.html.twig", include_str!("../../targets/symfony/item.html.twig"))?;
    // The container is compiled by stock PHP, as a deployment does.
    first_page(install)
}

/// Asks for the front page with stock PHP's command line, which fills the framework's caches.
fn first_page(install: &Install) -> Result<(), String> {
    let code = "<?php $_SERVER['REQUEST_URI'] = '/'; $_SERVER['REQUEST_METHOD'] = 'GET'; chdir('/srv/jumbo-bench/site/public'); require 'index.php';";
    let page = install.php(code)?;
    if memchr::memmem::find(&page, b"<h1>Products</h1>").is_none() {
        return Err(format!("the front page is not right: {}", crate::normalise::excerpt(&page, 300)));
    }
    Ok(())
}

pub fn symfony() -> Target {
    let mut pages = vec![
        Page::new("/", 10, "<h1>Products</h1>"),
        Page::new("/api/items?page=2", 5, "\"items\":["),
        Page::new("/nothing", 1, "").status(404),
    ];
    pages.extend((1..5).map(|n| Page::new(&format!("/item/{n}"), 5, &format!("<h1>Product {n}</h1>"))));
    Target::new("symfony", "a site on Symfony's FrameworkBundle and Twig", Source::Application(&SYMFONY), pages)
        .requires(&["ctype", "iconv", "mbstring", "tokenizer"])
        .ini(&[("include_path", ".:/usr/share/php"), ("error_reporting", "22519")])
}

static LARAVEL: Application = Application {
    group: "laravel",
    needs: "/usr/share/php/Illuminate/autoload.php",
    folders: &[("site", "{work}/site")],
    document_root: "{work}/site/public",
    front_controller: Some("index.php"),
    database: false,
    install: install_laravel,
};

fn install_laravel(install: &Install) -> Result<(), String> {
    install.write("site/public/index.php", include_str!("../../targets/laravel/index.php"))?;
    install.write("site/bootstrap/app.php", include_str!("../../targets/laravel/app.php"))?;
    install.write("site/routes/web.php", include_str!("../../targets/laravel/web.php"))?;
    install.write("site/resources/views/list.blade.php", include_str!("../../targets/laravel/list.blade.php"))?;
    install.write("site/resources/views/item.blade.php", include_str!("../../targets/laravel/item.blade.php"))?;
    install.write("site/composer.json", "{\"autoload\": {\"psr-4\": {\"App\\\\\": \"app/\"}}}\n")?;
    for folder in ["storage/framework/views", "storage/framework/cache", "storage/logs", "bootstrap/cache", "app"] {
        install.write(&format!("site/{folder}/.keep"), "")?;
    }
    first_page(install)
}

pub fn laravel() -> Target {
    let mut pages = vec![
        Page::new("/", 10, "<h1>Products</h1>"),
        Page::new("/api/items?page=2", 5, "\"items\":["),
        Page::new("/nothing", 1, "").status(404),
    ];
    pages.extend((1..5).map(|n| Page::new(&format!("/item/{n}"), 5, &format!("<h1>Product {n}</h1>"))));
    Target::new("laravel", "a site on Laravel's router, container and Blade", Source::Application(&LARAVEL), pages)
        .requires(&["ctype", "iconv", "mbstring", "pdo", "tokenizer"])
        .ini(&[("include_path", ".:/usr/share/php"), ("error_reporting", "22519")])
}
