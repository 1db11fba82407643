import type { Caller, SessionEffect } from "@latchkey/contracts";
import { createSecretRing, decodeBase32, totpCode, totpStep, unseal } from "@latchkey/crypto";
import { createTestClock, newCaller, testSecret } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import type { IdentityConfig } from "../config.ts";
import { createTestDeps, seedSession, seedUser } from "../db/test-identity.fixture.ts";
import type { Tables } from "../db/tables.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { authenticationOf } from "../sessions/authentication.ts";
import { finishSignIn } from "../sign-in/finish-sign-in.ts";
import { findUser } from "../users/find-users.ts";
import { enableTwoFactor } from "./settings.ts";
import { verifyTotp } from "./verify-codes.ts";

export const password = "correct horse battery";
const form = { digits: 6, period: 30 };

/** Compares passwords instead of hashing them. */
const passwords = {
  hash: async (text: string) => `hash of ${text}`,
  verify: async (stored: string | null | undefined, text: string) => stored === `hash of ${text}`,
  upgrade: async () => undefined,
  isUpgrade: () => false,
};

export const clock = createTestClock();

export const secondFactorDeps = (config: IdentityConfig, db: Kysely<Tables>) => ({
  ...createTestDeps({ config, db, clock: clock.now }),
  passwords,
});
export type TestDeps = ReturnType<typeof secondFactorDeps>;

/** Returns a call of an operation without a session of its own. */
export const callOf = <Body>(caller: Caller, body: Body) =>
  ({ caller, body, params: undefined, query: undefined, session: undefined }) as const;

/** Creates a user with a proven address, a password and a session. */
export const seedPerson = async (deps: TestDeps) => {
  const user = await seedUser(deps.db, { emailVerified: true });
  await replacePassword(deps, {
    userId: user.id,
    passwordHash: `hash of ${password}`,
    ends: "none",
    action: "password.set",
    actor: { kind: "system" },
    caller: newCaller(),
  });
  const { token } = await seedSession(deps, user, { caller: newCaller(), remember: true });
  return { userId: user.id, caller: { ...newCaller(), sessionToken: token } };
};

/** Returns the caller after an answer that has replaced its session. */
export const after = (caller: Caller, effect: SessionEffect | undefined): Caller =>
  effect?.kind === "issue" ? { ...caller, sessionToken: effect.token } : caller;

export const codeAt = (totpURI: string, offset: number): string => {
  const secret = decodeBase32(new URL(totpURI).searchParams.get("secret") ?? "");
  if (!secret) throw new Error("the URI has no secret");
  return totpCode(secret, totpStep(clock.now(), form) + offset, form);
};

/** Returns the code after the present ones, which is certainly wrong now. */
export const wrongCode = (totpURI: string): string => {
  const right = new Set([-1, 0, 1].map((offset) => codeAt(totpURI, offset)));
  const guesses = Array.from({ length: 4 }, (_, index) => String(100_000 + index));
  return guesses.find((guess) => !right.has(guess)) ?? "";
};

/** Turns an app on and moves the clock past the step of its first code. */
export const seedApp = async (deps: TestDeps) => {
  const person = await seedPerson(deps);
  const enabled = await enableTwoFactor(
    deps,
    callOf(person.caller, { password, method: "totp" as const }),
  );
  if (!("reply" in enabled)) throw new Error("not enabled");
  const { totpURI = "", backupCodes = [] } = enabled.reply;
  const { effect } = await verifyTotp(deps, callOf(person.caller, { code: codeAt(totpURI, 0) }));
  clock.advance(2 * form.period * 1000);
  return { userId: person.userId, caller: after(person.caller, effect), totpURI, backupCodes };
};

/** Begins a sign-in that waits for its second factor. Returns the caller that holds it. */
export const beginSignIn = async (
  deps: TestDeps,
  userId: string,
  own: Partial<Parameters<typeof finishSignIn>[1]> = {},
) => {
  const user = await findUser(deps, { id: userId });
  if (!user) throw new Error("there is no such user");
  const caller = own.caller ?? newCaller();
  const factor = { user, method: "password" as const, caller, remember: true, ...own };
  const outcome = await finishSignIn(deps, factor);
  if (outcome?.kind !== "challenge") throw new Error("the sign-in does not wait");
  const twoFactor = outcome.effect.keeps?.twoFactor?.value ?? "";
  const { challenge, effect } = outcome;
  return { challenge, effect, caller: { ...caller, kept: { twoFactor } } };
};

/** Returns the session of a caller with how its user was authenticated. */
export const readSessionOf = async (deps: TestDeps, userId: string) => {
  const [session] = await deps.sessions.list(userId, new Date(clock.now()), 1);
  const user = await findUser(deps, { id: userId });
  return session && user && { session, ...authenticationOf(session, user) };
};

/** Returns the codes that were mailed to a user, oldest first. */
export const mailedCodes = async (db: Kysely<Tables>, userId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom("outbox")
    .select("data")
    .where("name", "=", "two-factor-code.requested")
    .orderBy("occurredAt")
    .execute();
  const ring = createSecretRing([testSecret]);
  return rows
    .map(({ data }) => JSON.parse(unseal(ring, "event", data) ?? "{}") as Record<string, string>)
    .filter((data) => data["userId"] === userId)
    .map((data) => data["code"] ?? "");
};

/** Returns the error code of a refusal, or `right`. */
export const outcomeOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => "right",
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
