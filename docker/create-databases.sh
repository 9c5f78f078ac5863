#!/bin/bash
# Run by the PostgreSQL image when its volume is new. recaudo and Temporal get a role and databases of their own, which
# the other role cannot connect to. The superuser has no password afterwards, so it can only log in inside the container.
set -eu
psql --username=postgres --dbname=postgres --quiet --set=ON_ERROR_STOP=1 \
  --set=password="$POSTGRES_PASSWORD" --set=temporal_password="$TEMPORAL_POSTGRES_PASSWORD" <<'SQL'
create role recaudo login password :'password';
create database recaudo owner recaudo;
create role temporal login password :'temporal_password';
create database temporal owner temporal;
create database temporal_visibility owner temporal;
revoke all on database recaudo, temporal, temporal_visibility, postgres, template1 from public;
alter role postgres password null;
SQL
