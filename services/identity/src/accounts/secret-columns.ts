import type { Insertable } from "kysely";
import type { AccountTable, accountTokenColumns } from "../db/tables.ts";

/** The columns of an account that are secret or describe secrets, present or awaited. */
export type SecretColumns = Partial<
  Pick<Insertable<AccountTable>, "invitedAt" | "password" | keyof typeof accountTokenColumns>
>;
