import { assertSchemaCompatibility, PostgresConnection } from "bullmq";
import { briefError } from "../observe/brief-error.ts";
import type { Logger } from "../observe/logger.ts";
import { withDeadline } from "../run/with-deadline.ts";

const connectionsMax = 4;
const commandMilliseconds = 5_000;
const closeMilliseconds = 2_000;

type Listening = ReturnType<PostgresConnection["getListenClient"]>;

/**
 * A pool of connections that queues or workers share, and one that listens if a worker uses it. Unlike BullMQ's own, it can become
 * ready after a failed attempt.
 */
export class PostgresBusConnection extends PostgresConnection {
  readonly #logger: Logger;
  #ready: Promise<void> | undefined;
  #listening: Listening | undefined;

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
    this.#logger = logger;
    this.on("error", (error: Error) =>
      logger.warn({ err: briefError(error) }, "Postgres connection of the bus lost"),
    );
    // A checked-out client has no error listener of the pool, and an unhandled error ends the process.
    this.pool.on("connect", (client) => {
      client.on("error", () => {});
    });
  }

  override waitUntilReady(): Promise<void> {
    return (this.#ready ??= this.#check());
  }

  override getListenClient(): Listening {
    this.#listening = super.getListenClient();
    return this.#listening;
  }

  /** Ends the pool even if the server does not answer the end of the connection that listens. */
  override async close(): Promise<void> {
    await withDeadline(this.#closeQuietly(), closeMilliseconds, "Closing the bus").catch(
      async (error: unknown) => {
        this.#logger.warn({ err: error }, "the bus closes without waiting for Postgres");
        await this.pool.end().catch(() => {}); // rejects if it is ending already
      },
    );
  }

  /** BullMQ ends the listening connection after it has removed its error listener. Without one, an error would end the process. */
  async #closeQuietly(): Promise<void> {
    const client = await this.#listening?.catch(() => undefined);
    const closing = super.close();
    client?.on("error", () => {});
    await closing;
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
