import { type ServiceName, serviceNames } from "@latchkey/contracts";

/** The services that each service calls. */
export const callees: Readonly<Record<ServiceName, readonly ServiceName[]>> = {
  identity: [],
  organization: ["identity"],
  apikey: ["identity", "organization"],
  mailer: ["identity"],
  webhooks: ["identity", "organization"],
  oauth: ["identity"],
  gateway: ["identity", "organization", "apikey", "mailer", "webhooks", "oauth"],
};

const callersOf = (service: ServiceName): readonly ServiceName[] =>
  serviceNames.filter((other) => callees[other].includes(service));

/**
 * Calls `work` for every service, after the services that it calls or after those that call it. Rejects with the first failure once all
 * have settled. Services that would follow a failed one are not started.
 */
export const inCallOrder = async (
  first: "callees" | "callers",
  work: (service: ServiceName) => Promise<unknown>,
): Promise<void> => {
  const done = new Map<ServiceName, Promise<unknown>>();
  const workFor = async (service: ServiceName) => {
    const before = first === "callees" ? callees[service] : callersOf(service);
    await Promise.all(before.flatMap((other) => done.get(other) ?? []));
    await work(service);
  };
  // Each service comes after those that it calls, so the work of the earlier ones has started.
  const order = first === "callees" ? serviceNames : serviceNames.toReversed();
  for (const service of order) done.set(service, workFor(service));
  for (const result of await Promise.allSettled(done.values()))
    if (result.status === "rejected") throw result.reason;
};
