import { describe, expect, test } from "vitest";
import { applicationEvents, applicationEventTypes } from "./application-events.ts";
import { endsOf, type FactName, factOf, facts } from "./facts.ts";

const names = Object.keys(facts) as FactName[];

test.each(applicationEventTypes)("a fact tells the event %s", (type) => {
  expect(names.filter((name) => factOf(name)?.tells?.includes(type))).not.toEqual([]);
});

describe.each(names)("%s", (name) => {
  const { tells = [] } = factOf(name) ?? {};

  test("tells an event if it ends sessions, or changes what signs in", () => {
    const changes =
      /^(?:account|passkey|password|two-factor|user)\.(?:added|changed|claimed|disabled|enabled|linked|removed|reset|secured|set|unlinked)$/;
    if (endsOf(name).sessions || changes.test(name)) expect(tells).not.toEqual([]);
  });

  test("tells events of one service", () => {
    const services = new Set(tells.map((type) => applicationEvents[type].service));
    expect(services.size).toBeLessThanOrEqual(1);
  });
});

test("an action of another version has no declaration", () => {
  expect([factOf("user.unknown"), factOf("toString")]).toEqual([undefined, undefined]);
});
