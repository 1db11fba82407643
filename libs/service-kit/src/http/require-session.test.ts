import {
  type Operation,
  operation,
  operations,
  optionsSchema,
  type StepUp,
  stepUps,
} from "@latchkey/contracts";
import { newPerson } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type ResolvedSession, requireSession } from "./require-session.ts";

const now = Date.UTC(2030, 0, 1);
const freshAgeSeconds = 3600;
const recent = new Date(now - freshAgeSeconds * 1000 + 1);
const stale = new Date(now - freshAgeSeconds * 1000);
const { admin, anonymous, organization } = optionsSchema.parse({});

const guardedBy = (declared: Pick<Operation, "access" | "stepUp">) =>
  operation({
    name: "guarded",
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/guarded",
    summary: "Needs a strong session.",
    reply: z.object({}),
    errors: [],
    ...declared,
  } as const);

interface Given {
  /** Whether the user's second factor is on. Undefined while the feature is off. */
  isOn?: boolean;
  /** When the user signed in. Absent for a session from the cookie cache or of an API key. */
  at?: Date;
  secondFactorAt?: Date;
  freshAge?: number;
  updatedAt?: Date;
  apiKeyId?: string;
  impersonatedBy?: string;
  body?: object;
}

/** Returns "admitted", or the missing proof. */
const outcomeOf = async (
  declared: Operation,
  {
    isOn,
    at,
    secondFactorAt,
    freshAge = freshAgeSeconds,
    updatedAt = recent,
    apiKeyId,
    impersonatedBy,
    body,
  }: Given,
) => {
  const { caller, session } = newPerson(isOn === undefined ? {} : { twoFactorEnabled: isOn });
  const resolved: ResolvedSession = {
    user: session.user,
    session: { ...session.session, updatedAt, impersonatedBy: impersonatedBy ?? null },
    ...(at && {
      authentication: {
        authenticatedAt: at,
        secondFactorAt: secondFactorAt ?? null,
        methods: "password",
      },
    }),
  };
  const rules = {
    clock: () => now,
    freshAgeSeconds: freshAge,
    resolveSession: async () => resolved,
    admin,
    anonymous,
    organization,
  };
  const call = {
    caller: { ...caller, ...(apiKeyId === undefined ? {} : { apiKeyId }) },
    query: {},
    body,
  };
  return requireSession(declared, rules, call).then(
    () => "admitted",
    ({ code, details }) => (code === "SESSION_IS_NOT_FRESH" ? (details?.requires ?? code) : code),
  );
};

const cases: readonly (readonly [
  what: string,
  given: Given,
  always: string,
  withSecondFactor: string,
])[] = [
  ["a recent sign-in", { at: recent }, "admitted", "admitted"],
  ["a recent sign-in, factor off", { at: recent, isOn: false }, "admitted", "admitted"],
  ["an old sign-in", { at: stale }, "sign-in", "admitted"],
  ["an old sign-in, factor off", { at: stale, isOn: false }, "sign-in", "admitted"],
  [
    "a second factor that is off now",
    { at: stale, isOn: false, secondFactorAt: recent },
    "sign-in",
    "admitted",
  ],
  ["both recent", { at: recent, isOn: true, secondFactorAt: recent }, "admitted", "admitted"],
  [
    "an old second factor",
    { at: recent, isOn: true, secondFactorAt: stale },
    "second-factor",
    "second-factor",
  ],
  ["no second factor", { at: recent, isOn: true }, "second-factor", "second-factor"],
  [
    "an old sign-in with a recent second factor",
    { at: stale, isOn: true, secondFactorAt: recent },
    "sign-in",
    "sign-in",
  ],
  ["both old", { at: stale, isOn: true, secondFactorAt: stale }, "second-factor", "second-factor"],
  ["freshAge 0", { at: stale, isOn: true, freshAge: 0 }, "admitted", "admitted"],
  ["freshAge 0 and a cached session", { freshAge: 0 }, "admitted", "admitted"],
  ["a cached session", {}, "sign-in", "admitted"],
  ["a cached session, factor on", { isOn: true }, "second-factor", "second-factor"],
  ["an API key", { apiKeyId: "key" }, "FORBIDDEN", "admitted"],
  ["an API key, factor on", { apiKeyId: "key", isOn: true }, "FORBIDDEN", "FORBIDDEN"],
  ["an impersonation", { at: recent, impersonatedBy: "admin" }, "FORBIDDEN", "admitted"],
  ["an extended session", { at: stale, updatedAt: new Date(now) }, "sign-in", "admitted"],
];

