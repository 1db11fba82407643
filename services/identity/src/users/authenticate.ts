import type { Deps } from "../deps.ts";
import { type CredentialKey, findCredential } from "./queries.ts";
import type { UserRow } from "./user-row.ts";

/** Somebody who has shown their password. */
export interface Authenticated {
  user: UserRow;
  /** Whether the password is still theirs: one that was replaced meanwhile ended the sessions of before. */
  isStillGranted: () => Promise<boolean>;
}

/**
 * The user of an address or username, if the password is theirs. Unknown users, missing password accounts and wrong
 * passwords cost the same work.
 */
export const authenticate = async (
  deps: Pick<Deps, "db" | "passwords">,
  key: CredentialKey,
  password: string,
): Promise<Authenticated | undefined> => {
  const credential = await findCredential(deps.db, key);
  const fits = await deps.passwords.verify(credential?.passwordHash, password);
  if (!credential || !fits) return undefined;
  const { user, passwordHash } = credential;
  return {
    user,
    isStillGranted: async () => {
      const now = await findCredential(deps.db, { by: "id", value: user.id });
      return now?.passwordHash === passwordHash;
    },
  };
};
