import type { Caller, FullUser } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { appendAudit } from "@latchkey/service-kit/audit";
import type { Deps } from "../deps.ts";
import { endGuest } from "../users/guests/queries.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { advanceRevision } from "../user-revisions/advance-revision.ts";
import { lockUser } from "../users/queries.ts";
import { endAccess } from "./end-access.ts";

/** The session that says who the guest of a sign-in is: that of the caller, or that of the browser or app that began the sign-in. */
export type GuestHolder = Pick<Caller, "sessionToken">;

/** For a sign-in that hands no guest over: what the caller shows may come from somebody else. */
export const noGuest: GuestHolder = {};

/** Returns the id of the guest who is signed in in the caller's browser. An admin who impersonates a guest is not that guest. */
export const findGuestId = async (
  { clock, config, sessions }: Pick<Deps, "clock" | "config" | "sessions">,
  { sessionToken }: GuestHolder,
): Promise<string | undefined> => {
  if (!config.anonymous.enabled || sessionToken === undefined) return undefined;
  const stored = await sessions.find(hashToken(sessionToken));
  if (!stored?.user.isAnonymous) return undefined;
  const { expiresAt, impersonatedBy } = stored.session;
  return impersonatedBy === null && expiresAt.getTime() > clock() ? stored.user.id : undefined;
};

/**
 * Returns the session of the guest who begins a sign-in, for its end. That may carry no cookie of its own: a browser omits it from a
 * provider's POST, and that of a mobile app is another browser. A guest who becomes known meanwhile loses the session.
 */
export const findGuestSession = async (
  deps: Parameters<typeof findGuestId>[0],
  { sessionToken }: GuestHolder,
): Promise<string | undefined> =>
  (await findGuestId(deps, { sessionToken })) === undefined ? undefined : sessionToken;

export type LinkGuestNeeds = Pick<
  Deps,
  | "clock"
  | "config"
  | "db"
  | "guestObserver"
  | "newEventId"
  | "revisionRecords"
  | "ring"
  | "sessions"
  | "urgentEvents"
  | "wakeRelay"
>;

type LinkedUser = Pick<FullUser, "id" | "isAnonymous">;

/**
 * Hands a guest over to the existing user as whom its browser has signed in, or to whom it has switched. The event for applications commits
 * with the end of the guest's access, once. The row stays for a while, so that applications can still read what belongs to it.
 */
export const linkGuest = async (
  deps: LinkGuestNeeds,
  { user, guestId, caller }: { user: LinkedUser; guestId: string | undefined; caller: Caller },
): Promise<void> => {
  if (guestId === undefined || guestId === user.id || user.isAnonymous) return;
  const actor = { kind: "user", id: user.id } as const;
  const linked = await deps.db.transaction().execute(async (trx) => {
    const now = new Date(deps.clock());
    if (!(await lockUser(trx, guestId))) return undefined;
    if (!(await endGuest(trx, { userId: guestId, now }))) return undefined;
    await advanceRevision(deps, trx, { userId: guestId, caller });
    const keysEnded = await endAccess(trx, deps, { userId: guestId, fact: "user.guest-linked" });
    await appendAudit(trx, deps, {
      actor,
      subject: actor,
      action: "user.guest-linked",
      caller,
      after: { guestId },
    });
    return { keysEnded };
  });
  if (!linked) return;
  if (linked.keysEnded) deps.urgentEvents.note(caller, linked.keysEnded);
  deps.guestObserver.record("linked");
  deps.wakeRelay();
  await endSessions(deps, { userId: guestId, actor, caller });
};
