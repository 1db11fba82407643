import { z } from "zod";
import type { FullUser, Session } from "../objects.ts";
import type { Member, OrganizationRow, Team } from "../operations/organization/objects.ts";
import { functionOption, seconds, section } from "./option.ts";
import { roleDefinitions, roleName } from "./roles.ts";
import { namingOptions } from "./user.ts";

/** Where a request came from, for the functions that are asked about it. */
export interface RequestOrigin {
  /** Origin and base path under which the client reached us; empty for a service. */
  baseURL: string;
  address: string;
  userAgent: string;
}

type MaybePromise<T> = T | Promise<T>;

/** What an organization is to be made of. */
export interface NewOrganization {
  name: string;
  slug: string;
  logo?: string | null | undefined;
  metadata?: Record<string, unknown> | undefined;
  createdAt: Date;
}

const all = ["create", "update", "delete"];
const defaultRoles = {
  owner: {
    organization: ["update", "delete"],
    member: all,
    invitation: ["create", "cancel"],
    team: all,
  },
  admin: {
    organization: ["update"],
    member: all,
    invitation: ["create", "cancel"],
    team: all,
  },
  member: { organization: [], member: [], invitation: [], team: [] },
};

const limit = z.int().min(0);

const teamOptions = section({
  enabled: z.boolean().default(false).describe("Organizations have teams."),
  defaultTeam: section({
    enabled: z.boolean().default(true).describe("A new organization begins with a team."),
    customCreateDefaultTeam: functionOption<
      (
        organization: OrganizationRow,
        request: RequestOrigin,
      ) => MaybePromise<Pick<Team, "name"> | null | undefined | void>
    >()
      .optional()
      .describe("Gives that team, by the organization; nothing means one of the same name."),
  }),
  maximumTeams: z
    .union([
      limit,
      functionOption<
        (
          data: { organizationId: string; session: Session | null },
          request: RequestOrigin,
        ) => MaybePromise<number>
      >(),
    ])
    .optional()
    .describe("Most teams of an organization; 0 is any number."),
  maximumMembersPerTeam: z
    .union([
      limit,
      functionOption<
        (data: {
          teamId: string;
          organizationId: string;
          session: Session | null;
        }) => MaybePromise<number>
      >(),
    ])
    .optional()
    .describe("Most members of a team."),
  allowRemovingAllTeams: z.boolean().default(false).describe("The last team may be removed."),
});

/** Who does what, as hooks are told it. */
interface CreationHookData {
  organization: NewOrganization;
  user: FullUser;
}

export const organizationOptions = section({
  enabled: z.boolean().default(true).describe("The operations below `/organization`."),
  allowUserToCreateOrganization: z
    .union([z.boolean(), functionOption<(user: FullUser) => MaybePromise<boolean>>()])
    .default(true)
    .describe("Whether users may create organizations."),
  organizationLimit: z
    .union([limit, functionOption<(user: FullUser) => MaybePromise<boolean>>()])
    .optional()
    .describe("Most memberships of a user who creates one; a function says whether it is reached."),
  creatorRole: roleName
    .default("owner")
    .describe("Role of who creates an organization; somebody with it always stays."),
  membershipLimit: z
    .int()
    .min(0)
    .max(10_000)
    .default(100)
    .transform((given) => given || 100)
    .describe("Most members of an organization."),
  roles: roleDefinitions
    .default(defaultRoles)
    .describe("What each role may do: resource to actions. Replaces the default roles whole."),
  teams: teamOptions,
  invitationExpiresIn: seconds
    .default(172_800)
    .transform((given) => given || 172_800)
    .describe("Lifetime of an invitation, in seconds."),
  invitationLimit: z
    .union([
      limit,
      functionOption<
        (
          data: { user: FullUser; organization: OrganizationRow; member: Member },
          request: RequestOrigin,
        ) => MaybePromise<number>
      >(),
    ])
    .default(100)
    .describe("Most pending invitations of an organization."),
  cancelPendingInvitationsOnReInvite: z
    .boolean()
    .default(false)
    .describe("Inviting an address again with `resend` withdraws the invitations before."),
  requireEmailVerificationOnInvitation: z
    .boolean()
    .default(false)
    .describe("Only who has proven their address may see, accept and reject invitations to it."),
  sendInvitationMail: z.boolean().default(true).describe("Invitations go out by mail."),
  acceptInvitationURL: z
    .string()
    .min(1)
    .max(2048)
    .default("{origin}/accept-invitation/{id}")
    .describe(
      "The page of your application that a mail leads to: `{id}` is the invitation, `{origin}` the origin of the base URL, `{email}` the address.",
    ),
  organizationCreation: section({
    disabled: z.boolean().default(false).describe("Nobody may create organizations."),
    beforeCreate: functionOption<
      (
        data: CreationHookData,
        request: RequestOrigin,
      ) => MaybePromise<{ data: Partial<Omit<NewOrganization, "createdAt">> } | void>
    >()
      .optional()
      .describe("Called before one is created; `{ data }` overrides members of it."),
    afterCreate: functionOption<
      (
        data: { organization: OrganizationRow; member: Member; user: FullUser },
        request: RequestOrigin,
      ) => unknown
    >()
      .optional()
      .describe("Called once one is created."),
  }),
  organizationDeletion: section({
    disabled: z.boolean().default(false).describe("Members may not delete organizations."),
    beforeDelete: functionOption<
      (data: { organization: OrganizationRow; user: FullUser }, request: RequestOrigin) => unknown
    >()
      .optional()
      .describe("Called before one is deleted; what it throws prevents it."),
    afterDelete: functionOption<
      (data: { organization: OrganizationRow; user: FullUser }, request: RequestOrigin) => unknown
    >()
      .optional()
      .describe("Called once one is deleted."),
  }),
  onLastOwnerDeleted: z
    .enum(["delete", "keep"])
    .default("delete")
    .describe("What becomes of an organization whose last owner is deleted."),
  schema: section({
    organization: section(namingOptions("organization")),
    member: section(namingOptions("member")),
    invitation: section(namingOptions("invitation")),
    team: section(namingOptions("team")),
  }),
});
