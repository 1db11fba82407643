import { pingDatabase, pingRedis } from "@latchkey/service-kit/database";
import { sendRequest, type ServicePool } from "@latchkey/service-kit/http";
import type { HealthCheck } from "@latchkey/service-kit/run";
import type { Deps } from "../deps.ts";

const isAlive = async (service: ServicePool): Promise<void> => {
  const alive = { method: "GET", path: "/health/live" } as const;
  const { status } = await sendRequest(service, alive, { repeatable: true });
  if (status !== 200) throw new Error(`a service answers ${status}`);
};

/** The dependencies without which the gateway cannot work. */
export const ownChecks = ({
  services,
  redis,
  db,
}: Pick<Deps, "db" | "redis" | "services">): Record<string, HealthCheck> => ({
  identity: () => isAlive(services.identity),
  ...(redis ? { redis: () => pingRedis(redis) } : {}),
  ...(db ? { postgres: () => pingDatabase(db) } : {}),
});
