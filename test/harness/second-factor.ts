import { decodeBase32, totpCode, totpStep } from "@latchkey/crypto";
import { expect } from "vitest";
import { type BrowserLike, createBrowserLike } from "./browser-like.ts";
import type { System } from "./start-system.ts";
import { password, type TestUser } from "./users.ts";

/** An authenticator app. Each time step has one code, which works once. */
export interface App {
  /** Returns the code of a step relative to the present one. */
  codeAt(offset: -1 | 0 | 1): string;
  backupCodes: string[];
}

/** Returns the app that has read a URI. */
export const appOf = (totpURI: string, backupCodes: string[] = []): App => {
  const { searchParams } = new URL(totpURI);
  const secret = decodeBase32(searchParams.get("secret") ?? "");
  if (!secret) throw new Error("the URI has no secret");
  const form = {
    digits: Number(searchParams.get("digits") ?? 6),
    period: Number(searchParams.get("period") ?? 30),
  };
  return {
    backupCodes,
    codeAt: (offset) => totpCode(secret, totpStep(Date.now(), form) + offset, form),
  };
};

/** Prepares an app for a user, without turning it on. */
export const prepareApp = async ({ browser }: Pick<TestUser, "browser">): Promise<App> => {
  const response = await browser.post("/two-factor/enable", { password });
  expect(response.status).toBe(200);
  const { totpURI, backupCodes } = (await response.json()) as {
    totpURI: string;
    backupCodes: string[];
  };
  return appOf(totpURI, backupCodes);
};

/** Turns an app on for a user, by the code of the step before the present one. */
export const enableApp = async (person: Pick<TestUser, "browser">): Promise<App> => {
  const app = await prepareApp(person);
  const verify = async () =>
    (await person.browser.post("/two-factor/verify-totp", { code: app.codeAt(-1) })).status;
  const status = await verify();
  // The step may have ended on the way, which makes the code too old.
  expect(status === 401 ? await verify() : status).toBe(200);
  return app;
};

/** Enters the password of a user who has a second factor, in a new browser. */
export const beginChallenge = async (
  system: Pick<System, "url">,
  { email }: Pick<TestUser, "email">,
  own: object = {},
): Promise<BrowserLike> => {
  const browser = createBrowserLike(system.url);
  const response = await browser.post("/sign-in/email", { email, password, ...own });
  expect(await response.json()).toMatchObject({ twoFactorRedirect: true });
  return browser;
};
