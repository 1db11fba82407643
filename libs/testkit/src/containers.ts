/** A server in a container. `stop` ends it. If this process is killed, Testcontainers' reaper does. */
type Container = { url: string; stop(): Promise<void> };

/** A Postgres without durability, which makes tests faster. */
export async function startPostgresContainer(): Promise<Container> {
  const { GenericContainer, Wait } = await import("testcontainers");
  const settings = [
    "max_connections=1000",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
  ];
  const container = await new GenericContainer("postgres:18.1-alpine")
    .withEnvironment({ POSTGRES_PASSWORD: "postgres" })
    .withCommand(["postgres", ...settings.flatMap((setting) => ["-c", setting])])
    .withExposedPorts(5432)
    // The image starts a server for initialization and stops it before the real one. The log line may also appear before the port is
    // mapped.
    .withWaitStrategy(
      Wait.forAll([
        Wait.forLogMessage("database system is ready to accept connections", 2),
        Wait.forListeningPorts(),
      ]),
    )
    .start()
    .catch(explainContainerFailure);
  const url = `postgres://postgres:postgres@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
  return { url, stop: () => container.stop().then(() => undefined) };
}

/** A Redis without persistence. */
export async function startRedisContainer(): Promise<Container> {
  const { GenericContainer, Wait } = await import("testcontainers");
  const container = await new GenericContainer("redis:8.2-alpine")
    .withCommand(["redis-server", "--save", "", "--appendonly", "no"])
    .withExposedPorts(6379)
    .withWaitStrategy(
      Wait.forAll([Wait.forLogMessage("Ready to accept connections"), Wait.forListeningPorts()]),
    )
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
