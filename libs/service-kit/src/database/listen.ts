import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Settings } from "../config/settings.ts";
import type { Logger } from "../observe/logger.ts";
import type { Background } from "../background/every.ts";

export interface ListenOptions {
  settings: Settings;
  channel: string;
  /** Called on each notification, and after each reconnection, because one may have been missed. */
  onNotified: () => void;
  logger: Logger;
}

const restMilliseconds = 1_000;
const waitMilliseconds = 5_000;

/** Listens to a Postgres channel on a direct, dedicated connection without a pooler. Reconnects if it is lost. */
export const listen = ({ settings, channel, onNotified, logger }: ListenOptions): Background => {
  const { databaseUrl = "", directDatabaseUrl } = settings.options;
  const stopping = new AbortController();
  const stopped = once(stopping.signal, "abort");
  const receiveNotifications = async () => {
    const client = new pg.Client({
      connectionString: directDatabaseUrl ?? databaseUrl,
      application_name: "latchkey-listen",
      connectionTimeoutMillis: waitMilliseconds,
      query_timeout: waitMilliseconds,
      keepAlive: true,
    });
    const lost = new Promise<void>((resolve) => {
      client.once("end", resolve);
      client.on("error", () => resolve());
    });
    try {
      await client.connect();
      client.on("notification", onNotified);
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onNotified();
      await Promise.race([lost, stopped]);
    } finally {
      await client.end().catch(() => {}); // the connection may be broken
    }
  };
  const listening = async () => {
    while (!stopping.signal.aborted) {
      await receiveNotifications().catch((error: Error) =>
        logger.warn({ err: error }, "failed to listen to Postgres, will retry"),
      );
      await delay(restMilliseconds, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const done = listening();
  return {
    stop: () => {
      stopping.abort();
      return done;
    },
  };
};
