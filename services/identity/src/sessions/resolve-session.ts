import type { Caller } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { ResolvedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import type { FoundSession, StoredSession } from "./session-store.ts";
import { extensionDueAt, secondsLeft } from "./session-rules.ts";

type Needs = Pick<Deps, "clock" | "config" | "sessions">;

/** The session as its owner sees it, with the token that the owner showed. */
export const toSession = (
  { tokenHash: _hash, tokenSealed: _sealed, ...session }: StoredSession,
  token: string,
) => ({ ...session, token });

const lives = async (deps: Needs, hash: Buffer): Promise<FoundSession | undefined> => {
  const found = await deps.sessions.find(hash);
  if (!found) return undefined;
  const now = deps.clock();
  if (found.session.expiresAt.getTime() >= now) return found;
  await deps.sessions.deleteExpired(hash, new Date(now));
  return undefined;
};

const mayExtend = (deps: Needs, caller: Caller, found: FoundSession): boolean =>
  !caller.browserSession &&
  !deps.config.session.disableSessionRefresh &&
  extensionDueAt(found.session.expiresAt, deps.config.session) <= deps.clock();

/** Extends a due session. Of many at once one does; the others show what it left. Undefined when it has ended. */
const extend = async (
  deps: Needs,
  token: string,
  found: FoundSession,
): Promise<ResolvedSession | undefined> => {
  const hooks = deps.config.databaseHooks.session.update;
  const now = deps.clock();
  const { tokenHash, tokenSealed, ...seen } = found.session;
  const allowed = await applyBeforeHook(hooks, {
    ...seen,
    expiresAt: new Date(now + deps.config.session.expiresIn * 1000),
    updatedAt: new Date(now),
  });
  if (!allowed) return undefined;
  const { expiresAt, updatedAt } = allowed;
  if (!(await deps.sessions.extend(tokenHash, found.session, { expiresAt, updatedAt }))) {
    const again = await lives(deps, tokenHash);
    return again && { session: toSession(again.session, token), user: again.user };
  }
  await hooks.after?.(allowed);
  return {
    session: toSession({ ...found.session, expiresAt, updatedAt }, token),
    user: found.user,
    effect: { kind: "issue", token, maxAgeSeconds: secondsLeft(expiresAt, now) },
  };
};

/** The session that the caller's token opens, extended when that is due; undefined when it opens none. */
export const resolveSession = async (
  deps: Needs,
  caller: Caller,
  { disableRefresh }: { disableRefresh: boolean },
): Promise<ResolvedSession | undefined> => {
  const token = caller.sessionToken;
  if (token === undefined) return undefined;
  const found = await lives(deps, hashToken(token));
  if (!found) return undefined;
  if (!disableRefresh && mayExtend(deps, caller, found)) return extend(deps, token, found);
  return { session: toSession(found.session, token), user: found.user };
};
