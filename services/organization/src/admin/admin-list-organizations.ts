import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, readList } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { showOrganization } from "../organizations/show-organization.ts";
import { organizationList } from "./queries.ts";

type AdminListOrganizations = typeof operations.organization.adminListOrganizations;

/**
 * Returns a page of organizations for admins, oldest first by default. A search matches a part of the name or slug. A term without three
 * consecutive letters or digits matches only their beginning. Throws `VALIDATION_ERROR` for invalid limits and cursors.
 */
export const adminListOrganizations = async (
  { db }: Pick<Deps, "db">,
  { query }: Call<AdminListOrganizations>,
): Promise<Answer<OperationReply<AdminListOrganizations>>> => {
  const { rows, ...page } = await readList(db, organizationList, query);
  const organizations = rows.map((row) =>
    Object.assign(showOrganization(row), { memberCount: row.memberCount }),
  );
  return { reply: { organizations, ...page } };
};
