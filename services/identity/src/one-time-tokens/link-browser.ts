import type { Caller, SessionEffect } from "@latchkey/contracts";
import { constantTimeEqual, hashToken, randomToken } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";

const browserLength = 32;

/** Returns the hash by which a link identifies the browser that requested it. */
export const browserHash = (browser: string): string => hashToken(browser).toString("base64url");

/** Returns whether the caller is the browser that requested a link. */
export const isBrowserOf = (caller: Caller, hash: string | undefined): boolean =>
  caller.linkBrowser !== undefined &&
  hash !== undefined &&
  constantTimeEqual(browserHash(caller.linkBrowser), hash);

/**
 * Identifies a browser without a session, so that the link that it requests acts there at once. A browser keeps one value
 * for all its links.
 */
export const rememberBrowser = (
  { config }: Pick<Deps, "config">,
  caller: Caller,
): { browser: string; effect: SessionEffect } => {
  const browser = caller.linkBrowser ?? randomToken(browserLength, "alphanumeric");
  const maxAgeSeconds = config.emailVerification.expiresIn;
  return { browser, effect: { kind: "link", browser, maxAgeSeconds } };
};
