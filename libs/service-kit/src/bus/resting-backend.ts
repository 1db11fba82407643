import { setTimeout as delay } from "node:timers/promises";
import { PostgresQueueBackend, type PostgresConnection } from "bullmq";

const restMilliseconds = 500;
const blockSeconds = 10;

/**
 * BullMQ's Postgres backend of a worker, on a shared connection and hardened against a lost server. A failed fetch is delayed
 * before it rejects, because the worker's loop repeats it at once. A worker that cannot listen polls, where BullMQ's would stop
 * fetching. One that waits for a delayed message polls every ten seconds instead of every hour, because a notification that is
 * sent while LISTEN reconnects is lost.
 */
export class RestingBackend extends PostgresQueueBackend {
  constructor(
    connection: PostgresConnection,
    name: string,
    options: ConstructorParameters<typeof PostgresQueueBackend>[2],
  ) {
    super(connection, name, options, false);
    connection.on("listenerinvalidated", this.#listenAgain);
  }

  override get maximumBlockTimeout(): number {
    return blockSeconds;
  }

  override async moveToActive(token: string, name?: string) {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      await delay(restMilliseconds);
      throw error;
    }
  }

  override async waitForJob(blockTimeout: number) {
    try {
      return await super.waitForJob(blockTimeout);
    } catch (error) {
      this.emit("error", error);
      await delay(restMilliseconds);
      return null;
    }
  }

  /** The worker calls this only when it stops. */
  override async disconnectBlocking(wait?: boolean): Promise<void> {
    this.connection.off("listenerinvalidated", this.#listenAgain);
    await super.disconnectBlocking(wait);
  }

  override async close(force?: boolean): Promise<void> {
    this.connection.off("listenerinvalidated", this.#listenAgain);
    await super.close(force);
  }

  /** BullMQ does this only for a backend that owns its connection. */
  readonly #listenAgain = () => {
    void super.disconnectBlocking().then(() => super.reconnectBlocking());
  };
}
