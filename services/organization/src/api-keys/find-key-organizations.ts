import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listOwnerIds } from "../members/queries.ts";
import { listOrganizationSummaries } from "./queries.ts";

type FindKeyOrganizations = typeof operations.organization.findKeyOrganizations;
type ListKeyOrganizationOwners = typeof operations.organization.listKeyOrganizationOwners;

/** Returns the existing organizations among some ids. */
export const findKeyOrganizations = async (
  { db }: Pick<Deps, "db">,
  { body: { ids } }: Call<FindKeyOrganizations>,
): Promise<Answer<OperationReply<FindKeyOrganizations>>> => ({
  reply: { organizations: await listOrganizationSummaries(db, ids) },
});

/** Returns the owners of an organization, so that the apikey service can compare their permissions with those of an admin. */
export const listKeyOrganizationOwners = async (
  { config, db }: Pick<Deps, "config" | "db">,
  { body: { organizationId } }: Call<ListKeyOrganizationOwners>,
): Promise<Answer<OperationReply<ListKeyOrganizationOwners>>> => {
  const { creatorRole } = config.organization;
  const [found] = await listOrganizationSummaries(db, [organizationId]);
  const userIds = found && (await listOwnerIds(db, { organizationId, creatorRole }));
  return { reply: { userIds: userIds ?? null } };
};
