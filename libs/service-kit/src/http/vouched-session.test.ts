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

/** What a service reads of a caller that the gateway has signed. */
const arrive = (resolved?: { session: object; user: object }) => {
  const sent = signCaller(ring, { ...caller, ...(resolved ? { resolved } : {}) } as never, 0);
  return vouchedSession(verifyCaller(ring, sent, { operation: "o", now: 0 })!, fields); // just signed
};

test("a session and its user arrive as they were, times as times, own fields with them", () => {
  expect(arrive({ session, user })).toEqual({ session, user });
});

test("a configured field of type date arrives as a time, and as null where it is not set", () => {
  const own = { bornAt: at, movedAt: null, nickname: at.toISOString() };
  const sent = { session: { ...session, trustedAt: at }, user: { ...user, ...own } };
  expect(arrive(sent)).toEqual(sent);
});

test("a ban that has an end keeps it", () => {
  expect(arrive({ session, user: { ...user, banExpires: at } })?.user.banExpires).toEqual(at);
  expect(arrive({ session, user: { ...user, banExpires: null } })?.user.banExpires).toBeNull();
});

test("where the gateway vouches for nobody there is nobody", () => {
  expect(arrive()).toBeUndefined();
});
