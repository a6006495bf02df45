#!/usr/bin/env bash
# Stock PHP 8.4 from Debian trixie in a chroot: the oracle that Jumbo is compared with. Needs root.
#
#   oracle.sh install           once per machine, about two minutes; does nothing when it is there already
#   oracle.sh php ARGS...       php8.4 in the current folder, which is mounted at its own path
#   oracle.sh sources [DIR]     unpack the php8.4 source package, for its .phpt tests (default .work/php-src)
#   oracle.sh package NAME DIR  unpack a Debian package (wordpress, mediawiki, ...) into DIR
#   oracle.sh root              print the chroot's folder ($ORACLE_ROOT, default /opt/php-oracle)
set -euo pipefail

root=${ORACLE_ROOT:-/opt/php-oracle}
suite=trixie
extensions=(opcache apcu mbstring xml mysql sqlite3 pgsql curl intl gd zip bcmath gmp bz2 soap readline)

die() { echo "oracle: $*" >&2; exit 1; }

# The archive that this machine's own apt uses, so that a proxy or a local mirror is honoured.
archive() {
  local found
  found=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    awk '/^URIs:/ {print $2} /^deb / {for (i = 2; i <= NF; i++) if ($i ~ /^(https?|file|mirror)/) {print $i; break}}' |
    grep -v security | head -n 1)
  echo "${found:-http://deb.debian.org/debian}"
}

in_chroot() { DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }

# Where mounting is not allowed, most of what runs inside does without.
mount_kernel() {
  [[ -e $root/proc/self ]] || mount --bind /proc "$root/proc" || echo "oracle: no /proc inside" >&2
  [[ -e $root/dev/urandom ]] || mount --bind /dev "$root/dev" || echo "oracle: no /dev inside" >&2
}

# The chroot itself, without PHP.
bootstrap() {
  if [[ ! -e $root/etc/jumbo-oracle ]]; then
    [[ $(id -u) == 0 ]] || die "making the chroot needs root"
    if ! command -v debootstrap >/dev/null; then
      apt-get update -qq
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq debootstrap
    fi
    local from
    from=$(archive)
    # An attempt that was interrupted is begun anew.
    if [[ -d $root/debootstrap || ! -x $root/usr/bin/apt-get ]]; then
      debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$from"
    fi
    cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
    # No service may start inside the chroot.
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod +x "$root/usr/sbin/policy-rc.d"
    grep -qs '^deb-src' "$root/etc/apt/sources.list" ||
      echo "deb-src $from $suite main" >>"$root/etc/apt/sources.list"
    # Without it the name localhost is not known inside.
    echo '127.0.0.1 localhost' >"$root/etc/hosts"
    mount_kernel
    in_chroot apt-get update -qq
    touch "$root/etc/jumbo-oracle"
  fi
  mount_kernel
}

install_oracle() {
  if [[ -x $root/usr/bin/php8.4 && -x $root/usr/bin/php-cgi8.4 ]]; then return; fi
  bootstrap
  # tzdata-legacy: time zones under their old names, which PHP knows too.
  in_chroot apt-get install -y -qq --no-install-recommends tzdata tzdata-legacy \
    php8.4-cli php8.4-cgi php8.4-fpm "${extensions[@]/#/php8.4-}"
  in_chroot php8.4 -v
}

unpack_sources() {
  local dir=$1
  if [[ -d $dir/Zend/tests ]]; then return; fi
  bootstrap
  mkdir -p "$dir"
  in_chroot sh -c 'cd /tmp && rm -f php8.4_* && apt-get source --download-only -qq php8.4'
  tar -xf "$root"/tmp/php8.4_*.orig.tar.xz -C "$dir" --strip-components=1
  rm -f "$root"/tmp/php8.4_*
}

case ${1:-} in
  install) install_oracle ;;
  php)
    shift
    [[ -x $root/usr/bin/php8.4 ]] || die "not installed: run 'cargo xtask oracle install' as root"
    mount_kernel
    mkdir -p "$root$PWD"
    # A mount table of its own: the mount ends with the process, and no other run sees it.
    exec unshare --mount bash -c '
      root=$1 cwd=$2
      shift 2
      mount --bind "$cwd" "$root$cwd"
      # PHP as such, without the settings of the distribution; the extensions are loaded elsewhere.
      mount --bind /dev/null "$root/etc/php/8.4/cli/php.ini"
      exec chroot "$root" sh -c "cd \"\$0\" && exec php8.4 \"\$@\"" "$cwd" "$@"' oracle "$root" "$PWD" "$@"
    ;;
  sources) unpack_sources "${2:-$(dirname "$0")/../.work/php-src}" ;;
  package)
    bootstrap
    mkdir -p "$3"
    in_chroot sh -c 'cd /tmp && apt-get download -qq "$1"' oracle "$2"
    dpkg -x "$root"/tmp/"$2"_*.deb "$3"
    ;;
  root) echo "$root" ;;
  *) sed -n '2,8p' "$0"; exit 2 ;;
esac
