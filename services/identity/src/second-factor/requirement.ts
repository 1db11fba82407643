import { rolesOf } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";
import type { UserRow } from "../users/user-row.ts";

type Config = Pick<IdentityConfig, "admin" | "twoFactor">;
type Holder = Pick<UserRow, "id" | "role">;

/** When the installation begins to require a second factor of a user. */
export type Requirement = { from: Date | null } | undefined;

/** Returns the installation's requirement of a second factor for a user, or undefined if there is none. A null date means always. */
export const requirementOf = ({ admin, twoFactor }: Config, user: Holder): Requirement => {
  const { enabled, required } = twoFactor;
  const isMeant =
    required.everyone ||
    (required.roles.length > 0 &&
      rolesOf(admin, user).some((role) => required.roles.includes(role)));
  if (!enabled || !isMeant) return undefined;
  return { from: required.from === undefined ? null : new Date(required.from) };
};

/** Returns whether the installation requires a second factor of a user at `now`, in milliseconds since the epoch. */
export const isRequired = (config: Config, user: Holder, now: number): boolean => {
  const requirement = requirementOf(config, user);
  return requirement !== undefined && (requirement.from?.getTime() ?? 0) <= now;
};
