import { sql } from "kysely";
import { schema } from "./schema.ts";

const [passkey, account] = [sql.id(schema, "passkey"), sql.id(schema, "account")];

/**
 * Whether a row of `user` has a second factor, as lists, the doctor and notices define it. Either two-factor is on, or every way in is a
 * passkey whose authenticator verifies the user. A passkey beside a password does not count: the password alone opens the account.
 */
export const hasSecondFactor = sql<boolean>`(
  "user".two_factor_enabled
  or (
    coalesce((select bool_and(held.user_verified) from ${passkey} as held where held.user_id = "user".id), false)
    and not exists (select from ${account} as held where held.user_id = "user".id)
  )
)`;
