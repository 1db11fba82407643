import type { Caller } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { upgradeHash } from "../passwords/upgrade-hash.ts";
import { type CredentialKey, findCredential } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { nameAttemptedUser } from "./attempted-user.ts";

/** A user who has entered the right password. */
export interface Authenticated {
  user: UserRow;
  /** Returns whether the password is still valid. Replacing it has ended the earlier sessions. */
  isStillGranted: () => Promise<boolean>;
}

/**
 * Returns the user of an address or username if the password is right. Unknown users, missing password accounts and wrong
 * passwords cost the same work.
 */
export const authenticate = async (
  deps: Pick<Deps, "db" | "logger" | "passwords">,
  key: CredentialKey,
  { password, caller }: { password: string; caller: Caller },
): Promise<Authenticated | undefined> => {
  const credential = await findCredential(deps.db, key);
  if (credential) nameAttemptedUser(caller, credential.user.id);
  const fits = await deps.passwords.verify(credential?.passwordHash, password);
  if (!credential?.passwordHash || !fits) return undefined;
  const { user, passwordHash: stored } = credential;
  await upgradeHash(deps, { userId: user.id, stored }, password);
  return {
    user,
    isStillGranted: async () => {
      const now = await findCredential(deps.db, { by: "id", value: user.id });
      const hash = now?.passwordHash;
      // A concurrent sign-in may have upgraded the hash.
      return hash === stored || Boolean(hash && deps.passwords.isUpgrade(hash, stored));
    },
  };
};
