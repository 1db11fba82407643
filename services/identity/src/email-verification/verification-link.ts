import type { Kysely, Transaction } from "kysely";
import type { Caller } from "@latchkey/contracts";
import type { AuditEntry } from "@latchkey/service-kit/audit";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import {
  inspectSecret,
  readSecret,
  type SecretNeeds,
  useSecret,
  useUnstored,
  SpentError,
} from "../secrets/secrets.ts";
import { isPasswordNewer } from "./queries.ts";
import { changeUser, type ChangeUserNeeds, type UserChange } from "../users/change-user.ts";
import { findUser } from "../users/find-users.ts";
import type { UserRow } from "../users/user-row.ts";

type Needs = SecretNeeds & Pick<Deps, "db">;

const name = "emailVerification";

/** A link whose signature was verified. */
interface SignedLink {
  token: string;
  /** Undefined for a link of another issuer, which has no row. */
  id?: string;
  issuedAt: Date | undefined;
  expiresAt: Date | undefined;
}

/** Checks a link, and uses it up in the transaction of the change that it authorises. */
export interface LinkUse {
  isGood: () => Promise<boolean>;
  /** Returns true for exactly one of several concurrent calls. The user must be locked. */
  consume: (trx: Transaction<Tables>) => Promise<boolean>;
}

/**
 * Handles a link of this service. It has a row with its user's id. Its use, the next password and the next address delete
 * that row.
 */
const useOwn = (deps: Needs, token: string, userId: string): LinkUse => ({
  isGood: async () => (await readSecret(deps, name, { token }))?.holder === userId,
  consume: async (trx) =>
    (await useSecret(deps, trx, { name, token, holder: userId })) !== undefined,
});

/** How long the use of a token without `exp` is recorded. */
const rememberedMilliseconds = 10 * 365 * 86_400_000;

/**
 * Handles a link of `better-auth`, or of a release without rows. It gets a row when it is used. A password that is newer
 * than the link invalidates it.
 */
const useForeign = (
  deps: Needs,
  { token, issuedAt, expiresAt }: SignedLink,
  userId: string,
): LinkUse => {
  const isEnded = async (on: Kysely<Tables>) =>
    issuedAt !== undefined && (await isPasswordNewer(on, userId, issuedAt));
  const use = {
    name,
    token,
    expiresAt: expiresAt ?? new Date(deps.clock() + rememberedMilliseconds),
  } as const;
  return {
    isGood: async () =>
      (await inspectSecret(deps, name, { token })) === undefined && !(await isEnded(deps.db)),
    consume: async (trx) => !(await isEnded(trx)) && useUnstored(deps, trx, use),
  };
};

/** Returns how a signed link of a user can be used. */
export const useVerificationLink = (deps: Needs, link: SignedLink, userId: string): LinkUse =>
  link.id === undefined ? useForeign(deps, link, userId) : useOwn(deps, link.id, userId);

interface VerifiedAddress {
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

interface FollowedLink {
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
