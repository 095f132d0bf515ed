#!/bin/sh
# Starts a cluster of Citus on this machine, one coordinator and two workers that trust everybody here: for tests, with no data of worth.
# Needs PostgreSQL with the extension citus installed beside it. Usage:
#   cluster.sh start FOLDER [BIN] [PORT]   starts the nodes that do not run; BIN has initdb and postgres, the nodes take PORT (5620
#                                          unless given) and the next two. Prints the address of the coordinator
#   cluster.sh stop FOLDER [BIN]           stops the nodes; the folder stays
set -eu
word=${1:-}; folder=${2:-}; bin=${3:-/usr/lib/postgresql/15/bin}; port=${4:-5620}
[ -n "$folder" ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
# PostgreSQL refuses to run as root.
as() { if [ "$(id -u)" = 0 ]; then (cd "$folder" && setpriv --reuid=postgres --regid=postgres --clear-groups env HOME="$folder" "$@"); else "$@"; fi; }
nodes='coordinator worker1 worker2'
case $word in
start)
  [ -e "$("$bin/pg_config" --pkglibdir)/citus.so" ] || { echo "PostgreSQL in $bin has no extension citus." >&2; exit 1; }
  mkdir -p "$folder"; folder=$(cd "$folder" && pwd)
  [ "$(id -u)" != 0 ] || chown postgres "$folder"
  at=$port; sql="select citus_set_coordinator_host('127.0.0.1', $port);"
  for node in $nodes; do
    if [ ! -e "$folder/$node" ]; then
      as "$bin/initdb" -D "$folder/$node" -A trust -U shipworthy -E UTF8 --locale=C >/dev/null
      printf "%s\n" "shared_preload_libraries = 'citus'" 'max_prepared_transactions = 200' 'max_connections = 200' \
        'wal_level = logical' 'citus.recover_2pc_interval = 5s' "listen_addresses = '127.0.0.1'" "unix_socket_directories = ''" "port = $at" >>"$folder/$node/postgresql.conf"
    fi
    as "$bin/pg_ctl" -D "$folder/$node" status >/dev/null || as "$bin/pg_ctl" -D "$folder/$node" -l "$folder/$node.log" -w start >/dev/null
    "$bin/psql" -qX -h 127.0.0.1 -p "$at" -U shipworthy postgres -c 'set client_min_messages = warning; create extension if not exists citus'
    [ "$at" = "$port" ] || sql="$sql select citus_add_node('127.0.0.1', $at);"
    at=$((at + 1))
  done
  "$bin/psql" -qAtX -h 127.0.0.1 -p "$port" -U shipworthy postgres -c "$sql" >/dev/null
  echo "postgres://shipworthy@127.0.0.1:$port/postgres"
  ;;
stop)
  for node in $nodes; do as "$bin/pg_ctl" -D "$folder/$node" -m fast -w stop >/dev/null; done
  ;;
*) echo 'The first word is start or stop.' >&2; exit 2 ;;
esac
