<?php
// What the process and the system are, as far as it is the same everywhere.
var_dump(posix_getpid() === getmypid(), posix_getuid() === posix_geteuid(), posix_getgid() === posix_getegid(), posix_getcwd() === getcwd());
$user = posix_getpwuid(0);
var_dump($user['name'], array_keys($user), posix_getpwnam('root') === $user, posix_getpwnam('no such user'), posix_getgrgid(0)['name'], posix_getgrnam('root')['gid']);
var_dump(posix_kill(posix_getpid(), 0), posix_kill(2 ** 22 + 1, 0), posix_errno(), posix_strerror(posix_get_last_error()), posix_strerror(-5));
var_dump(posix_access('/'), posix_access('/nonexistent'), posix_errno(), posix_isatty(9999), posix_errno(), posix_ctermid());
var_dump(array_keys(posix_times()), array_keys(posix_uname()), array_keys(posix_getrlimit()), count(posix_getrlimit(POSIX_RLIMIT_CORE)));
var_dump(posix_getsid(-1), posix_getpgid(getmypid()) === posix_getpgrp(), posix_sysconf(POSIX_SC_PAGESIZE), posix_pathconf('/', POSIX_PC_NAME_MAX), posix_pathconf('/', 999));
$name = sys_get_temp_dir() . '/posix_system_' . getmypid();
var_dump(posix_mkfifo($name, 0600), filetype($name), unlink($name), posix_mkfifo('/nonexistent/x', 0600));
foreach ([fn() => posix_mknod($name, POSIX_S_IFCHR), fn() => posix_pathconf('', 0), fn() => posix_eaccess(''), fn() => posix_fpathconf('x', 0)] as $f) {
    try {
        var_dump($f());
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
