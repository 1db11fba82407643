import { constants, rmSync } from "node:fs";
import { access, chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@latchkey/service-kit/embedded-postgres";
import { dockerAnswers } from "./docker-answers.ts";
import { findExecutable } from "./find-executable.ts";
import { startRedisServer } from "./redis-server.ts";

/** `databaseUrl` is of a superuser: tests make and drop databases. `stop` ends what was started here, nothing else. */
export type Backends = { databaseUrl: string; redisUrl: string; stop(): Promise<void> };

const memoryBytesMin = 8 * 1024 ** 3;

type Backend = { url: string; stop(): Promise<void> };

/**
 * A real Postgres and a real Redis, each from the first source there is: `TEST_DATABASE_URL` or `TEST_REDIS_URL`;
 * containers, when a Docker engine answers; the embedded Postgres, and a `redis-server` of PATH.
 * Throws, saying what to install, when there is none.
 */
export async function startBackends(): Promise<Backends> {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
  const docker = !(TEST_DATABASE_URL && TEST_REDIS_URL) && (await dockerAnswers());
  const results = await Promise.allSettled([
    TEST_DATABASE_URL
      ? given(TEST_DATABASE_URL)
      : docker
        ? startPostgresContainer()
        : startTemporaryPostgres(),
    TEST_REDIS_URL ? given(TEST_REDIS_URL) : docker ? startRedisContainer() : startLocalRedis(),
  ]);
  const stop = async () => {
    await Promise.all(
      results.map((result) =>
        result.status === "fulfilled" ? result.value.stop() : Promise.resolve(),
      ),
    );
  };
  const [postgres, redis] = results;
  if (postgres.status === "fulfilled" && redis.status === "fulfilled") {
    return { databaseUrl: postgres.value.url, redisUrl: redis.value.url, stop };
  }
  await stop();
  const causes = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  throw new AggregateError(
    causes,
    `The tests need a real Postgres and a real Redis. ${causes.map(String).join("; ")}`,
  );
}

async function given(url: string): Promise<Backend> {
  return { url, stop: async () => undefined };
}

async function startTemporaryPostgres(): Promise<Backend> {
  const home = await mkdtemp(join(await quickFolder(), "latchkey-postgres-"));
  // Under root, Postgres' own account has to pass through.
  await chmod(home, 0o711);
  try {
    const postgres = await startEmbeddedPostgres({ directory: join(home, "data"), durable: false });
    // An interrupted run tears nothing down. Postgres, told to end by then, may still be writing: hence the retries.
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

/** In memory where there is plenty: cloning a database is forty times quicker there than on some disks. */
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

async function startPostgresContainer(): Promise<Backend> {
  const { GenericContainer, Wait } = await import("testcontainers");
  const settings = [
    "max_connections=300",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
  ];
  const container = await new GenericContainer("postgres:18-alpine")
    .withEnvironment({ POSTGRES_PASSWORD: "postgres" })
    .withCommand(["postgres", ...settings.flatMap((setting) => ["-c", setting])])
    .withExposedPorts(5432)
    // The image starts a server to initialise and stops it before the real one.
    .withWaitStrategy(Wait.forLogMessage("database system is ready to accept connections", 2))
    .start()
    .catch(explainContainerFailure);
  const url = `postgres://postgres:postgres@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
  return { url, stop: () => container.stop().then(() => undefined) };
}

async function startRedisContainer(): Promise<Backend> {
  const { GenericContainer, Wait } = await import("testcontainers");
  const container = await new GenericContainer("redis:8-alpine")
    .withCommand(["redis-server", "--save", "", "--appendonly", "no"])
    .withExposedPorts(6379)
    .withWaitStrategy(Wait.forLogMessage("Ready to accept connections"))
    .start()
    .catch(explainContainerFailure);
  return {
    url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`,
    stop: () => container.stop().then(() => undefined),
  };
}

function explainContainerFailure(cause: unknown): never {
  throw new Error(
    `Docker answers but the container did not start (${String(cause)}): let it pull the image, or set TEST_DATABASE_URL and TEST_REDIS_URL`,
    { cause },
  );
}
