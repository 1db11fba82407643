import type { Caller, SessionEffect } from "@latchkey/contracts";
import { hashToken, randomToken, seal } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import type { UserRow } from "../users/user-row.ts";
import type { StoredSession } from "./session-store.ts";

/** Lifetime of a session that is not remembered, in seconds. */
const unrememberedSeconds = 86_400;
const tokenLength = 32;

/** The purpose under which session tokens are sealed. */
export const sessionTokenPurpose = "session token";

export interface NewSession {
  token: string;
  effect: SessionEffect;
}

type Needs = Pick<Deps, "clock" | "config" | "db" | "newId" | "ring" | "sessions">;

/**
 * What happened to a user since it was read has reached every session but one that was being started: brings that one up
 * to date, or ends it when the user is gone. False when it was ended.
 */
const catchUp = async (
  deps: Needs,
  session: StoredSession,
  { user, caller }: { user: UserRow; caller: Caller },
): Promise<boolean> => {
  if (!deps.sessions.copiesUser) return true;
  const current = await findUser(deps, { id: user.id });
  if (current && current.revision > user.revision) await deps.sessions.renewUser(current);
  if (!current)
    await deps.sessions.revoke(session, {
      actor: { kind: "system" },
      subject: { kind: "session", id: session.id },
      action: "session.revoked",
      caller,
    });
  return current !== undefined;
};

/**
 * Starts a session for a user; undefined when the application's hook vetoes it or the user is gone. One that is not
 * remembered lives a day and ends with the browser.
 */
export const createSession = async (
  deps: Needs,
  user: UserRow,
  { caller, remember }: { caller: Caller; remember: boolean },
): Promise<NewSession | undefined> => {
  const hooks = deps.config.databaseHooks.session.create;
  const now = deps.clock();
  const lifetimeSeconds = remember ? deps.config.session.expiresIn : unrememberedSeconds;
  const token = randomToken(tokenLength, "alphanumeric");
  const allowed = await applyBeforeHook(hooks, {
    id: deps.newId("session"),
    userId: user.id,
    expiresAt: new Date(now + lifetimeSeconds * 1000),
    createdAt: new Date(now),
    updatedAt: new Date(now),
    ipAddress: caller.address,
    userAgent: caller.userAgent,
  });
  if (!allowed) return undefined;
  const row = { ...allowed, userId: user.id }; // a hook may not hand the session to somebody else
  const session: StoredSession = {
    ...row,
    tokenHash: hashToken(token),
    tokenSealed: seal(deps.ring, sessionTokenPurpose, token),
  };
  const isStarted = await deps.sessions.insert(session, user, {
    actor: { kind: "user", id: user.id },
    subject: { kind: "session", id: session.id },
    action: "session.created",
    caller,
    after: { userId: user.id, expiresAt: session.expiresAt, remembered: remember },
  });
  if (!isStarted || !(await catchUp(deps, session, { user, caller }))) return undefined;
  await hooks.after?.(row);
  return {
    token,
    effect: { kind: "issue", token, maxAgeSeconds: remember ? lifetimeSeconds : null },
  };
};
