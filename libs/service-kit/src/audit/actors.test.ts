import { expect, test } from "vitest";
import { serviceActor } from "./actors.ts";

test("names the service of the token as the actor", () => {
  expect(serviceActor({ service: "backoffice" })).toEqual({ kind: "service", id: "backoffice" });
  expect(serviceActor({})).toEqual({ kind: "service" });
});
