import type { PersonExport } from "@latchkey/contracts";
import { sql } from "kysely";
import { schema } from "../db/schema.ts";

type Dated<T> = { [Name in keyof T]: T[Name] | Date };

/** Selects mails to an address in lower case without their content, oldest first. */
export const selectMails = (email: string) => sql<Dated<PersonExport["mails"][number]>>`
  select id, event, recipient, subject, state, attempts, created_at, settled_at
  from ${sql.id(schema, "delivery")}
  where lower(recipient) collate "C" = ${email} order by created_at, id`;
