/** The images of docker-compose.yml: tests run on the versions that installations use, and an engine downloads one of each. */
export const postgresImage = "postgres:18.4-bookworm";
export const redisImage = "redis:8.2.10-bookworm";

/** A machine that runs all tests at once is slow. */
const startMilliseconds = 180_000;

/** A server in a container. `stop` ends it. If this process is killed, Testcontainers' reaper does. */
type Container = { url: string; stop(): Promise<void> };

/** An address in place of the name of this machine, which clients would try by IPv6 too. */
const hostOf = (container: { getHost(): string }): string =>
  container.getHost() === "localhost" ? "127.0.0.1" : container.getHost();

/** A Postgres without durability, which makes tests faster. */
export async function startPostgresContainer(): Promise<Container> {
  const { GenericContainer, Wait } = await import("testcontainers");
  const settings = [
    "max_connections=1000",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
  ];
  const container = await new GenericContainer(postgresImage)
    .withEnvironment({ POSTGRES_PASSWORD: "postgres" })
    .withCommand(["postgres", ...settings.flatMap((setting) => ["-c", setting])])
    .withExposedPorts(5432)
    // Over TCP, on which the server of the initialization does not listen.
    .withHealthCheck({
      test: ["CMD", "pg_isready", "-h", "127.0.0.1", "-U", "postgres"],
      interval: 1_000,
      timeout: 10_000,
      retries: 60,
    })
    .withWaitStrategy(Wait.forHealthCheck())
    .withStartupTimeout(startMilliseconds)
    .start()
    .catch(explainContainerFailure);
  const url = `postgres://postgres:postgres@${hostOf(container)}:${container.getMappedPort(5432)}/postgres`;
  return { url, stop: () => container.stop().then(() => undefined) };
}

/** A Redis without persistence. */
export async function startRedisContainer(): Promise<Container> {
  const { GenericContainer, Wait } = await import("testcontainers");
  const container = await new GenericContainer(redisImage)
    // Some builds of Redis refuse clients of other machines by default, and so those outside of the container.
    .withCommand(["redis-server", "--save", "", "--appendonly", "no", "--protected-mode", "no"])
    .withExposedPorts(6379)
    .withWaitStrategy(
      Wait.forAll([Wait.forLogMessage("Ready to accept connections"), Wait.forListeningPorts()]),
    )
    .withStartupTimeout(startMilliseconds)
    .start()
    .catch(explainContainerFailure);
  return {
    url: `redis://${hostOf(container)}:${container.getMappedPort(6379)}`,
    stop: () => container.stop().then(() => undefined),
  };
}

function explainContainerFailure(cause: unknown): never {
  throw new Error(
    `Docker answers but the container did not start (${String(cause)}): let it pull the image, or set TEST_DATABASE_URL and TEST_REDIS_URL`,
    { cause },
  );
}
