import { assertSchemaCompatibility, PostgresConnection } from "bullmq";
import { briefError } from "../observe/brief-error.ts";
import type { Logger } from "../observe/logger.ts";

const connectionsMax = 8;
const commandMilliseconds = 5_000;

/**
 * The connections of a bus to Postgres, which its queues, workers and operators share: a pool, and one that listens if there is
 * a worker. Unlike BullMQ's own, it can become ready after a failed attempt.
 */
export class PostgresBusConnection extends PostgresConnection {
  #ready: Promise<void> | undefined;

  constructor(url: string, schema: string, logger: Logger) {
    super({
      connectionString: url,
      schema,
      application_name: "latchkey-bus",
      max: connectionsMax,
      query_timeout: commandMilliseconds,
      connectionTimeoutMillis: commandMilliseconds,
      keepAlive: true,
    });
    const report = (error: Error) =>
      logger.warn({ err: briefError(error) }, "Postgres connection of the bus lost");
    this.on("error", report);
    // A checked-out client has no error listener of the pool, and an unhandled error ends the process.
    this.pool.on("connect", (client) => {
      client.on("error", report);
    });
  }

  override waitUntilReady(): Promise<void> {
    return (this.#ready ??= this.#check());
  }

  async #check(): Promise<void> {
    try {
      await assertSchemaCompatibility(this.pool, this.schema);
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }
}
