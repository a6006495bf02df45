//! The help texts.

/// Jumbo's own help.
pub const JUMBO: &str = "\
Jumbo runs PHP programs and serves PHP sites.

  jumbo FILE [ARGS]             run a script
  jumbo -r CODE [ARGS]          run PHP code (no <?php needed)
  jumbo serve [DIR] [OPTIONS]   serve a site; `jumbo serve --help` lists the options
  jumbo -S ADDR:PORT [-t DIR]   the development server, as `php -S`
  jumbo bench COMMAND           measure PHP servers side by side; `jumbo bench --help` lists the commands
  jumbo dis FILE                show the bytecode of a file
  jumbo -l FILE                 check the syntax of a file
  jumbo -v | -m | -i | --ini    version, extensions, configuration, configuration files

Options of scripts, as PHP has them:
  -d NAME=VALUE   set a php.ini directive
  -c FILE|DIR     where php.ini is
  -n              read no php.ini
  -f FILE         the script, when its name could be taken for something else
  --cgi           answer one CGI request, described by the environment
  --              what follows belongs to the script

Without a file, code is read from standard input. Called by the name `php` this program is PHP's command line.
";

/// Usage in the manner of `php -h`.
pub const PHP_USAGE: &[u8] = b"\
Usage: php [options] [-f] <file> [--] [args...]
   php [options] -r <code> [--] [args...]
   php [options] -S <addr>:<port> [-t docroot] [router]
   php [options] -- [args...]

  -c <path>|<file> Look for php.ini in this folder, or read this file
  -n               Read no php.ini
  -d foo[=bar]     Set the directive foo to bar (or to 1)
  -f <file>        Run this file
  -h               This help
  -i               Information about the configuration
  -l               Check the syntax only
  -m               List the extensions
  -r <code>        Run this code, which has no <?php tag
  -S <addr>:<port> Serve a folder over HTTP, for development
  -t <docroot>     The folder to serve
  -v               Version
  --ini            List the configuration files
";
