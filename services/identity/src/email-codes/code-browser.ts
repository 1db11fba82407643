import type { Caller, SessionEffect } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";

const browserLength = 32;

/**
 * Returns the values that identify the caller's browser: the one for codes, and the one for verification links. A code that replaces such
 * a link was requested under the latter.
 */
export const browsersOf = ({ kept, linkBrowser }: Caller): string[] =>
  [kept?.emailOtp, linkBrowser].filter((value) => value !== undefined);

/** Identifies the browser that requests a code. A browser keeps one value for all its codes. */
export const rememberCodeBrowser = (
  { config }: Pick<Deps, "config">,
  { kept }: Caller,
): { browser: string; effect: Extract<SessionEffect, { kind: "keep" }> } => {
  const browser = kept?.emailOtp ?? randomToken(browserLength, "alphanumeric");
  const maxAgeSeconds = config.emailOTP.expiresIn;
  return {
    browser,
    effect: { kind: "keep", keeps: { emailOtp: { value: browser, maxAgeSeconds } } },
  };
};
