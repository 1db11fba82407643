import type { TakePersonItem } from "@latchkey/contracts";
import { type Settings, withDatabase } from "@latchkey/service-kit";
import { schema } from "./db/schema.ts";
import type { Tables } from "./db/tables.ts";
import { exportPerson as exportPersonWith } from "./export/export-person.ts";

// What operators do from the command line, beside the running service or without it.

/** Memberships and invitations of a person. */
export const exportPerson = (
  settings: Settings,
  person: { id: string; email: string },
  take: TakePersonItem,
): Promise<void> =>
  withDatabase<Tables, void>(settings, schema, (db) => exportPersonWith({ db }, person, take));
