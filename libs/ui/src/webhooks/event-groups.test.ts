import { applicationEvents } from "@latchkey/contracts";
import { expect, test } from "vitest";
import type { ApplicationEventType } from "../api/application-events.ts";
import { chooseEvents, eventGroups } from "./event-groups.ts";

const types = Object.keys(applicationEvents) as ApplicationEventType[];
const events = types.map((type) => ({
  type,
  summary: "",
  permission: "user:list" as const,
  isOfOrganizations: false,
}));

test("groups every event of the catalogue by its topic", () => {
  const groups = eventGroups(events);
  expect(groups.flatMap((group) => group.events)).toHaveLength(events.length);
  expect(groups.find(({ topic }) => topic === "api-key")).toMatchObject({
    events: [{ type: "api-key.created" }, {}, {}, {}],
  });
});

test("keeps the order of the catalogue and unknown types when events are chosen", () => {
  const order = ["a.one", "a.two", "b.one"];
  const all = chooseEvents(["b.one", "x.later"], { types: ["a.one", "a.two"], isOn: true, order });
  expect(all).toEqual(["a.one", "a.two", "b.one", "x.later"]);
  expect(chooseEvents(all, { types: ["a.one", "b.one"], isOn: false, order })).toEqual([
    "a.two",
    "x.later",
  ]);
});
