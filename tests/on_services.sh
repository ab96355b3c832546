#!/usr/bin/env bash
# Runs a command on PostgreSQL and Redis: those named by TEST_DATABASE_URL and TEST_BROKER_URL, or the local ones.
set -euo pipefail

export TEST_DATABASE_URL=${TEST_DATABASE_URL:-postgres://postgres@127.0.0.1:5432/postgres}
export TEST_BROKER_URL=${TEST_BROKER_URL:-redis://127.0.0.1:6379/15}
echo "==> On $TEST_DATABASE_URL and $TEST_BROKER_URL"
exec "$@"
