import { constants, rmSync } from "node:fs";
import { access, chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@latchkey/embedded-postgres";
import { startPostgresContainer, startRedisContainer } from "./containers.ts";
import { dockerAnswers } from "./docker-answers.ts";
import { findExecutable } from "./find-executable.ts";
import { startPgBouncer } from "./pgbouncer.ts";
import { startRedisCluster } from "./redis-cluster.ts";
import { startRedisServer } from "./redis-server.ts";

/**
 * `databaseUrl` has the role of a superuser, because tests create and drop databases. `poolerUrl` leads to that database through a pooler
 * if
 * the tests run behind one, otherwise it is empty. `stop` ends only the servers that were started here.
 */
export type Backends = {
  databaseUrl: string;
  poolerUrl: string;
  redisUrl: string;
  stop(): Promise<void>;
};

const memoryBytesMin = 8 * 1024 ** 3;

type Backend = { url: string; poolerUrl?: string; stop(): Promise<void> };

/**
 * Starts a real Postgres and a real Redis, each from the first available source: `TEST_DATABASE_URL` or `TEST_REDIS_URL`; containers, if a
 * Docker engine answers; the embedded Postgres, and a `redis-server` from PATH. `TEST_POSTGRES=pgbouncer` puts PgBouncer in front of
 * Postgres, and `TEST_REDIS=cluster` starts a Redis Cluster. Both always come from PATH, because cluster nodes in containers announce
 * addresses that only containers can reach. Throws an error that names the programs to install if there is no source.
 */
export async function startBackends(): Promise<Backends> {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
  const docker = !(TEST_DATABASE_URL && TEST_REDIS_URL) && (await dockerAnswers());
  const results = await Promise.allSettled([
    choosePostgres(TEST_DATABASE_URL, docker),
    chooseRedis(TEST_REDIS_URL, docker),
  ]);
  const started = results.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const stop = async () => {
    await Promise.all(started.map((backend) => backend.stop()));
  };
  const [postgres, redis] = results;
  if (postgres.status === "fulfilled" && redis.status === "fulfilled") {
    const { url: databaseUrl, poolerUrl = "" } = postgres.value;
    return { databaseUrl, poolerUrl, redisUrl: redis.value.url, stop };
  }
  await stop();
  const causes = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  throw new AggregateError(
    causes,
    `The tests need a real Postgres and a real Redis. ${causes.map(String).join("; ")}`,
  );
}

async function choosePostgres(url: string | undefined, docker: boolean): Promise<Backend> {
  const postgres = await (url
    ? externalBackend(url)
    : docker
      ? startPostgresContainer()
      : startTemporaryPostgres());
  if (process.env["TEST_POSTGRES"] !== "pgbouncer") return postgres;
  const pooler = await startPgBouncer({ databaseUrl: postgres.url }).catch(
    async (error: unknown) => {
      await postgres.stop();
      throw error;
    },
  );
  return {
    url: postgres.url,
    poolerUrl: pooler.url,
    async stop() {
      await pooler.stop();
      await postgres.stop();
    },
  };
}

async function chooseRedis(url: string | undefined, docker: boolean): Promise<Backend> {
  if (url) return externalBackend(url);
  if (process.env["TEST_REDIS"] === "cluster") return startRedisCluster();
  return docker ? startRedisContainer() : startLocalRedis();
}

async function externalBackend(url: string): Promise<Backend> {
  return { url, stop: async () => undefined };
}

async function startTemporaryPostgres(): Promise<Backend> {
  const home = await mkdtemp(join(await quickFolder(), "latchkey-postgres-"));
  // As root, the account of Postgres needs access to the directory.
  await chmod(home, 0o711);
  try {
    const postgres = await startEmbeddedPostgres({
      directory: join(home, "data"),
      durable: false,
      // Each process maps the shared buffers. Two processes of each service open many connections.
      postgresFlags: ["-c", "shared_buffers=32MB", "-c", "max_connections=1000"],
    });
    // An interrupted run tears nothing down. Postgres may still be writing while it shuts down, so the deletion is retried.
    const removeAtExit = () => rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    process.on("exit", removeAtExit);
    return {
      url: postgres.url,
      async stop() {
        await postgres.stop();
        process.off("exit", removeAtExit);
        await rm(home, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw error;
  }
}

/** In memory if there is enough of it: cloning a database is forty times faster there than on some disks. */
async function quickFolder(): Promise<string> {
  const memory = "/dev/shm";
  const room = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  const writable = await access(memory, constants.W_OK).then(
    () => true,
    () => false,
  );
  return writable && room >= memoryBytesMin ? memory : tmpdir();
}

async function startLocalRedis(): Promise<Backend> {
  if ((await findExecutable("redis-server")) === undefined) {
    throw new Error(
      "No Redis: install `redis-server` (Debian: apt-get install redis-server; macOS: brew install redis), start Docker, or set TEST_REDIS_URL",
    );
  }
  return startRedisServer();
}
