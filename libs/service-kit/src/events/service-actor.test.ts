import { expect, test } from "vitest";
import { serviceActor } from "./service-actor.ts";

test("a service acts by the name of its token, and without one by none", () => {
  expect(serviceActor({ service: "backoffice" })).toEqual({ kind: "service", id: "backoffice" });
  expect(serviceActor({})).toEqual({ kind: "service" });
});
