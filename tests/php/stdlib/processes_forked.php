<?php
// A forked child goes on by itself; its output and end reach the parent.
echo "before\n";
$pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$child = pcntl_fork();
if ($child < 0) {
    // A signal for process -1 is one for all processes.
    exit("cannot fork\n");
}
if ($child === 0) {
    fclose($pair[0]);
    fwrite($pair[1], "from the child: " . strtoupper(fgets($pair[1])));
    usleep(1000);
    exit(7);
}
fclose($pair[1]);
fwrite($pair[0], "hello\n");
echo fgets($pair[0]);
var_dump(pcntl_waitpid($child, $status) === $child, pcntl_wifexited($status), pcntl_wexitstatus($status));
$child = pcntl_fork();
if ($child < 0) {
    // A signal for process -1 is one for all processes.
    exit("cannot fork\n");
}
if ($child === 0) {
    sleep(30);
    exit(0);
}
var_dump(pcntl_waitpid($child, $status, WNOHANG));
var_dump(posix_kill($child, 15), pcntl_waitpid($child, $status) === $child);
var_dump(pcntl_wifsignaled($status), pcntl_wtermsig($status), pcntl_wifexited($status));
var_dump(pcntl_waitpid(-1, $status), pcntl_strerror(pcntl_get_last_error()));
