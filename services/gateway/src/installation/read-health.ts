import type { ServiceHealth } from "@latchkey/contracts";
import {
  parseReadiness,
  readReadiness,
  sendRequest,
  type ToldReadiness,
} from "@latchkey/service-kit";
import type { Pool } from "undici";
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

const askService = async (name: string, service: Pool): Promise<ServiceHealth> => {
  const ready = { method: "GET", path: "/health/ready" } as const;
  const signal = AbortSignal.timeout(answerMilliseconds);
  try {
    const { body } = await sendRequest(service, ready, { repeatable: true, signal });
    return healthOf(name, parseReadiness(body.toString()));
  } catch {
    return { name, version: null, isReady: false, checks: {} };
  }
};

/** How every service and what it depends on stands, all asked at once; one that is away is not ready. */
export const readHealth = async (
  deps: Pick<Deps, "db" | "redis" | "services">,
): Promise<ServiceHealth[]> => {
  const { identity, organization, apikey, mailer } = deps.services;
  return Promise.all([
    readReadiness(ownChecks(deps)).then((readiness) => healthOf("gateway", readiness)),
    ...Object.entries({ identity, organization, apikey, mailer }).map(([name, service]) =>
      askService(name, service),
    ),
  ]);
};
