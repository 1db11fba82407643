import { isAdmin, operations, WireError, secretTokens, type Caller } from "@latchkey/contracts";
import { appendAudit, sessionActor } from "@latchkey/service-kit/audit";
import { type ResolvedSession, landingPlace } from "@latchkey/service-kit/http";
import { hashToken } from "@latchkey/crypto";
import type { Deps, Handler } from "../deps.ts";
import { findUser } from "../users/find-users.ts";
import type { UserRow } from "../users/user-row.ts";
import { type AdminCall, isOneself, checkReach } from "../users/admin-rights.ts";
import { inspectSecret, issueSecret, type SecretNeeds, useSecret } from "../secrets/secrets.ts";
import { refuseBanned } from "../users/lift-expired-ban.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
} from "../sessions/create-session.ts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { reissue } from "../sessions/session-rules.ts";

const { permission } = operations.identity.adminImpersonateUser;

/** The call of an admin, who always has a session. */
type ImpersonatorCall = AdminCall & { session: ResolvedSession };

/** Returns the user whom the caller may impersonate now. Throws the reason why not. */
const findImpersonable = async (
  deps: Pick<Deps, "config" | "db">,
  call: ImpersonatorCall,
  userId: string,
): Promise<UserRow> => {
  const { admin } = deps.config;
  // The admin web names the admin's own session while the browser holds an impersonation, which must not nest.
  if (call.caller.impersonationToken !== undefined)
    throw new WireError("YOU_ARE_ALREADY_IMPERSONATING_A_USER");
  const target = await findUser(deps, { id: userId });
  if (!target) throw new WireError("USER_NOT_FOUND");
  if (isOneself(call, target.id)) throw new WireError("YOU_CANNOT_IMPERSONATE_YOURSELF");
  if (isAdmin(admin, target) && !admin.allowImpersonatingAdmins)
    throw new WireError("YOU_CANNOT_IMPERSONATE_ADMINS");
  checkReach(deps, call, { permission, target });
  return target;
};

/** The user to impersonate, and the admin's reason. */
interface WantedImpersonation {
  userId: string;
  reason?: string | undefined;
}

const lifetimeSeconds = secretTokens.impersonationLink.lifetime;

/** Stores a link for one use by the browser that holds the admin's session, with its audit entry. */
const storeImpersonationLink = (
  deps: SecretNeeds & Pick<Deps, "db" | "logger">,
  { caller, session }: ImpersonatorCall,
  wanted: WantedImpersonation,
): Promise<{ token: string; expiresAt: Date }> =>
  deps.db.transaction().execute(async (trx) => {
    const link = await issueSecret(deps, trx, {
      name: "impersonationLink",
      holder: session.session.id,
      content: JSON.stringify(wanted),
      lifetimeSeconds,
    });
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "user", id: wanted.userId },
      action: "impersonation-link.created",
      caller,
      after: { reason: wanted.reason?.trim(), expiresAt: link.expiresAt },
    });
    return link;
  });

/** Returns why a link cannot be used. A used one is deleted, so it cannot be told from one that never existed. */
const refusalOf = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { token, sessionId }: { token: string; sessionId: string },
): Promise<WireError> => {
  const link = await inspectSecret(deps, "impersonationLink", { token });
  if (!link) return new WireError("IMPERSONATION_LINK_NOT_FOUND");
  if (link.holder !== sessionId) return new WireError("IMPERSONATION_LINK_OF_ANOTHER_SESSION");
  return link.expiresAt.getTime() <= deps.clock()
    ? new WireError("IMPERSONATION_LINK_EXPIRED")
    : new WireError("IMPERSONATION_LINK_NOT_FOUND");
};

/**
 * Uses up a link and returns what it stands for. One statement decides, so only one of several concurrent calls gets it. Another session
 * than that of the admin who created the link cannot use it up.
 */
const useImpersonationLink = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "ring">,
  { token, sessionId }: { token: string; sessionId: string },
): Promise<WantedImpersonation> => {
  const use = { name: "impersonationLink", token, holder: sessionId } as const;
  const used = await useSecret(deps, deps.db, use);
  if (!used) throw await refusalOf(deps, { token, sessionId });
  return JSON.parse(used.content) as WantedImpersonation;
};

