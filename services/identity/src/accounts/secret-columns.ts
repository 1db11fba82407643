import type { Insertable } from "kysely";
import type { AccountTable, accountTokenColumns } from "../db/tables.ts";

/** The columns of an account that are secret or describe secrets. */
export type SecretColumns = Partial<
  Pick<Insertable<AccountTable>, "password" | keyof typeof accountTokenColumns>
>;
