import { setTimeout as delay } from "node:timers/promises";
import type { ServiceName } from "@latchkey/contracts";
import type { FastifyInstance } from "fastify";
import type { Settings } from "../config/settings.ts";
import { settingsOf } from "../config/settings-of.ts";
import { departureOf } from "../http/departure-of.ts";
import type { Logger } from "../observe/logger.ts";
import { openTracing } from "../observe/open-tracing.ts";
import type { Tracing } from "../observe/tracing.ts";
import type { Portable } from "../transfer/table-mover.ts";
import { withDeadline } from "./with-deadline.ts";

/** A thing that runs beside the servers of a service, such as a relay or a consumer. */
export interface Background {
  /** Takes on nothing more, while servers still answer; what it has in work goes on until `stop`. */
  drain?(): void;
  stop(): Promise<void>;
}

/** A service that answers. */
export interface RunningService {
  name: string;
  /** Where its operations are answered. */
  url: string;
  /**
   * Begins to leave: it is not ready any more, takes no work of the bus, and answers so that connections end. Resolves when
   * those who call it have had the time to go elsewhere.
   */
  drain(): Promise<void>;
  /** Drains, then ends; rejects when the latter takes more than ten seconds. */
  stop(): Promise<void>;
}

/** What `runService` needs of a service. */
export interface ServiceParts {
  name: string;
  logger: Logger;
  /** Each server of the service with its port; the first one's URL is the service's. Only `public` ones face clients. */
  servers: readonly { app: FastifyInstance; port: number; public?: true }[];
  /** Started once the servers listen, stopped before they close their stores. */
  startBackground: () => readonly Background[];
  /** Closes stores and clients. */
  close: () => Promise<void>;
}

/** A service of the house: builds its parts from checked settings. */
export interface Service {
  name: ServiceName;
  createParts: (settings: Settings, tracing: Tracing | undefined) => Promise<ServiceParts>;
  /** Brings its schema up to date; absent where it owns none. */
  migrate?: (settings: Settings) => Promise<string[]>;
  /** The names of what `migrate` would apply; changes nothing. */
  pendingMigrations?: (settings: Settings) => Promise<string[]>;
  /** What of it goes along to another place; absent where nothing does. */
  portable?: Portable;
}

const stopMilliseconds = 10_000;

/**
 * Builds the parts by the service's own settings, listens, then starts what runs beside. `stop` drains, refuses new requests,
 * waits for those in flight, stops the background and closes the stores.
 */
export const runService = async (service: Service, settings: Settings): Promise<RunningService> => {
  const tracing = await openTracing(service.name, settings);
  const parts = await service
    .createParts(settingsOf(settings, service.name), tracing)
    .catch(async (error: unknown) => {
      await tracing?.stop();
      throw error;
    });
  const urls: string[] = [];
  try {
    for (const server of parts.servers) {
      const host = server.public ? settings.network.host : settings.network.internalHost;
      urls.push(await server.app.listen({ host, port: server.port }));
    }
  } catch (error) {
    await Promise.allSettled(parts.servers.map(({ app }) => app.close()));
    await parts.close();
    await tracing?.stop();
    throw error;
  }
  const background = parts.startBackground();
  const leave = async () => {
    for (const { app } of parts.servers) departureOf(app).isNear = true;
    for (const part of background) part.drain?.();
    if (settings.network.drainSeconds > 0) await delay(settings.network.drainSeconds * 1_000);
  };
  let leaving: Promise<void> | undefined;
  const drain = () => (leaving ??= leave());
  const close = async () => {
    await Promise.allSettled(parts.servers.map(({ app }) => app.close()));
    await Promise.allSettled(background.map((part) => part.stop()));
    await parts.close();
    await tracing?.stop();
  };
  return {
    name: service.name,
    url: urls[0] ?? "",
    drain,
    stop: async () => {
      await drain();
      await withDeadline(close(), stopMilliseconds, `stopping ${service.name}`);
    },
  };
};
