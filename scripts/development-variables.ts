/** Environment variables of tests and development. No service reads them. */
export const developmentVariables: readonly { name: string; meaning: string }[] = [
  {
    name: "TEST_DATABASE_URL",
    meaning:
      "A Postgres for the tests, by a superuser; databases and roles `latchkey_test_*` are made there. Else Docker's, or the embedded one.",
  },
  {
    name: "TEST_REDIS_URL",
    meaning: "A Redis for the tests. Else Docker's, or the `redis-server` of `PATH`.",
  },
  {
    name: "TEST_POSTGRES",
    meaning:
      "`pgbouncer` has every service of the tests reach Postgres through PgBouncer in transaction mode.",
  },
  {
    name: "TEST_REDIS",
    meaning: "`cluster` has the tests run on a Redis Cluster of three masters.",
  },
  {
    name: "TEST_STACK",
    meaning: "`split` has the tests run on services in processes of their own, two of each.",
  },
  { name: "CHROMIUM_PATH", meaning: "The Chromium that browser tests drive." },
  {
    name: "LATCHKEY_URL",
    meaning:
      "Where the admin web under development finds the gateway; `http://localhost:3000` without it.",
  },
];
