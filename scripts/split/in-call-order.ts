import { type ServiceName, serviceNames } from "@latchkey/contracts";
import { callees } from "./callees.ts";

const callersOf = (service: ServiceName): readonly ServiceName[] =>
  serviceNames.filter((other) => callees[other].includes(service));

/**
 * Does `work` for every service: once it is done for those that the service calls, or for those that call it. Rejects once all
 * have settled, with the first failure; whatever waited for that is not begun.
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
  // Each name comes after those of the services that it calls, so what is waited for has begun.
  const order = first === "callees" ? serviceNames : serviceNames.toReversed();
  for (const service of order) done.set(service, workFor(service));
  for (const result of await Promise.allSettled(done.values()))
    if (result.status === "rejected") throw result.reason;
};