const always: StepUp = { asks: "always", because: "For this test." };
const withSecondFactor: StepUp = { asks: "withSecondFactor", because: "For this test." };

describe("a strong session", () => {
  test.each(cases)("%s", async (_what, given, byAlways, byFactor) => {
    expect(await outcomeOf(guardedBy({ access: "session", stepUp: always }), given)).toBe(byAlways);
    expect(await outcomeOf(guardedBy({ access: "session", stepUp: withSecondFactor }), given)).toBe(
      byFactor,
    );
    expect(await outcomeOf(guardedBy({ access: "session", stepUp: stepUps.reads }), given)).toBe(
      "admitted",
    );
  });

  test("is demanded beside a fresh session", async () => {
    const both = guardedBy({ access: "fresh session", stepUp: withSecondFactor });
    const strong = { at: recent, isOn: true, secondFactorAt: recent };
    expect(await outcomeOf(both, { ...strong, updatedAt: stale })).toBe("SESSION_IS_NOT_FRESH");
    expect(await outcomeOf(both, { ...strong, secondFactorAt: stale })).toBe("second-factor");
    expect(await outcomeOf(both, strong)).toBe("admitted");
  });

  test("is required only of the requests that the condition names", async () => {
    const some = guardedBy({
      access: "session",
      stepUp: { ...always, when: ({ role }) => role === "admin" },
    });
    const [adminCall, ordinary] = [{ body: { role: "admin" } }, { body: { role: "user" } }];
    expect(await outcomeOf(some, { at: stale, ...adminCall })).toBe("sign-in");
    expect(await outcomeOf(some, { at: stale, ...ordinary })).toBe("admitted");
    expect(await outcomeOf(some, { apiKeyId: "key", ...adminCall })).toBe("FORBIDDEN");
    expect(await outcomeOf(some, { apiKeyId: "key", ...ordinary })).toBe("admitted");
    expect(await outcomeOf(some, { at: stale })).toBe("admitted");
  });

  test("is not required of borrowed sessions that an operation admits", async () => {
    const open = guardedBy({ access: "session", stepUp: { ...always, admitsBorrowed: true } });
    expect(await outcomeOf(open, { at: stale })).toBe("sign-in");
    expect(await outcomeOf(open, { apiKeyId: "key" })).toBe("admitted");
    expect(await outcomeOf(open, { at: stale, impersonatedBy: "admin" })).toBe("admitted");
  });
});

test.each([
  ["an ordinary operation", { owner: "identity" }, [], "FORBIDDEN"],
  ["one that admits guests", { owner: "identity", admitsGuests: true }, [], "admitted"],
  ["organizations", { owner: "organization" }, ["apiKeys"], "FORBIDDEN"],
  ["organizations if allowed", { owner: "organization" }, ["organizations"], "admitted"],
  ["API keys", { owner: "apikey" }, ["organizations"], "FORBIDDEN"],
  ["API keys if allowed", { owner: "apikey" }, ["apiKeys"], "admitted"],
] as const)("a guest is served by %s", async (_case, own, allow, expected) => {
  const { caller, session } = newPerson();
  const rules = {
    clock: () => now,
    freshAgeSeconds,
    resolveSession: async () => ({ ...session, user: { ...session.user, isAnonymous: true } }),
    admin,
    anonymous: { ...anonymous, allow: [...allow] },
    organization,
  };
  const declared = { ...operations.identity.updateUser, admitsGuests: false, ...own };
  const outcome = requireSession(declared, rules, { caller, query: {}, body: {} });
  await expect(
    outcome.then(
      () => "admitted",
      ({ code }: { code: string }) => code,
    ),
  ).resolves.toBe(expected);
});
