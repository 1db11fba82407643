import { applicationEvents } from "@latchkey/contracts";
import type { ApplicationEventType } from "@latchkey/ui/api/application-events.ts";
import { expect, test } from "vitest";
import { chooseEvents, eventGroups, eventsInWords } from "./event-groups.ts";

const types = Object.keys(applicationEvents) as ApplicationEventType[];
const events = types.map((type) => ({ type, summary: "", permission: "user:list" }) as const);

test("groups every event of the catalogue under a name", () => {
  const groups = eventGroups(events);
  expect(groups.flatMap((group) => group.events)).toHaveLength(events.length);
  expect(groups.filter(({ subject, label }) => subject === label)).toEqual([]);
  expect(groups.find(({ subject }) => subject === "api-key")).toMatchObject({
    label: "API keys",
    events: [{ type: "api-key.created" }, {}, {}, {}],
  });
});

test("describes the events of a webhook in words", () => {
  expect(eventsInWords([])).toBe("All events");
  expect(eventsInWords(["user.created"])).toBe("user.created");
  expect(eventsInWords(["user.created", "a.b", "c.d"])).toBe("user.created and 2 more");
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
