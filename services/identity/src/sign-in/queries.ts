import { compileOnce, type Slots } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { type UserRow, userSelection } from "../users/user-row.ts";

/** Identifies the user of a sign-in: a lower-case address, a normalised username, a phone number in E.164, or the id. */
export interface CredentialKey {
  by: "email" | "username" | "phoneNumber" | "id";
  value: string;
}

const selectCredentialBy = (column: CredentialKey["by"]) =>
  compileOnce((db: Kysely<Tables>, { value }: Slots<{ value: string }>) =>
    db
      .selectFrom("user")
      .leftJoin("account", (join) =>
        join.onRef("account.userId", "=", "user.id").on("account.providerId", "=", "credential"),
      )
      .select([
        ...userSelection,
        "account.password as passwordHash",
        "account.compromisedAt as compromisedAt",
      ])
      .where(`user.${column}`, "=", value),
  );

const selectCredential = {
  email: selectCredentialBy("email"),
  username: selectCredentialBy("username"),
  phoneNumber: selectCredentialBy("phoneNumber"),
  id: selectCredentialBy("id"),
};

/** Returns a user with the stored hash of the password account, or with null if there is none. */
export const findCredential = async (
  db: Kysely<Tables>,
  { by, value }: CredentialKey,
): Promise<
  { user: UserRow; passwordHash: string | null; compromisedAt: Date | null } | undefined
> => {
  const row = await selectCredential[by].first(db, { value });
  if (!row) return undefined;
  const { passwordHash, compromisedAt, ...user } = row;
  return { user, passwordHash, compromisedAt };
};
