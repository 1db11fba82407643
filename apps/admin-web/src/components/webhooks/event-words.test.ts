import { expect, test } from "vitest";
import { eventsInWords } from "./event-words.ts";

test("describes the events of a webhook in words", () => {
  expect(eventsInWords([])).toBe("All events");
  expect(eventsInWords(["user.created"])).toBe("user.created");
  expect(eventsInWords(["user.created", "a.b", "c.d"])).toBe("user.created and 2 more");
});
