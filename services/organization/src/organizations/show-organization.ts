import type { OrganizationRow as ShownRow } from "@latchkey/contracts";
import { namesOf, picker } from "@latchkey/service-kit";
import { organizationColumns } from "../db/tables.ts";
import type { OrganizationRow } from "./queries.ts";

/** Returns an organization for lists and full views, with its metadata as a JSON string. */
export const showOrganization: (row: OrganizationRow) => ShownRow = picker<ShownRow>(
  namesOf(organizationColumns),
);

/** Returns an organization for the replies of create and update, with its metadata as an object, or without it if there is none. */
export const showOrganizationObject = ({ metadata, ...row }: OrganizationRow) => ({
  ...row,
  ...(metadata === null ? {} : { metadata: JSON.parse(metadata) as Record<string, unknown> }),
});
