import type { OrganizationRow as ShownRow } from "@latchkey/contracts";
import type { OrganizationRow } from "./queries.ts";

/** An organization as lists and full views show it: its metadata is JSON as text. */
export const showOrganization = ({
  id,
  name,
  slug,
  logo,
  metadata,
  createdAt,
}: OrganizationRow): ShownRow => ({ id, name, slug, logo, metadata, createdAt });

/** The same as create and update answer it: its metadata is an object, left out where there is none. */
export const showOrganizationObject = ({ metadata, ...row }: OrganizationRow) => ({
  ...row,
  ...(metadata === null ? {} : { metadata: JSON.parse(metadata) as Record<string, unknown> }),
});
