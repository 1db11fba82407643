import type { Caller, SessionEffect } from "@latchkey/contracts";
import { constantTimeEqual, hashToken, randomToken } from "@latchkey/crypto";
import type { IdentityConfig } from "../config.ts";
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

/** Masks an address for the page of a link, so that only its owner recognizes it. */
export const maskAddress = (email: string): string => {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}…${email.slice(at)}`;
};

/**
 * Returns whether a GET of a mailed link acts. Mail scanners follow links too, so by default it acts only in the browser
 * that requested the link. A call by the application's own code is not a followed link.
 */
export const mayAct = (
  { inertLinks }: Pick<IdentityConfig, "inertLinks">,
  { opening }: Caller,
  isAsker: boolean,
): boolean =>
  inertLinks === "off" ||
  opening === "call" ||
  (inertLinks === "elsewhere" && isAsker && opening !== "prefetch");
