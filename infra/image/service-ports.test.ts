import { readSettings } from "@latchkey/service-kit";
import { expect, test } from "vitest";
import { servicePorts } from "./service-ports.ts";

const tree = { databaseUrl: "postgres://localhost/db" };
const entries = Object.entries(servicePorts).map(([name, entry = ["", 0]]) => ({ name, entry }));

/** The health check reads no settings, as it is asked all the time. */
test("the health check asks where each service listens", () => {
  const { network } = readSettings(tree, {});
  const { gateway: _, ...ports } = network.ports;
  const asked = entries.map(({ name, entry }) => [name, entry[1]]);
  expect(Object.fromEntries(asked)).toEqual({ ...ports, gateway: network.gatewayInternalPort });
});

test("the health check follows a variable that says another port", () => {
  const variables = entries.map(({ entry }, index) => [entry[0], String(4000 + index)]);
  const { network } = readSettings(tree, Object.fromEntries(variables));
  for (const [index, { name }] of entries.entries()) {
    const port = { ...network.ports, gateway: network.gatewayInternalPort }[name];
    expect(port).toBe(4000 + index);
  }
});
