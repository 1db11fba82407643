import { isChallenge, operations } from "@latchkey/contracts";
import { decodeBase32, totpCode, totpStep } from "@latchkey/crypto";
import type { Account, CheckContext, Person } from "./check-context.ts";
import { done } from "./done.ts";
import type { Browser } from "./http/browser.ts";
import { NotProven } from "./not-proven.ts";

/** An authenticator app. Each time step has one code. */
interface AuthenticatorApp {
  /** Returns the code of a step relative to the present one. */
  codeAt(offset: number): string;
  /** Returns different codes that are certainly wrong for the next minutes. */
  wrongCodes(count: number): string[];
  backupCodes: readonly string[];
}

/** The steps around the present one whose codes may become valid while a check runs. */
const nearSteps = 10;

/** Returns the app that has read a URI. */
const readApp = (totpURI: string, backupCodes: readonly string[]): AuthenticatorApp => {
  const { searchParams } = new URL(totpURI);
  const secret = decodeBase32(searchParams.get("secret") ?? "");
  if (!secret) throw new Error("the URI of an authenticator app has no secret");
  const digits = Number(searchParams.get("digits") ?? "6");
  const period = Number(searchParams.get("period") ?? "30");
  const codeAt = (offset: number) =>
    totpCode(secret, totpStep(Date.now(), { period }) + offset, { digits });
  return {
    codeAt,
    backupCodes,
    wrongCodes: (count) => {
      const right = new Set(
        Array.from({ length: 2 * nearSteps + 1 }, (_, index) => codeAt(index - nearSteps)),
      );
      return Array.from({ length: count + right.size }, (_, code) =>
        String(code).padStart(digits, "0"),
      )
        .filter((code) => !right.has(code))
        .slice(0, count);
    },
  };
};

const { identity } = operations;

/** A user with an authenticator app. */
export interface AppHolder extends Person {
  app: AuthenticatorApp;
}

/** Turns an app on for a user, by the code of the step before the present one. The session is replaced. */
export const enableApp = async ({ browser, password }: Person): Promise<AuthenticatorApp> => {
  const prepared = await done(
    browser.ask(identity.enableTwoFactor, { body: { password } }),
    "an authenticator app (twoFactor.enabled, twoFactor.totpOptions)",
  );
  const app = readApp(prepared.totpURI ?? "", prepared.backupCodes ?? []);
  await done(
    browser.ask(identity.verifyTotp, { body: { code: app.codeAt(-1) } }),
    "a code of an authenticator app, by the clock of this machine",
  );
  return app;
};

/** Creates a user with an authenticator app. */
export const newAppHolder = async ({ newPerson }: CheckContext): Promise<AppHolder> => {
  const person = await newPerson();
  return { ...person, app: await enableApp(person) };
};

/** Turns codes by mail on for a user. The session is replaced. */
export const enableMailedCodes = async ({ browser, password }: Person): Promise<void> => {
  const body = { password, method: "otp" };
  const answer = browser.ask(identity.enableTwoFactor, { body });
  await done(answer, "a second factor by mail (twoFactor.otpOptions)");
};

/** Enters the password of a user who has a second factor. Returns the browser in which the sign-in waits. */
export const beginChallenge = async (
  { anybody }: CheckContext,
  { email, password }: Account,
): Promise<Browser> => {
  const browser = anybody();
  const answer = browser.ask(identity.signInEmail, { body: { email, password } });
  if (!isChallenge(await done(answer, "a sign-in")))
    throw new Error("a password alone has signed a user with a second factor in");
  return browser;
};

/** Limits the number of sign-ins, because each hashes a password. */
const challengesMax = 8;

/** Begins as many sign-ins of a user as there are concurrent callers, up to a limit. */
export const beginChallenges = async (
  context: CheckContext,
  holder: Account,
  max = challengesMax,
): Promise<Browser[]> => {
  const browsers: Browser[] = [];
  while (browsers.length < Math.min(max, context.measure.callers))
    browsers.push(await beginChallenge(context, holder));
  return browsers;
};

/** Returns a copy of the browser that an index means, so that concurrent callers share the sign-ins. */
export const shared = (browsers: readonly Browser[], index: number): Browser => {
  const browser = browsers[index % browsers.length];
  if (!browser) throw new NotProven("--callers above 0");
  return browser.copy();
};

/** Passes the second factor by a backup code in a browser that is trusted from then on. Returns the browser. */
export const trustBrowser = async (
  context: CheckContext,
  holder: Account,
  code: string | undefined,
): Promise<Browser> => {
  const browser = await beginChallenge(context, holder);
  const answer = browser.ask(identity.verifyBackupCode, { body: { code, trustDevice: true } });
  await done(answer, "a trusted browser (twoFactor.trustDeviceMaxAge)");
  return browser;
};
