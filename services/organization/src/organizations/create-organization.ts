import {
  type AdditionalValues,
  type Caller,
  type FullUser,
  type NewOrganization,
  WireError,
} from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { requestOrigin } from "../config.ts";
import type { Deps } from "../deps.ts";
import { beginMembership } from "../members/change-members.ts";
import { countMemberships, lockMemberships, type MemberRow, wholeMember } from "../rows/members.ts";
import { insertTeam } from "../rows/teams.ts";
import {
  insertOrganization,
  isSlugTaken,
  type OrganizationRow,
  wholeOrganization,
} from "../rows/organizations.ts";

/** The requested organization, the caller and the future owner. */
interface ProposedOrganization {
  /** With the additional fields in it. */
  given: Omit<NewOrganization, "createdAt"> & AdditionalValues;
  user: FullUser;
  caller: Caller;
  /** An installation admin creates it. The options that keep users from creating organizations and from setting fields do not apply. */
  isByAdmin?: boolean;
}

/** Returns the row to write, as changed by the application's function. */
const proposeOrganization = async (
  deps: Pick<Deps, "clock" | "config" | "fields" | "newId">,
  { given, user, caller, isByAdmin: isTrusted = false }: ProposedOrganization,
): Promise<OrganizationRow> => {
  const { name, slug, logo, metadata } = given;
  const extra = await deps.fields.organization.read({ values: given, mode: "create", isTrusted });
  const organization: AdditionalValues & NewOrganization = {
    ...extra,
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
    // The application may set any field, and is held to the types.
    extra: {
      ...extra,
      ...(await deps.fields.organization.read({
        values: answered?.data ?? {},
        mode: "update",
        isTrusted: true,
      })),
    },
  };
};

/** Returns the first team of a new organization, named by the application or after the organization. Returns undefined for none. */
const proposeDefaultTeam = async (
  { config, fields, newId }: Pick<Deps, "config" | "fields" | "newId">,
  organization: OrganizationRow,
  caller: Caller,
) => {
  const { enabled, defaultTeam } = config.organization.teams;
  if (!enabled || !defaultTeam.enabled) return undefined;
  const custom = await defaultTeam.customCreateDefaultTeam?.(
    wholeOrganization(organization),
    requestOrigin(caller),
  );
  const values: AdditionalValues = custom ? { ...custom } : {};
  const chosen = await fields.team.read({ values, mode: "update", isTrusted: true });
  return {
    id: await newId("team"),
    name: custom ? custom.name : organization.name,
    organizationId: organization.id,
    createdAt: organization.createdAt,
    extra: { ...(await fields.team.defaults()), ...chosen },
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

export type CreateOrganizationByNeeds = Pick<Deps, "clock" | "config" | "db" | "fields" | "newId">;

/** A new organization and its first member. */
export interface CreatedOrganization {
  organization: OrganizationRow;
  member: MemberRow;
}

interface OrganizationToWrite
  extends CreatedOrganization, Required<Pick<AuditEntry, "actor" | "caller">> {
  team: Awaited<ReturnType<typeof proposeDefaultTeam>>;
}

type OrganizationToCreate = ProposedOrganization & Pick<OrganizationToWrite, "actor">;

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
  { actor, ...proposed }: OrganizationToCreate,
): Promise<CreatedOrganization> => {
  const { user, given: input, caller } = proposed;
  if (!proposed.isByAdmin) await checkMayCreate(deps, user);
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
    extra: await deps.fields.member.defaults(),
  };
  await writeOrganization(deps, { organization, team, member, actor, caller });
  return { organization, member };
};

/** Calls the application's function for a created organization. Rejects with its error. */
export const callAfterCreate = async (
  deps: Pick<Deps, "config">,
  { organization, member }: CreatedOrganization,
  { user, caller }: { user: FullUser; caller: Caller },
): Promise<void> => {
  const { afterCreate } = deps.config.organization.organizationCreation;
  const whole = {
    organization: wholeOrganization(organization),
    member: wholeMember(deps, member),
  };
  await afterCreate?.({ ...whole, user }, requestOrigin(caller));
};
