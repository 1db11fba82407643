import { presentServices, type ServiceName } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import { createBus } from "../bus/create-bus.ts";
import type { Settings } from "../config/settings.ts";
import type { KitTables } from "../database/kit-tables.ts";
import { openDatabase } from "../database/open-database.ts";
import { createRedis, type RedisClient } from "../database/redis.ts";
import { createRelay } from "../events/relay.ts";
import { createServiceClient, type ServiceClient } from "../http/service-client.ts";
import { createServicePool, type ServicePool } from "../http/service-pool.ts";
import { registerOutboxGauges, registerQueueGauge } from "../events/bus-gauges.ts";
import { registerRedisGauge } from "../observe/store-gauges.ts";
import type { Core } from "./core.ts";

/** Opens connections that close with the service, the last one first. */
export interface Connections {
  /** Opens the database, bound to the service's schema. */
  openDatabase<Tables>(): Kysely<Tables>;
  /** Returns undefined if no Redis is configured. */
  openRedis(): RedisClient | undefined;
  openPool(to: ServiceName): ServicePool;
  openClient(to: ServiceName): ServiceClient;
  onClose(close: () => unknown): void;
}

/** The connections of a service, as its assembly uses them. */
export interface OpenConnections extends Connections {
  close(): Promise<void>;
}

/** Creates the connections of the service `name`. Nothing is open yet. */
export const createConnections = (
  name: ServiceName,
  settings: Settings,
  { clock, ring, logger, metrics, tracing }: Omit<Core<unknown>, "config">,
): OpenConnections => {
  const { options, network } = settings;
  const closing: (() => unknown)[] = [];
  const closedWith = <Resource>(resource: Resource, close: (resource: Resource) => unknown) => {
    closing.unshift(() => close(resource));
    return resource;
  };
  const openPool = (to: ServiceName) =>
    closedWith(createServicePool(network.urls[to], network.timeLimitFactor), (pool) =>
      pool.close(),
    );
  return {
    openDatabase: <Tables>() =>
      closedWith(openDatabase<Tables>(settings, { schema: name, logger, metrics, tracing }), (db) =>
        db.destroy(),
      ),
    openRedis: () => {
      if (!options.redisUrl) return undefined;
      const redis = createRedis(options.redisUrl, logger, network.timeLimitFactor);
      registerRedisGauge(metrics, redis);
      return closedWith(redis, () => redis.disconnect());
    },
    openPool,
    openClient: (to) => createServiceClient({ to: openPool(to), from: name, ring, clock, tracing }),
    onClose: (close) => void closing.unshift(close),
    close: async () => {
      for (const close of closing) await close();
    },
  };
};

const eventIdLength = 32;

/** Opens the database and the bus of a service, and creates the relay between them. */
export const openStores = async <Tables extends KitTables>(
  name: ServiceName,
  settings: Settings,
  { core, connections }: { core: Core<unknown>; connections: Connections },
) => {
  const { clock, logger, metrics, tracing } = core;
  const db = connections.openDatabase<Tables>();
  const bus = await createBus(settings, logger);
  connections.onClose(() => bus.close());
  const present = presentServices(settings.options);
  const relay = createRelay({ db, bus, clock, logger, metrics, tracing, present });
  registerOutboxGauges(metrics, relay);
  registerQueueGauge(metrics, bus, name);
  const newEventId = () => randomToken(eventIdLength, "alphanumeric");
  const { wake: wakeRelay, settle: settleEvent } = relay;
  return { relay, stores: { schema: name, db, bus, newEventId, wakeRelay, settleEvent } };
};
