import {
  type BackendFactory,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  withBackend,
  assertSchemaCompatibility,
  PostgresConnection,
} from "bullmq";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "../observe/logger.ts";
import type { BullmqQueue, BullmqStore, BullmqWorker } from "./bullmq-store.ts";
import { createPostgresReads } from "./postgres-reads.ts";
import { withDeadline } from "../bounds/with-deadline.ts";

// Additions to the classes of BullMQ for Postgres: shared connections, recovery from a lost server, and small batches (ADR 97, ADR 100).

const connectionsMax = 4;
const commandMilliseconds = 5_000;
const closeMilliseconds = 2_000;

/**
 * The connection that listens. BullMQ begins to listen for its errors after it is connected, and stops before it ends; an error without a
 * listener would end the process. One that is lost at once rejects, so that BullMQ connects again.
 */
class ListenClient extends pg.Client {
  #lost: Error | undefined;

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === "error") this.#lost ??= values[0] as Error; // as the driver emits it
    const isUnheard = event === "error" && this.listenerCount(event) === 0;
    return isUnheard || super.emit(event, ...values);
  }

  // A cast, because BullMQ gives no callback.
  override connect = (async () => {
    await super.connect();
    if (this.#lost) throw this.#lost;
    return this;
  }) as pg.Client["connect"];
}

/**
 * A pool of connections that queues or workers share, and one that listens if a worker uses it. Unlike BullMQ's own, it can become
 * ready after a failed attempt.
 */
export class PostgresBusConnection extends PostgresConnection {
  readonly #logger: Logger;
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
    this.#logger = logger;
    Object.assign(this, { pgModule: { Client: ListenClient } });
    this.on("error", (error: Error) =>
      logger.warn({ err: error }, "Postgres connection of the bus lost"),
    );
    // A checked-out client has no error listener of the pool, and an unhandled error ends the process.
    this.pool.on("connect", (client) => {
      client.on("error", () => {});
    });
  }

  override waitUntilReady(): Promise<void> {
    return (this.#ready ??= this.#check());
  }

  /** Ends the pool even if the server does not answer the end of the connection that listens. */
  override async close(): Promise<void> {
    await withDeadline(super.close(), closeMilliseconds, "Closing the bus").catch(
      async (error: unknown) => {
        this.#logger.warn({ err: error }, "the bus closes without waiting for Postgres");
        await this.pool.end().catch(() => {}); // rejects if it is ending already
      },
    );
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

const restMilliseconds = 500;
const blockSeconds = 10;

/**
 * BullMQ's Postgres backend of a worker, on a shared connection and hardened against a lost server. A failed fetch is delayed
 * before it rejects, because the worker's loop repeats it at once. A worker that cannot listen polls, where BullMQ's would stop
 * fetching. One that waits for a delayed message polls every ten seconds instead of every hour, because a notification that is
 * sent while LISTEN reconnects is lost.
 */
class RestingBackend extends PostgresQueueBackend {
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

/** Up to this many jobs are added by a statement each, because BullMQ's statement for several creates two temporary tables. */
const singleJobsMax = 8;
/** Far below the deadline of a call. After that, the rest shares a statement, because many round trips would miss the deadline. */
const singlesMilliseconds = 100;

/**
 * BullMQ's Postgres backend, which adds the jobs of a small batch one after the other, unless the store is slow. If one fails, those before
 * it stay added.
 */
class SmallBatchBackend extends PostgresQueueBackend {
  override async addJobs(
    entries: Parameters<PostgresQueueBackend["addJobs"]>[0],
  ): Promise<string[]> {
    if (entries.length > singleJobsMax) return super.addJobs(entries);
    const ids: string[] = [];
    const startedAt = performance.now();
    for (const [index, { job, jobId, parentKeyOpts }] of entries.entries()) {
      if (performance.now() - startedAt > singlesMilliseconds)
        return [...ids, ...(await super.addJobs(entries.slice(index)))];
      ids.push(await this.addJob(job, jobId, parentKeyOpts));
    }
    return ids;
  }
}

export interface PostgresStoreOptions {
  /** Address of a server that supports LISTEN, so not of a transaction pooler. */
  url: string;
  schema: "bus";
}

/**
 * BullMQ on Postgres. All workers share a pool with the health check. All queues share another one with operators, whose many or
 * slow queries must not delay the locks of workers.
 */
export const createPostgresStore = (options: PostgresStoreOptions, logger: Logger): BullmqStore => {
  const connect = () => new PostgresBusConnection(options.url, options.schema, logger);
  const ofWorkers = connect();
  const ofQueues = connect();
  type Factory = BackendFactory<PostgresQueueBackend, PostgresConnectionOptions>;
  const producing: Factory = (name, settings) =>
    new SmallBatchBackend(ofQueues, name, settings, false);
  const working: Factory = (name, settings) => new RestingBackend(ofWorkers, name, settings);
  const { Queue } = withBackend(producing);
  const { Worker } = withBackend(working);
  const connection = options.url; // required by the type; the factories share two
  return {
    // The types differ from those on Redis only in the backend, which no caller uses.
    openQueue: (name) => new Queue(name, { connection }) as unknown as BullmqQueue,
    openWorker: (name, work, settings) => ({
      worker: new Worker(name, work as never, {
        ...settings,
        connection,
      }) as unknown as BullmqWorker,
      letGo: async () => {}, // every query has a deadline
      destroy: () => {}, // it has no connection of its own
    }),
    // A limit by count would scan all kept jobs at every completion. Failures also stay in the outbox.
    retention: { removeOnComplete: { age: 3_600 }, removeOnFail: false },
    ...createPostgresReads(ofQueues.pool),
    ping: async () => {
      await ofWorkers.pool.query("select 1");
    },
    now: async () => {
      const { rows } = await ofWorkers.pool.query<{ now: Date }>("select now()");
      return rows[0]?.now.getTime() ?? 0;
    },
    close: async () => {
      await Promise.all([ofWorkers.close(), ofQueues.close()]);
    },
  };
};
