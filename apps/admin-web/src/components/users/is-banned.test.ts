import { expect, test } from "vitest";
import { isBanned } from "./is-banned.ts";

const now = new Date("2026-03-01T12:00:00Z");

test.each([
  [{ banned: false }, false],
  [{ banned: null, banExpires: null }, false],
  [{ banned: true }, true],
  [{ banned: true, banExpires: null }, true],
  [{ banned: true, banExpires: "2026-03-01T12:00:01Z" }, true],
  [{ banned: true, banExpires: "2026-03-01T12:00:00Z" }, false],
])("%o is banned: %s", (user, is) => {
  expect(isBanned(user, now)).toBe(is);
});
