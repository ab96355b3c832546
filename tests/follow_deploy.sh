#!/usr/bin/env bash
# Follows docs/deploy.md, block by block, on a copy of this Debian machine that is thrown away (`make deploy-test`).
# Needs root, and rights to mount; without these it ends with 77. What is written goes into an overlay, and from step 3 on there is no network but its own.
# Instead of these, which a copy cannot have, there are short programs that do the same: systemctl starts the units'
# commands with their account and settings, certbot makes a certificate of its own, and editor fills nothing in.
set -euo pipefail

HOST=classroom.example.org

blocks() {  # of the sections with these numbers, as they stand in the document
  awk -v wanted="$1" '/^## /{here = index(wanted, substr($2, 1, 1)) && $2 ~ /^[0-9]\.$/}
    /^```/{inside = here && /^```sh/; next} inside' /copy/docs/deploy.md
}

stand_in() {
  printf '#!/bin/bash\nset -euo pipefail\n%s\n' "$2" > "/usr/local/sbin/$1"
  chmod 755 "/usr/local/sbin/$1"
}

# --- outside: a copy of the repository, and a copy of the machine ---
if [ "${1:-}" = "" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  if ! unshare --mount --pid --net --fork "$0" try "$folder" 2> /dev/null; then
    echo "==> Not possible here: it needs root, and rights to mount"
    exit 77
  fi
  git clone --quiet "$(dirname "$0")/.." "$folder/copy"
  unshare --mount --pid --fork --kill-child "$folder/copy/tests/follow_deploy.sh" mount "$folder"
fi

if [ "${1:-}" = try ] || [ "${1:-}" = mount ]; then
  cd "$2"
  mkdir --parents disk root
  mount -t tmpfs -o size=6g tmpfs disk
  mkdir disk/up disk/work
  mount -t overlay overlay -o "lowerdir=/,upperdir=$2/disk/up,workdir=$2/disk/work" root
fi

if [ "${1:-}" = mount ]; then
  mkdir -p root/copy
  cp -a copy/. root/copy
  mount -t proc proc root/proc
  mount --rbind /dev root/dev
  mount -t tmpfs tmpfs root/run
  mount -t tmpfs -o mode=1777 tmpfs root/tmp
  cp --dereference /etc/resolv.conf root/etc/resolv.conf
  chroot root /copy/tests/follow_deploy.sh install
  unshare --net chroot root /copy/tests/follow_deploy.sh serve
fi

# --- inside: the packages and the program ---
if [ "${1:-}" = install ]; then
  export DEBIAN_FRONTEND=noninteractive PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  rm -rf /opt/classroom /var/lib/classroom /etc/classroom.env
  git config --global --add safe.directory '*'
  blocks 12 | sed 's|YOUR-COPY-OF-THE-REPOSITORY|/copy|' > /follow.sh
  set -x
  source /follow.sh
fi

# --- inside, without a network: database, settings, services, HTTPS ---
if [ "${1:-}" = serve ]; then
  export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
  ip link set lo up
  # As the packages leave them: a cluster of PostgreSQL that is new, and Redis.
  rm -rf /etc/postgresql/* /var/lib/postgresql/* /var/log/postgresql/*
  mkdir -p /run/postgresql /run/redis
  chown postgres:postgres /run/postgresql
  version=$(ls /usr/lib/postgresql | sort -V | tail -n 1)
  pg_createcluster "$version" main --start > /dev/null
  redis-server --daemonize yes --bind 127.0.0.1 --save "" > /dev/null
  echo "127.0.0.1 $HOST" >> /etc/hosts
  echo insecure > /root/.curlrc  # the certificate is our own
  stand_in editor ':'
  stand_in certbot "mkdir -p /etc/letsencrypt/live/$HOST /etc/letsencrypt/renewal-hooks/deploy
cd /etc/letsencrypt/live/$HOST
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=$HOST -keyout privkey.pem -out fullchain.pem 2> /dev/null"
  stand_in systemctl 'start() {
  unit=$1 instance=; [[ $unit == *.* ]] || unit=$unit.service
  if [[ $unit == *@* ]]; then instance=${unit#*@}; instance=${instance%.service}; unit=${unit%%@*}@.service; fi
  file=/etc/systemd/system/$unit
  [[ $unit == *.timer ]] && { test -f "$file"; return; }
  value() { sed -n "s/^$1=//p" "$file"; }
  command=$(value ExecStart | sed "s/%i/$instance/g; s/%%/%/g")
  install --directory --mode 0700 --owner "$(value User)" "/var/lib/$(value StateDirectory)"
  while IFS= read -r line; do [[ $line == [A-Z]*=* ]] && export "$line"; done < "$(value EnvironmentFile)"
  cd "$(value WorkingDirectory)"; umask "$(value UMask)"
  if [[ $(value Type) == oneshot ]]; then runuser -u "$(value User)" -- $command; return; fi
  setsid runuser -u "$(value User)" -- $command > "/var/log/$1.log" 2>&1 < /dev/null &
}
case "$1 ${2:-}" in
  "enable --now") systemd-analyze verify /etc/systemd/system/classroom-*.service 2>&1 | grep classroom && exit 1
    for unit in "${@:3}"; do start "$unit"; done
    for _ in $(seq 120); do curl --silent --fail http://127.0.0.1:8000/readyz > /dev/null && break; sleep 1; done ;;
  "start classroom-backup") start classroom-backup ;;
  "reload nginx") pgrep -x nginx > /dev/null && nginx -s reload || nginx ;;
  "daemon-reload "|"restart systemd-journald") ;;
  *) echo "systemctl $*: not known here" >&2; exit 1 ;;
esac'
  # Django asks for these of a person.
  export DJANGO_SUPERUSER_USERNAME=admin DJANGO_SUPERUSER_PASSWORD=a-long-passphrase-7
  export DJANGO_SUPERUSER_EMAIL=admin@example.org DJANGO_SUPERUSER_NAME=Admin
  cd /opt/classroom
  blocks 34567 | sed 's|^manage createsuperuser$|& --noinput|' > /follow.sh
  set -x
  source /follow.sh
  # The first line of an upgrade, and a page for people.
  systemctl start classroom-backup
  ls /var/lib/classroom/backups/*
  curl --silent --fail "https://$HOST/accounts/login/" | grep --quiet 'Log in'
  curl --silent --output /dev/null --write-out '%{http_code} %{redirect_url}\n' "http://$HOST/x" | grep "301 https://$HOST/x"
  { set +x; } 2> /dev/null
  echo "==> docs/deploy.md leads to a site"
fi
