import { type Caller, type FullUser, type NewOrganization, WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { requestOrigin } from "../config.ts";
import type { Deps } from "../deps.ts";
import { beginMembership } from "../members/change-members.ts";
import { countMemberships, lockMemberships, type MemberRow, showMember } from "../rows/members.ts";
import { insertTeam } from "../rows/teams.ts";
import {
  insertOrganization,
  isSlugTaken,
  type OrganizationRow,
  showOrganization,
} from "../rows/organizations.ts";

/** The requested organization, the caller and the future owner. */
interface ProposedOrganization {
  given: Omit<NewOrganization, "createdAt">;
  user: FullUser;
  caller: Caller;
}

/** Returns the row to write, as changed by the application's function. */
const proposeOrganization = async (
  deps: Pick<Deps, "clock" | "config" | "newId">,
  { given, user, caller }: ProposedOrganization,
): Promise<OrganizationRow> => {
  const { name, slug, logo, metadata } = given;
  const organization: NewOrganization = {
    name,
    slug,
    logo,
    metadata,
    createdAt: new Date(deps.clock()),
  };
  const { beforeCreate } = deps.config.organization.organizationCreation;
  const answered = await beforeCreate?.({ organization, user }, requestOrigin(caller));
  const chosen = { ...organization };
  for (const [member, value] of Object.entries(answered?.data ?? {}))
    if (value !== undefined) Object.assign(chosen, { [member]: value });
  return {
    id: await deps.newId("organization"),
    name: chosen.name,
    slug: chosen.slug,
    logo: chosen.logo ?? null,
    metadata: chosen.metadata ? JSON.stringify(chosen.metadata) : null,
    createdAt: organization.createdAt,
  };
};

/** Returns the first team of a new organization, named by the application or after the organization. Returns undefined for none. */
const proposeDefaultTeam = async (
  { config, newId }: Pick<Deps, "config" | "newId">,
  organization: OrganizationRow,
  caller: Caller,
) => {
  const { enabled, defaultTeam } = config.organization.teams;
  if (!enabled || !defaultTeam.enabled) return undefined;
  const custom = await defaultTeam.customCreateDefaultTeam?.(
    showOrganization(organization),
    requestOrigin(caller),
  );
  return {
    id: await newId("team"),
    name: custom ? custom.name : organization.name,
    organizationId: organization.id,
    createdAt: organization.createdAt,
  };
};

/** Refuses a user whom the options, or the application's function in them, do not allow to create organizations. */
const checkMayCreate = async ({ config }: Pick<Deps, "config">, user: FullUser): Promise<void> => {
  const { allowUserToCreateOrganization, organizationCreation } = config.organization;
  const isAllowed =
    typeof allowUserToCreateOrganization === "function"
      ? await allowUserToCreateOrganization(user)
      : allowUserToCreateOrganization;
  if (!isAllowed || organizationCreation.disabled)
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION");
};

/**
 * Refuses a user who has as many organizations as the application's function allows. A numeric limit is enforced by
 * `checkOrganizationLimit`.
 */
const checkChosenLimit = async (
  { config }: Pick<Deps, "config">,
  user: FullUser,
): Promise<void> => {
  const { organizationLimit } = config.organization;
  if (typeof organizationLimit === "function" && (await organizationLimit(user)))
    throw new WireError("YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS");
};

/**
 * Refuses a user who is a member of as many organizations as a creator may be. If `db` is a transaction that has locked the user's
 * memberships, the limit holds also for concurrent creations.
 */
const checkOrganizationLimit = async (
  { config, db }: Pick<Deps, "config" | "db">,
  userId: string,
): Promise<void> => {
  const { organizationLimit: limit } = config.organization;
  if (typeof limit === "number" && (await countMemberships(db, userId)) >= limit)
    throw new WireError("YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS");
};

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
const writeOrganization = (
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
    await beginMembership(deps, trx, { member, actor, caller });
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
  const { user, given: input, caller } = proposed;
  if (!isByAdmin) await checkMayCreate(deps, user);
  await checkChosenLimit(deps, user);
  await checkOrganizationLimit(deps, user.id);
  if (await isSlugTaken(deps.db, input.slug)) throw alreadyExists();
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
  await writeOrganization(deps, { organization, team, member, actor, caller });
  return { organization, member };
};

/** Calls the application's function for a created organization. Rejects with its error. */
export const callAfterCreate = async (
  { config }: Pick<Deps, "config">,
  { organization, member }: CreatedOrganization,
  { user, caller }: { user: FullUser; caller: Caller },
): Promise<void> => {
  const { afterCreate } = config.organization.organizationCreation;
  const shown = {
    organization: showOrganization(organization),
    member: showMember(config, member),
  };
  await afterCreate?.({ ...shown, user }, requestOrigin(caller));
};
