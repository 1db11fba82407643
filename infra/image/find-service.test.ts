import { expect, test } from "vitest";
import { findService } from "./service-ports.ts";

const services = ["gateway", "identity"];

test.each([
  ["identity", "identity"],
  ["node\0/opt/latchkey/infra/image/entry.ts\0gateway\0", "gateway"],
  ["/sbin/docker-init\0--\0node\0/opt/latchkey/infra/image/entry.ts\0identity\0", "identity"],
  ["node\0/opt/latchkey/infra/image/entry.ts\0doctor\0--json\0", undefined],
  ["node\0/opt/latchkey/infra/image/entry.ts\0", undefined],
  ["", undefined],
])("%j runs %s", (commandLine, service) => {
  expect(findService(commandLine, services)).toBe(service);
});
