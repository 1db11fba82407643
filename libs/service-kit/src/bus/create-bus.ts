import { eventCatalogue } from "@latchkey/contracts";
import type { Settings } from "../config/settings.ts";
import type { Logger } from "../observe/logger.ts";
import type { Bus } from "./bus.ts";

/** Attempts of a message before it is left to an operator: about a day at the longest delays. */
const attemptsMax = 100;

/** Every consumer of events has a queue with its name. */
export const queueNames = [
  ...new Set(Object.values(eventCatalogue).flatMap(({ consumers }) => consumers)),
];

const directUrl = ({ options }: Settings): string =>
  options.directDatabaseUrl ?? options.databaseUrl ?? "";

/** Loads BullMQ, which the gateway and most commands never need. */
const loadBullmq = () => import("./bullmq-bus.ts");

/** Creates the configured bus: on Redis if configured, else on Postgres. */
export const createBus = async (settings: Settings, logger: Logger): Promise<Bus> => {
  const { redisUrl } = settings.options;
  const { createBullmqBus } = await loadBullmq();
  return createBullmqBus({
    backend: redisUrl
      ? { kind: "redis", url: redisUrl, prefix: settings.options.advanced.redisKeyPrefix }
      : { kind: "postgres", url: directUrl(settings), schema: "bus" },
    logger,
    attemptsMax,
  });
};

/** Migrates the bus's schema if the bus is on Postgres. */
export const migrateBus = async (settings: Settings): Promise<void> => {
  if (settings.options.redisUrl) return;
  const bullmq = await loadBullmq();
  await bullmq.migrateBus(directUrl(settings), queueNames);
};

/** Returns the migrations that `migrateBus` would apply. Changes nothing. */
export const pendingBusMigrations = async (settings: Settings): Promise<string[]> => {
  if (settings.options.redisUrl) return [];
  const bullmq = await loadBullmq();
  return bullmq.pendingBusMigrations(directUrl(settings), queueNames);
};
