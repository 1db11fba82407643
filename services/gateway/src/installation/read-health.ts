import type { ServiceHealth } from "@latchkey/contracts";
import {
  parseReadiness,
  readReadiness,
  sendRequest,
  type ServicePool,
  type ToldReadiness,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { ownChecks } from "./own-checks.ts";

/** A service gives up on its dependencies before. */
const answerMilliseconds = 4_000;

const healthOf = (name: string, { status, version, checks }: ToldReadiness): ServiceHealth => ({
  name,
  version,
  isReady: status === "ok",
  checks,
});

const askService = async (name: string, service: ServicePool): Promise<ServiceHealth> => {
  const ready = { method: "GET", path: "/health/ready" } as const;
  const signal = AbortSignal.timeout(answerMilliseconds);
  try {
    const { body } = await sendRequest(service, ready, { repeatable: true, signal });
    return healthOf(name, parseReadiness(body.toString()));
  } catch {
    return { name, version: null, isReady: false, checks: {} };
  }
};

/** Each replica that has an address of its own, numbered where there are several. */
const askReplicas = ([name, service]: [string, ServicePool]): Promise<ServiceHealth>[] => {
  const replicas = service.apart();
  return replicas.map((replica, index) =>
    askService(replicas.length === 1 ? name : `${name} ${index + 1}`, replica),
  );
};

/** How every service and what it depends on stands, all asked at once; one that is away is not ready. */
export const readHealth = async (
  deps: Pick<Deps, "db" | "redis" | "services">,
): Promise<ServiceHealth[]> => {
  const { identity, organization, apikey, mailer } = deps.services;
  return Promise.all([
    readReadiness(ownChecks(deps)).then((readiness) => healthOf("gateway", readiness)),
    ...Object.entries({ identity, organization, apikey, mailer }).flatMap(askReplicas),
  ]);
};
