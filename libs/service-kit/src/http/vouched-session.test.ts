import { optionsSchema } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { expect, test } from "vitest";
import { signCaller, verifyCaller } from "./caller-signature.ts";
import { vouchedSession } from "./vouched-session.ts";

const ring = createSecretRing(["a secret of this test"]);
const at = new Date("2030-01-01T00:00:00.000Z");
const caller = { requestId: "r", operation: "o", baseUrl: "", address: "", userAgent: "" };
const session = {
  id: "s",
  token: "t",
  userId: "u",
  expiresAt: at,
  createdAt: at,
  updatedAt: at,
  ipAddress: "",
  userAgent: "",
  activeOrganizationId: null,
};
const user = {
  id: "u",
  name: "Ada",
  email: "ada@example.com",
  emailVerified: true,
  image: null,
  createdAt: at,
  updatedAt: at,
  nickname: "A.",
};

const date = { type: "date" } as const;
const options = optionsSchema.parse({
  user: { additionalFields: { bornAt: date, movedAt: date, nickname: { type: "string" } } },
  session: { additionalFields: { trustedAt: date } },
});
const fields = {
  user: options.user.additionalFields,
  session: options.session.additionalFields,
};

/** Returns the session that a service reads from a caller signed by the gateway. */
const arrive = (resolved?: { session: object; user: object }) => {
  const sent = signCaller(ring, { ...caller, resolved: resolved && JSON.stringify(resolved) }, 0);
  return vouchedSession(verifyCaller(ring, sent, { operation: "o", now: 0 })!, fields); // signed above
};

test("restores the session and user with dates and additional fields", () => {
  expect(arrive({ session, user })).toEqual({ session, user });
});

test("restores a configured date field as a date, or as null if it is not set", () => {
  const own = { bornAt: at, movedAt: null, nickname: at.toISOString() };
  const sent = { session: { ...session, trustedAt: at }, user: { ...user, ...own } };
  expect(arrive(sent)).toEqual(sent);
});

test("keeps the end of a ban", () => {
  expect(arrive({ session, user: { ...user, banExpires: at } })?.user.banExpires).toEqual(at);
  expect(arrive({ session, user: { ...user, banExpires: null } })?.user.banExpires).toBeNull();
});

test("returns undefined without a vouched session", () => {
  expect(arrive()).toBeUndefined();
});
