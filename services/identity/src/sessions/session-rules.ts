import type { Caller, Session, SessionEffect } from "@latchkey/contracts";

/** Milliseconds since the epoch at which a used session is due to be extended. */
export const extensionDueAt = (
  expiresAt: Date,
  options: { expiresIn: number; updateAge: number },
): number => expiresAt.getTime() - options.expiresIn * 1000 + options.updateAge * 1000;

/** Whole seconds left until `expiresAt`, for a cookie's Max-Age. */
export const secondsLeft = (expiresAt: Date, now: number): number =>
  Math.max(0, Math.floor((expiresAt.getTime() - now) / 1000));

/** Gives the browser its own session again, for the time that it has left. */
export const reissue = (session: Session, caller: Caller, now: number): SessionEffect => ({
  kind: "issue",
  token: session.token,
  maxAgeSeconds: caller.browserSession ? null : secondsLeft(session.expiresAt, now),
});
