import { type AuthenticationMethod, type RoleHolder, rolesOf } from "@latchkey/contracts";
import { methodsOf } from "@latchkey/service-kit";
import type { IdentityConfig } from "../config.ts";
import { countedSecondFactorAt } from "../sessions/authentication.ts";
import type { StoredSession } from "../sessions/store/session-store.ts";
import type { UserRow } from "../users/user-row.ts";

type Config = Pick<IdentityConfig, "admin" | "twoFactor">;

/** When the installation begins to require a second factor of a user. */
export type Requirement = { from: Date | null } | undefined;

/** Returns the installation's requirement of a second factor for a user, or undefined if there is none. A null date means always. */
export const requirementOf = ({ admin, twoFactor }: Config, user: RoleHolder): Requirement => {
  const { enabled, required } = twoFactor;
  const isMeant =
    required.everyone ||
    (required.roles.length > 0 &&
      rolesOf(admin, user).some((role) => required.roles.includes(role)));
  if (!enabled || !isMeant) return undefined;
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
  !methodsOf(session).some((method) => isSkipped(config, method));

/** Returns whether the options exempt a sign-in method from second factors. */
export const isSkipped = (
  { twoFactor }: Pick<Config, "twoFactor">,
  method: AuthenticationMethod,
): boolean =>
  twoFactor.skipFor.some((skipped) =>
    skipped === "social" ? method.startsWith("social:") : method === skipped,
  );

/** Returns whether the installation requires a second factor of a user at `now`, in milliseconds since the epoch. */
export const isRequired = (config: Config, user: RoleHolder, now: number): boolean => {
  const requirement = requirementOf(config, user);
  return requirement !== undefined && (requirement.from?.getTime() ?? 0) <= now;
};
