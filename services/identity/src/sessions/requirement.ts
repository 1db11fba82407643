import { isExempt, type RoleHolder, rolesOf } from "@latchkey/contracts";
import { methodsOf } from "@latchkey/service-kit/http";
import type { IdentityConfig } from "../config.ts";
import { countedSecondFactorAt } from "./authentication.ts";
import type { StoredSession } from "./store/session-store.ts";
import { type UserRow, isBanned, isFormerGuest } from "../users/user-row.ts";
import type { Handler } from "../deps.ts";
import { findAccessEpoch } from "../rows/access-epochs.ts";
import { findUser } from "../users/find-users.ts";

type Config = Pick<IdentityConfig, "admin" | "twoFactor">;

/** When the installation begins to require a second factor of a user. */
type Requirement = { from: Date | null } | undefined;

/** Returns the installation's requirement of a second factor for a user, or undefined if there is none. A null date means always. */
export const requirementOf = (
  { admin, twoFactor }: Config,
  user: RoleHolder & { readonly isAnonymous?: boolean | undefined },
): Requirement => {
  const { enabled, required } = twoFactor;
  const isMeant =
    required.everyone ||
    (required.roles.length > 0 &&
      rolesOf(admin, user).some((role) => required.roles.includes(role)));
  // A guest has no first factor either.
  if (!enabled || !isMeant || user.isAnonymous) return undefined;
  return { from: required.from === undefined ? null : new Date(required.from) };
};

/** The state of a session on which the requirement bears. */
type Held = Pick<StoredSession, "impersonatedBy" | "methods" | "secondFactorAt">;

/**
 * Returns whether the installation's requirement has ended a session: its user has no second factor, and the session began without
 * another proof that counts, such as a passkey. Sign-in methods that need no second factor are exempt.
 */
export const isBelowRequirement = (
  config: Config,
  { session, user }: { session: Held; user: RoleHolder & Pick<UserRow, "twoFactorEnabled"> },
  now: number,
): boolean =>
  !user.twoFactorEnabled &&
  countedSecondFactorAt(session, user) === null &&
  session.impersonatedBy === null &&
  isRequired(config, user, now) &&
  !methodsOf(session).some((method) => isExempt(config.twoFactor, method));

/** Returns whether the installation requires a second factor of a user at `now`, in milliseconds since the epoch. */
export const isRequired = (config: Config, user: RoleHolder, now: number): boolean => {
  const requirement = requirementOf(config, user);
  return requirement !== undefined && (requirement.from?.getTime() ?? 0) <= now;
};

/** Returns a user on whose behalf other applications may act now, or null. */
export const findGrantSubject: Handler<"findGrantSubject"> = async (
  deps,
  { body: { userId, sessionId } },
) => {
  const now = deps.clock();
  const [user, accessEpoch, stored] = await Promise.all([
    findUser(deps, { id: userId }),
    findAccessEpoch(deps.db, userId),
    sessionId === null ? undefined : deps.sessions.find(Buffer.from(sessionId, "hex")),
  ]);
  if (!user || isBanned(user, now) || isFormerGuest(deps.config, user)) return { reply: null };
  const hasSession =
    sessionId === null || (stored?.user.id === userId && stored.session.expiresAt.getTime() >= now);
  return { reply: { user: deps.showUser(user), accessEpoch, hasSession } };
};

/**
 * Returns the whole user with this id, or null if there is none or guests were turned off. Also returns whether a ban is in force now, and whether the installation
 * requires a second factor of the user.
 */
export const findKeyOwner: Handler<"findKeyOwner"> = async (deps, { body: { userId } }) => {
  const user = await findUser(deps, { id: userId });
  if (!user || isFormerGuest(deps.config, user)) return { reply: null };
  const now = deps.clock();
  const needsSecondFactor = isRequired(deps.config, user, now);
  return { reply: { user: deps.showUser(user), isBanned: isBanned(user, now), needsSecondFactor } };
};
