import type { Caller } from "@latchkey/contracts";
import { hashToken, seal } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import { mayGoOnImpersonating } from "../admin/may-go-on-impersonating.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { isBanned } from "../users/user-rules.ts";
import { cachedSession } from "./cached-session.ts";
import { sessionTokenPurpose } from "./create-session.ts";
import type { LiveSession } from "./live-session.ts";
import { extensionDueAt, secondsLeft } from "./session-rules.ts";
import type { FoundSession, SessionExtension, StoredSession } from "./session-store.ts";

/** What it works with. */
export type ResolveSessionNeeds = Pick<
  Deps,
  "activity" | "clock" | "config" | "db" | "ring" | "sessions" | "showSession" | "showUser"
>;

const lives = async (
  deps: ResolveSessionNeeds,
  hash: Buffer,
): Promise<FoundSession | undefined> => {
  const found = await deps.sessions.find(hash);
  const now = deps.clock();
  if (!found || isBanned(found.user, now)) return undefined;
  const { expiresAt, impersonatedBy } = found.session;
  if (expiresAt.getTime() < now) {
    await deps.sessions.deleteExpired(hash, new Date(now));
    return undefined;
  }
  const goesOn = impersonatedBy === null || (await mayGoOnImpersonating(deps, impersonatedBy));
  return goesOn ? found : undefined;
};

/** An impersonation ends when it was said to, however much it is used. */
const mayExtend = (deps: ResolveSessionNeeds, caller: Caller, { session }: FoundSession): boolean =>
  !caller.browserSession &&
  session.impersonatedBy === null &&
  !deps.config.session.disableSessionRefresh &&
  extensionDueAt(session.expiresAt, deps.config.session) <= deps.clock();

const show = (
  deps: ResolveSessionNeeds,
  token: string,
  { session, user }: FoundSession,
): LiveSession => ({
  session: deps.showSession(session, token),
  user: deps.showUser(user),
  epoch: user.revision,
});

/** Extends a due session. Of many at once one does; the others show what it left. Undefined when it has ended. */
const extend = async (
  deps: ResolveSessionNeeds,
  token: string,
  found: FoundSession,
): Promise<LiveSession | undefined> => {
  const hooks = deps.config.databaseHooks.session.update;
  const now = deps.clock();
  const { tokenHash, tokenSealed: _, ...seen } = found.session;
  const allowed = await applyBeforeHook(hooks, {
    ...seen,
    expiresAt: new Date(now + deps.config.session.expiresIn * 1000),
    updatedAt: new Date(now),
  });
  if (!allowed) return undefined;
  const { expiresAt, updatedAt } = allowed;
  const tokenSealed = seal(deps.ring, sessionTokenPurpose, token);
  const to: SessionExtension = { expiresAt, updatedAt, tokenSealed };
  if (!(await deps.sessions.extend(tokenHash, found.session, to))) {
    const again = await lives(deps, tokenHash);
    return again && show(deps, token, again);
  }
  deps.activity.noteUse(found.user.id);
  await hooks.after?.(allowed);
  const session: StoredSession = { ...found.session, ...to };
  const live = show(deps, token, { ...found, session });
  const effect = { kind: "issue", token, maxAgeSeconds: secondsLeft(expiresAt, now) } as const;
  return { ...live, effect: { ...effect, ...cachedSession(deps, live, live.epoch) } };
};

/** The session that the caller's token opens, extended when that is due; undefined when it opens none. */
export const resolveSession = async (
  deps: ResolveSessionNeeds,
  caller: Caller,
  { disableRefresh }: { disableRefresh: boolean },
): Promise<LiveSession | undefined> => {
  const token = caller.sessionToken;
  if (token === undefined) return undefined;
  const found = await lives(deps, hashToken(token));
  if (!found) return undefined;
  if (!disableRefresh && mayExtend(deps, caller, found)) return extend(deps, token, found);
  return show(deps, token, found);
};
