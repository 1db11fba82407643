import { type ServiceHealth, usesOauth } from "@latchkey/contracts";
import { sendRequest, type ServicePool } from "@latchkey/service-kit/http";
import { parseReadiness, readReadiness, type ToldReadiness } from "@latchkey/service-kit/run";
import type { Deps } from "../deps.ts";
import { ownChecks } from "./own-checks.ts";

/** Longer than the time that a service waits for its dependencies. */
const answerMilliseconds = 4_000;

const healthOf = (name: string, { status, version, checks }: ToldReadiness): ServiceHealth => ({
  name,
  version,
  isReady: status === "ok",
  checks,
});

const readServiceHealth = async (name: string, service: ServicePool): Promise<ServiceHealth> => {
  const ready = { method: "GET", path: "/health/ready" } as const;
  const signal = AbortSignal.timeout(answerMilliseconds);
  try {
    const { body } = await sendRequest(service, ready, { repeatable: true, signal });
    return healthOf(name, parseReadiness(body.toString()));
  } catch {
    return { name, version: null, isReady: false, checks: {} };
  }
};

/** Returns each replica that has its own address, numbered if there are several. */
const readReplicas = ([name, service]: [string, ServicePool]): Promise<ServiceHealth>[] => {
  const replicas = service.apart();
  return replicas.map((replica, index) =>
    readServiceHealth(replicas.length === 1 ? name : `${name} ${index + 1}`, replica),
  );
};

/** Returns the health of every service and its dependencies. All are called in parallel; a service that is down is not ready. */
export const readHealth = async (
  deps: Pick<Deps, "config" | "db" | "redis" | "services">,
): Promise<ServiceHealth[]> => {
  const { identity, organization, apikey, mailer, webhooks, oauth } = deps.services;
  const present = {
    identity,
    organization,
    apikey,
    mailer,
    webhooks,
    ...(usesOauth(deps.config) && { oauth }),
  };
  return Promise.all([
    readReadiness(ownChecks(deps)).then((readiness) => healthOf("gateway", readiness)),
    ...Object.entries(present).flatMap(readReplicas),
  ]);
};
