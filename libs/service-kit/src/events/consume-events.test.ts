import { createSecretRing } from "@latchkey/crypto";
import { expect, test } from "vitest";
import type { Bus } from "../bus/bus.ts";
import { createMetrics } from "../observe/metrics.ts";
import { consumeEvents } from "./consume-events.ts";

const common = {
  bus: { consume: () => ({ stop: async () => {} }) } as unknown as Bus, // only the types matter here
  ring: createSecretRing(["a secret of the tests, long enough for all"]),
  concurrency: 1,
  metrics: createMetrics("test"),
};

test("does not compile with a missing or surplus handler", () => {
  const handler = async () => {};
  const others = {
    "account.unlinked": handler,
    "member.removed": handler,
    "organization.deleted": handler,
    "team-members.removed": handler,
    "session.revoked-all": handler,
    "user.deleted": handler,
  };
  const calls = [
    () =>
      consumeEvents({
        ...common,
        service: "identity",
        handlers: { ...others, "user.updated": handler },
      }),
    // @ts-expect-error the handler of user.updated is missing
    () => consumeEvents({ ...common, service: "identity", handlers: { ...others } }),
    () =>
      consumeEvents({
        ...common,
        service: "identity",
        // @ts-expect-error identity does not consume verification.requested
        handlers: { ...others, "user.updated": handler, "verification.requested": handler },
      }),
  ];
  expect(calls.length).toBe(3);
});
