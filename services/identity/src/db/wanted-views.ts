import type { WantedView } from "@latchkey/service-kit/custom-names";
import { fieldColumns, type FieldTable } from "@latchkey/service-kit/fields";
import type { IdentityConfig } from "../config.ts";
import { schema } from "./schema.ts";

const tables = ["user", "session", "account", "verification"] as const;

/** Returns the views of the options: one for each table with a name of the application's own. */
export const wantedViews = (config: IdentityConfig): WantedView[] =>
  tables.flatMap((table) => {
    const { modelName, fields } = config[table];
    if (modelName === undefined) return [];
    const additional =
      table === "user" || table === "session" ? config.additionalFields[table] : {};
    const computed = fieldColumns(additional);
    return [{ table, option: table, name: modelName, names: fields, computed }];
  });

/** Returns the tables whose additional fields may be unique. */
export const fieldTables = ({
  additionalFields,
}: Pick<IdentityConfig, "additionalFields">): FieldTable[] => [
  { schema, table: "user", option: "user", fields: additionalFields.user },
];
