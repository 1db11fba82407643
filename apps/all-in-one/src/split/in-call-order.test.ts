import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ServiceName, serviceNames } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { callees, inCallOrder } from "./in-call-order.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");

const isService = (name: string): name is ServiceName =>
  (serviceNames as readonly string[]).includes(name);

/** Returns the services to which the code of a service opens connections. */
const findCallees = async (service: ServiceName): Promise<ServiceName[]> => {
  const calleeNames = new Set<ServiceName>();
  for await (const file of glob(`services/${service}/src/**/*.ts`, { cwd: root })) {
    if (/\.(test|fixture)\.ts$/.test(file)) continue;
    const source = await readFile(join(root, file), "utf8");
    for (const [, name = ""] of source.matchAll(/\bopen(?:Client|Pool)\("(\w+)"\)/g))
      if (isService(name)) calleeNames.add(name);
  }
  return [...calleeNames].toSorted();
};

test.each(serviceNames)("lists the services that %s calls", async (service) => {
  expect(await findCallees(service)).toEqual(callees[service].toSorted());
});

test("orders each service after those that it calls", () => {
  for (const service of serviceNames)
    for (const callee of callees[service])
      expect(serviceNames.indexOf(callee), `${callee} for ${service}`).toBeLessThan(
        serviceNames.indexOf(service),
      );
});

test.each(["callees", "callers"] as const)("starts work after that of all %s", async (first) => {
  const done: ServiceName[] = [];
  await inCallOrder(first, async (service) => {
    const others = serviceNames.filter((other) =>
      first === "callees" ? callees[service].includes(other) : callees[other].includes(service),
    );
    expect(done).toEqual(expect.arrayContaining(others));
    done.push(service);
  });
  expect(done.toSorted()).toEqual([...serviceNames].toSorted());
});
