import type { Insertable } from "kysely";
import type { AccountTable } from "../db/tables.ts";

/** What of an account's row is secret, or tells of secrets. */
export type SecretColumns = Partial<
  Pick<
    Insertable<AccountTable>,
    | "password"
    | "accessToken"
    | "refreshToken"
    | "idToken"
    | "accessTokenExpiresAt"
    | "refreshTokenExpiresAt"
    | "scope"
  >
>;
