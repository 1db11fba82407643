import { readSettings } from "@latchkey/service-kit/config";
import { expect, test } from "vitest";
import { healthPort, servicePorts } from "./service-ports.ts";

const tree = { databaseUrl: "postgres://localhost/db" };
const entries = Object.entries(servicePorts).map(([name, entry = ["", 0]]) => ({ name, entry }));

/** The health check reads no settings, because it runs every few seconds. */
test("the health check uses the default port of each service", () => {
  const { network } = readSettings(tree, {});
  const { gateway: _, ...ports } = network.ports;
  const healthPorts = entries.map(({ name, entry }) => [name, healthPort(entry, {})]);
  expect(Object.fromEntries(healthPorts)).toEqual({
    ...ports,
    gateway: network.gatewayInternalPort,
  });
});

test("the health check follows PORT", () => {
  const environment = { PORT: "5300", MAILER_PORT: "7004" };
  const { network } = readSettings(tree, environment);
  const ports = { ...network.ports, gateway: network.gatewayInternalPort };
  const healthPorts = entries.map(({ name, entry }) => [name, healthPort(entry, environment)]);
  expect(Object.fromEntries(healthPorts)).toEqual(ports);
});

test("the health check follows the port variable of a service", () => {
  const variables = entries.map(({ entry }, index) => [entry[0], String(4000 + index)]);
  const { network } = readSettings(tree, Object.fromEntries(variables));
  for (const [index, { name }] of entries.entries()) {
    const port = { ...network.ports, gateway: network.gatewayInternalPort }[name];
    expect(port).toBe(4000 + index);
  }
});
