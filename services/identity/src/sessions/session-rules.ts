import type { Caller, FullUser, Session, SessionEffect } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { cachedSession } from "./cached-session.ts";

/** Milliseconds since the epoch at which a used session is due to be extended. */
export const extensionDueAt = (
  expiresAt: Date,
  options: { expiresIn: number; updateAge: number },
): number => expiresAt.getTime() - options.expiresIn * 1000 + options.updateAge * 1000;

/** Whole seconds left until `expiresAt`, for a cookie's Max-Age; one at least, as 0 would take the cookie away. */
export const secondsLeft = (expiresAt: Date, now: number): number =>
  Math.max(1, Math.floor((expiresAt.getTime() - now) / 1000));

/** Gives the browser its own session again, for the time that it has left. */
export const reissue = (
  deps: Pick<Deps, "clock" | "config">,
  { session, user, epoch }: { session: Session; user: FullUser; epoch: number },
  caller: Caller,
): Extract<SessionEffect, { kind: "issue" }> => ({
  kind: "issue",
  token: session.token,
  maxAgeSeconds: caller.browserSession ? null : secondsLeft(session.expiresAt, deps.clock()),
  ...cachedSession(deps, { session, user }, epoch),
});