const { path: openPath } = operations.identity.adminOpenImpersonationLink;

/** Returns a link that impersonates a user once, within a minute. Refuses what the link would refuse, so that it fails at the console. */
export const adminCreateImpersonationLink: Handler<"adminCreateImpersonationLink"> = async (
  deps,
  call,
) => {
  const { body, caller } = call;
  const { userId, reason } = body;
  refuseBanned(deps, await findImpersonable(deps, call, userId));
  const { token, expiresAt } = await storeImpersonationLink(deps, call, { userId, reason });
  return { reply: { url: `${caller.baseUrl}${openPath}?token=${token}`, expiresAt } };
};

/** Starts the session of an impersonation. Its effect keeps the admin's own session aside. */
const startImpersonation = async (
  deps: CreateSessionNeeds,
  call: ImpersonatorCall,
  { userId, reason }: WantedImpersonation,
): Promise<NewSession> => {
  const target = await findImpersonable(deps, call, userId);
  const created = await createSession(deps, target, {
    caller: call.caller,
    proof: { methods: [] },
    remember: false,
    impersonation: {
      adminId: call.session.user.id,
      seconds: deps.config.admin.impersonationSessionDuration,
      reason: reason?.trim(),
    },
  });
  if (!created) throw new WireError("FAILED_TO_CREATE_USER", { status: 500 });
  return { ...created, effect: { ...created.effect, parks: true } };
};

/** Signs an admin in as another user for a limited time. The browser keeps the admin's own session, which stays valid. */
export const adminImpersonateUser: Handler<"adminImpersonateUser"> = async (deps, call) => {
  const { session, user, effect } = await startImpersonation(deps, call, call.body);
  return { reply: { session, user }, effect };
};

/** Uses up a link, impersonates its user, and leads to the application. All rules are checked again, because a minute may have passed. */
export const adminOpenImpersonationLink: Handler<"adminOpenImpersonationLink"> = async (
  deps,
  call,
) => {
  const { caller, query, session } = call;
  const { token } = query;
  const wanted = await useImpersonationLink(deps, { token, sessionId: session.session.id });
  const { effect } = await startImpersonation(deps, call, wanted);
  const application = landingPlace(deps.config.appURL, caller, undefined);
  return { redirect: application ?? new URL("/", caller.baseUrl).href, effect };
};

/** Returns the admin's parked session if it is live and that admin's own. */
const findParked = async (deps: ResolveSessionNeeds, caller: Caller, adminId: string) => {
  const { token, browserSession } = caller.parkedSession ?? {};
  const parkedCaller = { ...caller, sessionToken: token, browserSession };
  const resolved = await resolveSession(deps, parkedCaller, { disableRefresh: true });
  return resolved?.user.id === adminId && !resolved.session.impersonatedBy ? resolved : undefined;
};

/**
 * Ends an impersonation and gives the browser back to the admin. Only one of several concurrent calls does so. Without a
 * parked session of the admin, the impersonation continues.
 */
export const adminStopImpersonating: Handler<"adminStopImpersonating"> = async (
  deps,
  { caller, session: current },
) => {
  const { session, user } = current;
  const { impersonatedBy: adminId } = session;
  if (!adminId) throw new WireError("YOU_ARE_NOT_IMPERSONATING_ANYONE");
  const parked = await findParked(deps, caller, adminId);
  if (!parked) throw new WireError("FAILED_TO_FIND_ADMIN_SESSION");
  const impersonation = { tokenHash: hashToken(session.token), userId: user.id };
  const isEnded = await deps.sessions.revoke(impersonation, {
    actor: sessionActor(current),
    subject: { kind: "session", id: session.id },
    action: "session.impersonation-ended",
    caller,
  });
  if (!isEnded) throw new WireError("YOU_ARE_NOT_IMPERSONATING_ANYONE");
  return {
    reply: { session: parked.session, user: parked.user },
    effect: { ...reissue(deps, parked), unparks: true },
  };
};
