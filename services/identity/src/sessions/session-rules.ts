import type { SessionEffect } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { cachedSession } from "./cached-session.ts";
import type { LiveSession } from "./live-session.ts";

/** Milliseconds since the epoch at which a session becomes due for an extension by use. */
export const extensionDueAt = (
  expiresAt: Date,
  options: { expiresIn: number; updateAge: number },
): number => expiresAt.getTime() - options.expiresIn * 1000 + options.updateAge * 1000;

/** Whole seconds left until `expiresAt`, for a cookie's Max-Age. At least 1, because 0 would delete the cookie. */
export const secondsLeft = (expiresAt: Date, now: number): number =>
  Math.max(1, Math.floor((expiresAt.getTime() - now) / 1000));

/** Reissues the browser's own session: for the remaining time, or until the browser closes. */
export const reissue = (
  deps: Pick<Deps, "clock" | "config">,
  { session, user, epoch, remembered }: Omit<LiveSession, "authentication">,
): Extract<SessionEffect, { kind: "issue" }> => ({
  kind: "issue",
  token: session.token,
  maxAgeSeconds: remembered ? secondsLeft(session.expiresAt, deps.clock()) : null,
  ...cachedSession(deps, { session, user }, epoch),
});
