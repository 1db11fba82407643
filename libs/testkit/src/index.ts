export { type Backends, startBackends } from "./backends.ts";
export { countScans } from "./count-scans.ts";
export { dockerAnswers } from "./docker-answers.ts";
export { findExecutable } from "./find-executable.ts";
export { findPostgresTools } from "./find-postgres-tools.ts";
export { freePort } from "@latchkey/embedded-postgres";
export { expectNoLeaks } from "./leak-check.ts";
export { localhostCertificate } from "./localhost-certificate.ts";
export { newCaller, newPerson, type Person } from "./new-person.ts";
export { type PgBouncer, startPgBouncer, throughPooler } from "./pgbouncer.ts";
export type { ProvidedBackends } from "./provided-context.ts";
export { type RedisClusterServers, startRedisCluster } from "./redis-cluster.ts";
export { type RedisServer, type RedisServerOptions, startRedisServer } from "./redis-server.ts";
export { serviceFixture, testSecret } from "./service-fixture.ts";
export {
  type CaughtMail,
  type RefusalMode,
  type SmtpCatcher,
  startSmtpCatcher,
} from "./smtp-catcher.ts";
export {
  type CreationOptions,
  createSoftwareAuthenticator,
  type Deviation,
  type RequestOptions,
  type SoftwareAuthenticator,
} from "./software-authenticator.ts";
export { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
export { createTestClock, type TestClock } from "./test-clock.ts";
export { createTestDatabase, type DatabaseTemplate, type TestDatabase } from "./test-database.ts";
export { createTestRedis, type TestRedis } from "./test-redis.ts";
export { until, type UntilOptions } from "./until.ts";
