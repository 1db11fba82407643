import type { TakePersonItem } from "@latchkey/contracts";
import { type Settings, withDatabase } from "@latchkey/service-kit";
import { schema } from "./db/schema.ts";
import type { Tables } from "./db/tables.ts";
import { exportPerson as exportPersonWith } from "./export/export-person.ts";

// Operator commands, which work with or without the running service.

export { checkSmtp } from "./deliveries/check-smtp.ts";

/** Exports the mails to a user. */
export const exportPerson = (
  settings: Settings,
  person: { email: string },
  take: TakePersonItem,
): Promise<void> =>
  withDatabase<Tables, void>(settings, schema, (db) => exportPersonWith({ db }, person, take));
