import type { Caller } from "@latchkey/contracts";
import type { AuditEntry } from "@latchkey/service-kit";
import { SpentError } from "../one-time-tokens/spent-error.ts";
import { changeUser, type ChangeUserNeeds, type UserChange } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import type { LinkUse } from "./use-verification-link.ts";

export interface VerifiedAddress {
  user: UserRow;
  caller: Caller;
  /** Default: the user. */
  actor?: AuditEntry["actor"];
  /** The holder of the credentials has not shown that the address is theirs. */
  byLinkAlone?: boolean;
  /** Runs first in the transaction. An error rolls it back. */
  within?: UserChange["within"];
}

/** Returns the current user, if the address is still theirs and verified. */
export const findVerified = async (
  deps: Pick<ChangeUserNeeds, "db">,
  user: UserRow,
): Promise<UserRow | undefined> => {
  const now = await findUser(deps, { email: user.email });
  return now?.id === user.id && now.emailVerified ? now : undefined;
};

/** Marks the address of a user as verified in one guarded statement. Returns undefined if it is no longer theirs. */
export const markVerified = async (
  deps: ChangeUserNeeds,
  { user, ...by }: VerifiedAddress,
): Promise<UserRow | undefined> => {
  if (user.emailVerified) return user;
  const marked = await changeUser(deps, {
    ...by,
    user,
    change: { emailVerified: true },
    guard: { email: user.email, emailVerified: false },
    action: "user.email-verified",
  });
  return marked ?? findVerified(deps, user);
};

export interface FollowedLink {
  user: UserRow;
  caller: Caller;
  /** The link was opened in a browser that was not known to be the user's. */
  byLinkAlone: boolean;
  consume: LinkUse["consume"];
}

/**
 * Marks the address of a user as verified and uses up the mailed link. Only one of several concurrent uses is the
 * `change`. For the others the address is verified already. Returns undefined if the link was deleted meanwhile or the
 * address is no longer the user's.
 */
export const markByLink = async (
  deps: ChangeUserNeeds,
  { user, caller, byLinkAlone, consume }: FollowedLink,
): Promise<{ user: UserRow; isChange: boolean } | undefined> => {
  try {
    const marked = await changeUser(deps, {
      user,
      caller,
      change: { emailVerified: true },
      guard: { email: user.email, emailVerified: false },
      action: "user.email-verified",
      byLinkAlone,
      // The previous statement has locked the user.
      publish: async (trx) => {
        if (!(await consume(trx))) throw new SpentError();
      },
    });
    if (marked) return { user: marked, isChange: true };
  } catch (error) {
    if (!(error instanceof SpentError)) throw error;
  }
  const verified = await findVerified(deps, user);
  return verified && { user: verified, isChange: false };
};
