import { type Operation, operation, optionsSchema } from "@latchkey/contracts";
import { newPerson } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type ResolvedSession, requireSession } from "./require-session.ts";

const now = Date.UTC(2030, 0, 1);
const freshAgeSeconds = 3600;
const recent = new Date(now - freshAgeSeconds * 1000 + 1);
const stale = new Date(now - freshAgeSeconds * 1000);
const { admin } = optionsSchema.parse({});

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
}

/** Returns "admitted", or the missing proof. */
const outcomeOf = async (
  declared: Operation,
  { isOn, at, secondFactorAt, freshAge = freshAgeSeconds, updatedAt = recent, apiKeyId }: Given,
) => {
  const { caller, session } = newPerson(isOn === undefined ? {} : { twoFactorEnabled: isOn });
  const found: ResolvedSession = {
    user: session.user,
    session: { ...session.session, updatedAt },
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
    resolveSession: async () => found,
    admin,
  };
  const asked = {
    caller: { ...caller, ...(apiKeyId === undefined ? {} : { apiKeyId }) },
    query: {},
    body: undefined,
  };
  return requireSession(declared, rules, asked).then(
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
  ["an API key", { apiKeyId: "key" }, "sign-in", "admitted"],
  ["an API key, factor on", { apiKeyId: "key", isOn: true }, "second-factor", "second-factor"],
  ["an extended session", { at: stale, updatedAt: new Date(now) }, "sign-in", "admitted"],
];

describe("a strong session", () => {
  test.each(cases)("%s", async (_what, given, always, withSecondFactor) => {
    expect(await outcomeOf(guardedBy({ access: "session", stepUp: "always" }), given)).toBe(always);
    expect(
      await outcomeOf(guardedBy({ access: "session", stepUp: "withSecondFactor" }), given),
    ).toBe(withSecondFactor);
    expect(await outcomeOf(guardedBy({ access: "session" }), given)).toBe("admitted");
  });

  test("is demanded beside a fresh session", async () => {
    const both = guardedBy({ access: "fresh session", stepUp: "withSecondFactor" });
    const strong = { at: recent, isOn: true, secondFactorAt: recent };
    expect(await outcomeOf(both, { ...strong, updatedAt: stale })).toBe("SESSION_IS_NOT_FRESH");
    expect(await outcomeOf(both, { ...strong, secondFactorAt: stale })).toBe("second-factor");
    expect(await outcomeOf(both, strong)).toBe("admitted");
  });
});
