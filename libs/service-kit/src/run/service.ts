import { setTimeout as delay } from "node:timers/promises";
import type { ServiceName } from "@latchkey/contracts";
import type { FastifyInstance } from "fastify";
import type { Background } from "../background/every.ts";
import type { Settings } from "../config/settings.ts";
import { settingsOf } from "../config/settings-of.ts";
import type { MigratedDatabase } from "../database/schema-migration.ts";
import { departureOf } from "../http/departure-of.ts";
import { openTracing } from "../observe/open-tracing.ts";
import type { Tracing } from "../observe/tracing.ts";
import type { Portable } from "../transfer/table-mover.ts";
import { listenError } from "./listen-error.ts";
import { withDeadline } from "../bounds/with-deadline.ts";

export interface RunningService {
  name: string;
  /** URL of its operations. */
  url: string;
  /**
   * Begins to leave: it is no longer ready, takes no work from the bus, and closes connections after replies. Resolves after
   * its callers had time to switch.
   */
  drain(): Promise<void>;
  /** Drains, then stops. Rejects if the stop takes more than ten seconds. */
  stop(): Promise<void>;
}

/** The parts that `runService` needs of a service. */
export interface ServiceParts {
  /** The servers of the service with their ports. The first one's URL is the service's. Only `public` ones face clients. */
  servers: readonly { app: FastifyInstance; port: number; public?: true }[];
  /** Started after the servers listen, stopped before the stores close. */
  startBackground: () => readonly Background[];
  /** Closes stores and clients. */
  close: () => Promise<void>;
}

/** A service of the installation, which builds its parts from validated settings. */
export interface Service {
  name: ServiceName;
  createParts: (settings: Settings, tracing: Tracing | undefined) => Promise<ServiceParts>;
  /** Migrates its schema. Returns the names of the applied migrations. */
  migrate: (settings: Settings) => Promise<string[]>;
  /**
   * Returns true only if `migrate` has nothing to do. False if there are or should be views, which it does not compare. Changes nothing and
   * takes no lock. Rejects if there is no schema yet.
   */
  isCurrent: (settings: Settings, db: MigratedDatabase) => Promise<boolean>;
  /** Returns the names of the migrations that `migrate` would apply. Changes nothing. */
  pendingMigrations: (settings: Settings) => Promise<string[]>;
  /** Its exportable data. Absent if there is none. */
  portable?: Portable;
}

const stopMilliseconds = 10_000;

/**
 * Builds the parts with the service's own settings, listens, then starts the background parts. `stop` drains, refuses new
 * requests, waits for active ones, stops the background parts and closes the stores.
 */
export const runService = async (
  service: Pick<Service, "createParts" | "name">,
  settings: Settings,
): Promise<RunningService> => {
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
      const isPublic = server.public ?? false;
      const host = isPublic ? settings.network.host : settings.network.internalHost;
      const { app, port } = server;
      urls.push(
        await app.listen({ host, port }).catch((error: unknown) => {
          throw listenError(error, { service: service.name, host, port, isPublic });
        }),
      );
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
