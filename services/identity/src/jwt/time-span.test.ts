import { jwtVerify, SignJWT } from "jose";
import { expect, test } from "vitest";
import { spanSeconds } from "./session-token.ts";

test.each([
  ["15m", 900],
  ["1h", 3_600],
  ["2 days", 172_800],
  ["90s", 90],
  ["1 second", 1],
  ["30 secs", 30],
  ["1.5 hours", 5_400],
  ["0.5m", 30],
  ["+10 mins", 600],
  ["10 MINUTES from now", 600],
  ["2 hrs", 7_200],
  ["1w", 604_800],
  ["1 year", 31_557_600],
  ["2 yrs", 63_115_200],
])("%j is %i seconds", (text, seconds) => expect(spanSeconds(text)).toBe(seconds));

test.each([
  "",
  "15",
  "m",
  "15 m m",
  "15 fortnights",
  "-5m",
  "5m ago",
  "1e3s",
  "15m\n",
  " 15m",
  "٣m",
])("rejects %j", (text) => expect(() => spanSeconds(text)).toThrow(TypeError));

/** Spans of existing configurations must have the same meaning as in the library that read them before. */
test.each([
  "15m",
  "1h",
  "2 days",
  "90 secs",
  "1.5 hours",
  "3w",
  "1 yr",
  "+10 mins",
  "7 days from now",
])("%j has the same length as in that library", async (text) => {
  const key = new TextEncoder().encode("a key of thirty-two bytes, for it");
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt()
    .setExpirationTime(text)
    .sign(key);
  const { iat = 0, exp = 0 } = (await jwtVerify(token, key)).payload;
  expect(Math.abs(exp - iat - spanSeconds(text))).toBeLessThanOrEqual(1); // it reads the clock twice
});
