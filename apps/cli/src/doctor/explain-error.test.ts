import { expect, test } from "vitest";
import { explainError } from "./explain-error.ts";

const server = { what: "Postgres", address: "db.example.com:5432/main", option: "DATABASE_URL" };
const failure = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

test.each([
  [failure("connect ECONNREFUSED 192.0.2.1:5432", "ECONNREFUSED"), "start Postgres at db.example"],
  [new AggregateError([failure("connect ECONNREFUSED ::1:5432")]), "start Postgres at db.example"],
  [failure("getaddrinfo ENOTFOUND db.example.com", "ENOTFOUND"), "fix the host in DATABASE_URL"],
  [
    failure('password authentication failed for user "me"', "28P01"),
    "user and password in DATABASE",
  ],
  [failure("WRONGPASS invalid username-password pair"), "user and password in DATABASE_URL"],
  [failure("Invalid login: 535 authentication failed", "EAUTH"), "user and password in DATABASE"],
  [failure("no pg_hba.conf entry for host, no encryption", "28000"), "sslmode=require"],
  [failure('database "main" does not exist', "3D000"), "create that database"],
  [failure("sorry, too many clients already", "53300"), "max_connections"],
  [failure("the database system is starting up", "57P03"), "wait for it"],
  [failure("permission denied for schema identity", "42501"), "that privilege"],
  [failure("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT"), "sslrootcert=<file>"],
  [failure("unable to get local issuer certificate"), "NODE_EXTRA_CA_CERTS"],
  [failure("Hostname/IP does not match certificate's altnames"), "a certificate for its name"],
  [
    failure('prepared statement "select_1" does not exist', "26000"),
    "DATABASE_PREPARED_STATEMENTS=false",
  ],
  [failure("checking Postgres took longer than 8000 ms"), "that this machine may reach it"],
  [failure("timeout exceeded when trying to connect"), "that this machine may reach it"],
  [
    failure("ERR This instance has cluster support disabled"),
    "replace redis-cluster:// with redis://",
  ],
  [failure("CLUSTERDOWN not every key is served"), "start every master"],
  [failure("something new"), "fix what Postgres says"],
])("%s: the remedy is told", (error, remedy) => {
  expect(explainError(error, server).remedy).toContain(remedy);
});
