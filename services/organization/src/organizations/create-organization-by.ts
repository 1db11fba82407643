import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { addMemberInTransaction } from "../members/add-member-in-transaction.ts";
import { lockMemberships, type MemberRow } from "../members/queries.ts";
import { insertTeam } from "../teams/queries.ts";
import { checkChosenLimit, checkMayCreate } from "./check-may-create.ts";
import { checkOrganizationLimit } from "./check-organization-limit.ts";
import { proposeDefaultTeam } from "./propose-default-team.ts";
import { type ProposedOrganization, proposeOrganization } from "./propose-organization.ts";
import { insertOrganization, isSlugTaken, type OrganizationRow } from "./queries.ts";

export type CreateOrganizationByNeeds = Pick<Deps, "clock" | "config" | "db" | "newId">;

/** A new organization and its first member. */
export interface CreatedOrganization {
  organization: OrganizationRow;
  member: MemberRow;
}

interface OrganizationToWrite
  extends CreatedOrganization, Required<Pick<AuditEntry, "actor" | "caller">> {
  team: Awaited<ReturnType<typeof proposeDefaultTeam>>;
}

interface OrganizationToCreate extends ProposedOrganization, Pick<OrganizationToWrite, "actor"> {
  /** An installation admin creates it. The options that keep users from creating organizations do not apply. */
  isByAdmin?: boolean;
}

const alreadyExists = () => new WireError("ORGANIZATION_ALREADY_EXISTS");

/** Writes organization, team, member and audit in one transaction, in which limit and slug are decided. */
const write = (
  deps: CreateOrganizationByNeeds,
  { organization, team, member, actor, caller }: OrganizationToWrite,
): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const { id, name, slug } = organization;
    await lockMemberships(trx, member.userId);
    await checkOrganizationLimit({ config: deps.config, db: trx }, member.userId);
    if (!(await insertOrganization(trx, organization))) throw alreadyExists();
    if (team) await insertTeam(trx, { ...team, updatedAt: null });
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "organization", id },
      action: "organization.created",
      caller,
      after: { name, slug },
    });
    await addMemberInTransaction(deps, trx, { member, actor, caller });
  });

/**
 * Creates an organization with its first owner, and its first team if teams are enabled. Calls the application's functions before. An error
 * from one prevents the creation. Throws `YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION`,
 * `YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS`, `ORGANIZATION_ALREADY_EXISTS`, and `UNAUTHORIZED` if the user is deleted.
 */
export const createOrganizationBy = async (
  deps: CreateOrganizationByNeeds,
  { actor, isByAdmin = false, ...proposed }: OrganizationToCreate,
): Promise<CreatedOrganization> => {
  const { user, given, caller } = proposed;
  if (!isByAdmin) await checkMayCreate(deps, user);
  await checkChosenLimit(deps, user);
  await checkOrganizationLimit(deps, user.id);
  if (await isSlugTaken(deps.db, given.slug)) throw alreadyExists();
  const organization = await proposeOrganization(deps, proposed);
  const team = await proposeDefaultTeam(deps, organization, caller);
  const member: MemberRow = {
    id: await deps.newId("member"),
    organizationId: organization.id,
    userId: user.id,
    role: deps.config.organization.creatorRole,
    teamId: team?.id ?? null,
    createdAt: organization.createdAt,
  };
  await write(deps, { organization, team, member, actor, caller });
  return { organization, member };
};
