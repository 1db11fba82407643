import type { WantedView } from "@latchkey/service-kit";
import type { OrganizationConfig } from "../config.ts";

const tables = ["organization", "member", "invitation", "team"] as const;

/** Returns the views that the options request, one for each table with a custom name. */
export const wantedViews = ({
  organization: { schema },
}: Pick<OrganizationConfig, "organization">): WantedView[] =>
  tables.flatMap((table) => {
    const { modelName, fields } = schema[table];
    if (modelName === undefined) return [];
    return [{ table, option: `organization.schema.${table}`, name: modelName, names: fields }];
  });
