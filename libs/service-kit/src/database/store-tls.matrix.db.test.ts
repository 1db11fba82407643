import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import {
  freePort,
  localhostCertificate,
  type RedisServer,
  startRedisServer,
  until,
} from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { createLogger } from "../observe/logger.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@latchkey/embedded-postgres";
import { createPostgresPool } from "./postgres-pool.ts";
import { createRedis } from "./redis.ts";

const logger = createLogger({ service: "test", level: "silent" });
const originals = getCACertificates("default");
const isUnproven = /self-signed certificate|unable to verify|does not match/;

let home: string;
let postgres: EmbeddedPostgres;
let redis: RedisServer;
let redisPort: number;

const queryPostgres = async (url: string, statement: string): Promise<unknown> => {
  const pool = createPostgresPool({ url, max: 1, logger, applicationName: "test" });
  try {
    return (await pool.query(statement)).rows;
  } finally {
    await pool.end();
  }
};

const pingRedis = async (url: string): Promise<string> => {
  const client = createRedis(url, logger);
  const failures: Error[] = [];
  client.on("error", (error) => failures.push(error));
  try {
    return await client.ping();
  } catch (error) {
    throw failures[0] ?? error;
  } finally {
    client.disconnect();
  }
};

/** The server writes the files itself, because it requires to own its key file. */
const giveCertificate = async ({ url }: EmbeddedPostgres): Promise<void> => {
  const files = { "server.key": localhostCertificate.key, "server.crt": localhostCertificate.cert };
  for (const [name, text] of Object.entries(files))
    await queryPostgres(
      url,
      `copy (select unnest(string_to_array('${text}', e'\n'))) to program 'umask 077; cat > ${name}'`,
    );
  await queryPostgres(url, "alter system set ssl = on");
  await queryPostgres(url, "select pg_reload_conf()");
};

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "store-tls-"));
  // Under root, the postgres account must be able to enter.
  await chmod(home, 0o711);
  const [key, cert] = [join(home, "key.pem"), join(home, "cert.pem")];
  await writeFile(key, localhostCertificate.key);
  await writeFile(cert, localhostCertificate.cert);
  redisPort = await freePort();
  const files = ["--tls-cert-file", cert, "--tls-key-file", key, "--tls-auth-clients", "no"];
  [postgres, redis] = await Promise.all([
    startEmbeddedPostgres({ directory: join(home, "postgres"), durable: false }),
    startRedisServer({ args: ["--tls-port", String(redisPort), ...files] }),
  ]);
  await giveCertificate(postgres);
});

afterEach(() => setDefaultCACertificates(originals));

afterAll(async () => {
  await Promise.all([postgres.stop(), redis.stop()]);
  await rm(home, { recursive: true, force: true });
});

const postgresUrl = (host: string): string => {
  const url = new URL(postgres.url);
  url.hostname = host;
  url.searchParams.set("sslmode", "verify-full");
  return url.href;
};

describe("over TLS", () => {
  test("connects to an authenticated Postgres over TLS only", async () => {
    setDefaultCACertificates([...originals, localhostCertificate.cert]);
    const isOverTls = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
    await until(async () => queryPostgres(postgresUrl("localhost"), "select 1"));
    expect(await queryPostgres(postgresUrl("localhost"), isOverTls)).toEqual([{ ssl: true }]);
  });

  test("connects to an authenticated Redis", async () => {
    setDefaultCACertificates([...originals, localhostCertificate.cert]);
    expect(await pingRedis(`rediss://localhost:${redisPort}`)).toBe("PONG");
  });

  /** Attack: a man in the middle answers in place of the store. */
  test("sends nothing to a store with an invalid certificate", async () => {
    await expect(queryPostgres(postgresUrl("localhost"), "select 1")).rejects.toThrow(isUnproven);
    await expect(pingRedis(`rediss://localhost:${redisPort}`)).rejects.toThrow(isUnproven);
    setDefaultCACertificates([...originals, localhostCertificate.cert]);
    await expect(queryPostgres(postgresUrl("127.0.0.1"), "select 1")).rejects.toThrow(isUnproven);
    await expect(pingRedis(`rediss://127.0.0.1:${redisPort}`)).rejects.toThrow(isUnproven);
  });

  /** Attack: a man in the middle claims that the server has no TLS. */
  test("never falls back to an unencrypted Postgres connection", async () => {
    const plain = new URL(inject("databaseUrl"));
    plain.searchParams.set("sslmode", "verify-full");
    await expect(queryPostgres(plain.href, "select 1")).rejects.toThrow(/does not support SSL/);
  });
});
