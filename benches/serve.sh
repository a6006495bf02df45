#!/usr/bin/env bash
# hello.php under `wrk -c16`: `jumbo serve` beside nginx with php-fpm 8.4 (opcache on, JIT off), in turns.
#
#   benches/serve.sh [JUMBO] [ROUNDS]      default target/release/jumbo, 3 rounds of 5 s each
#
# Prints requests a second, CPU time a request (user and system, all processes of the server), resident and private memory.
# Needs root, wrk, nginx, and stock PHP from `cargo xtask oracle install`.
set -euo pipefail
cd "$(dirname "$0")/.."
jumbo=$(realpath "${1:-target/release/jumbo}")
rounds=${2:-3}
seconds=${SECONDS_EACH:-5}
root=${ORACLE_ROOT:-/opt/php-oracle}
for tool in wrk nginx; do
  command -v "$tool" >/dev/null || { echo "serve.sh: $tool is missing: apt-get install wrk nginx-light" >&2; exit 2; }
done
[[ -x $root/usr/sbin/php-fpm8.4 ]] || { echo "serve.sh: no php-fpm: cargo xtask oracle install" >&2; exit 2; }

work=$(mktemp -d)
site=$root/srv/jumbo-bench
mkdir -p "$site" "$work/site"
printf '<?php echo "Hello, World!\\n";\n' | tee "$work/site/hello.php" >"$site/hello.php"
cores=$(nproc)
cat >"$root/srv/jumbo-bench-fpm.conf" <<CONF
[global]
error_log = /dev/null
daemonize = no
[www]
user = root
group = root
listen = 127.0.0.1:9734
pm = static
pm.max_children = $((cores * 2))
access.log = /dev/null
CONF
cat >"$work/nginx.conf" <<CONF
worker_processes $cores;
pid $work/nginx.pid;
error_log /dev/null;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000;
  client_body_temp_path $work/body; fastcgi_temp_path $work/fastcgi; proxy_temp_path $work/proxy;
  uwsgi_temp_path $work/uwsgi; scgi_temp_path $work/scgi;
  upstream fpm { server 127.0.0.1:9734; keepalive $((cores * 2)); }
  server {
    listen 127.0.0.1:8734;
    location ~ \.php\$ {
      fastcgi_pass fpm;
      fastcgi_keep_conn on;
      include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME /srv/jumbo-bench\$fastcgi_script_name;
    }
  }
}
CONF
pids=()
cleanup() { kill "${pids[@]}" 2>/dev/null || true; [[ -f $work/nginx.pid ]] && kill "$(cat "$work/nginx.pid")" 2>/dev/null || true; rm -rf "$work" "$site" "$root/srv/jumbo-bench-fpm.conf"; }
trap cleanup EXIT

chroot "$root" php-fpm8.4 --allow-to-run-as-root -n -d zend_extension=opcache -d opcache.enable=1 -d opcache.jit=disable \
  -y /srv/jumbo-bench-fpm.conf &
fpm=$!; pids+=("$fpm")
nginx -c "$work/nginx.conf" -p "$work"
"$jumbo" serve "$work/site" --listen 127.0.0.1:8735 >/dev/null 2>&1 &
server=$!; pids+=("$server")
for port in 8734 8735; do
  for _ in $(seq 100); do curl -fs "http://127.0.0.1:$port/hello.php" -o /dev/null && break; sleep 0.1; done
  [[ $(curl -fs "http://127.0.0.1:$port/hello.php") == "Hello, World!" ]] || { echo "serve.sh: port $port does not answer as it should" >&2; exit 1; }
done

tree() { local p; for p in "$@"; do echo "$p"; tree $(pgrep -P "$p" || true); done; }
ticks() { local p sum=0; for p in $(tree "$@"); do sum=$((sum + $(awk '{print $14 + $15}' "/proc/$p/stat" 2>/dev/null || echo 0))); done; echo "$sum"; }
private() { local p; for p in $(tree "$@"); do awk '/^Private/ {s += $2} END {print s}' "/proc/$p/smaps_rollup" 2>/dev/null; done | awk '{s += $1} END {printf "%.1f", s / 1024}'; }
one() { # name port pid...
  local name=$1 port=$2 before after out requests; shift 2
  before=$(ticks "$@")
  out=$(wrk -c16 -t2 -d"${seconds}s" --latency "http://127.0.0.1:$port/hello.php")
  after=$(ticks "$@")
  requests=$(awk '/requests in/ {print $1}' <<<"$out")
  if grep -qE 'Non-2xx|connect [1-9]|read [1-9]|write [1-9]' <<<"$out"; then echo "$out" >&2; exit 1; fi
  grep -o 'timeout [1-9][0-9]*' <<<"$out" | sed "s/^/$name: wrk counted /" || true
  awk -v n="$name" -v r="$requests" -v t="$((after - before))" -v hz="$(getconf CLK_TCK)" -v rps="$(awk '/Requests\/sec/ {print $2}' <<<"$out")" \
    -v p50="$(awk '/50%/ {print $2}' <<<"$out")" -v p99="$(awk '/99%/ {print $2}' <<<"$out")" -v mem="$(private "$@")" \
    'BEGIN {printf "%-10s %9.0f requests/s  %7.1f us CPU a request  p50 %s p99 %s  %s MiB private\n", n, rps, t / hz / r * 1e6, p50, p99, mem}'
}
echo "idle: nginx+fpm $(private "$fpm" "$(cat "$work/nginx.pid")") MiB private, jumbo $(private "$server") MiB private"
for _ in $(seq "$rounds"); do
  one nginx+fpm 8734 "$fpm" "$(cat "$work/nginx.pid")"
  one jumbo 8735 "$server"
done
