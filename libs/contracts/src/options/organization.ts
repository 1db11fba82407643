import { z } from "zod";
import type { AdditionalValues, ConfiguredUser, Session } from "../objects.ts";
import {
  invitationSchema,
  type Member,
  memberSchema,
  type OrganizationRow,
  organizationRow,
  type Team,
  teamSchema,
} from "../operations/organization/objects.ts";
import { functionOption, seconds, section } from "./option.ts";
import { roleDefinitions, roleName } from "./roles.ts";
import { additionalFields, namingOptions } from "./additional-field.ts";

/** The page of an invitation. Without an application, it is that of the account web. */
export const defaultInvitationURL = "{app}/accept-invitation/{id}";

/** The origin of a request, as option functions receive it. */
export interface RequestOrigin {
  /** Origin and base path under which the client reached the gateway. Empty for a service. */
  baseURL: string;
  address: string;
  userAgent: string;
}

type MaybePromise<T> = T | Promise<T>;

/** The members of an organization to create. */
export interface NewOrganization {
  name: string;
  slug: string;
  logo?: string | null | undefined;
  metadata?: Record<string, unknown> | undefined;
  createdAt: Date;
}

const all = ["create", "update", "delete"];
const allOfKeys = ["create", "read", "update", "delete"];
/** The actions on the roles that an organization makes itself. */
const allOfRoles = allOfKeys;
const defaultRoles = {
  owner: {
    organization: ["update", "delete"],
    member: all,
    invitation: ["create", "cancel"],
    team: all,
    apiKey: allOfKeys,
    webhook: allOfKeys,
    ac: allOfRoles,
  },
  admin: {
    organization: ["update"],
    member: all,
    invitation: ["create", "cancel"],
    team: all,
    apiKey: allOfKeys,
    webhook: allOfKeys,
    ac: allOfRoles,
  },
  member: {
    organization: [],
    member: [],
    invitation: [],
    team: [],
    apiKey: [],
    webhook: [],
    ac: ["read"],
  },
};

/** Additional fields of an object. They are beside its members, and beside those of requests that name it. */
const fieldsOf = (of: string, { shape }: z.ZodObject, besides: readonly string[]) =>
  additionalFields({
    of,
    reservedNames: new Set([...Object.keys(shape), ...besides, "data", "extra"]),
  });

const limit = z.int().min(0);

/** Each check of a permission may read all roles of an organization. */
const rolesMax = 50;

const teamOptions = section({
  enabled: z.boolean().default(false).describe("Enables teams in organizations."),
  defaultTeam: section({
    enabled: z.boolean().default(true).describe("Creates a first team with each organization."),
    customCreateDefaultTeam: functionOption<
      (
        organization: OrganizationRow & AdditionalValues,
        request: RequestOrigin,
      ) => MaybePromise<(Pick<Team, "name"> & AdditionalValues) | null | undefined | void>
    >()
      .optional()
      .describe(
        "Returns that team for an organization, with additional fields if you like. By default a team with the organization's name.",
      ),
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
    .describe("Maximum number of teams in an organization; 0 means unlimited."),
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
    .describe("Maximum number of members in a team."),
  allowRemovingAllTeams: z.boolean().default(false).describe("The last team can be removed."),
});

/** The acting user, as hooks receive it. */
interface CreationHookData {
  organization: NewOrganization & AdditionalValues;
  user: ConfiguredUser;
}

export const organizationOptions = section({
  enabled: z.boolean().default(true).describe("Enables the operations below `/organization`."),
  allowUserToCreateOrganization: z
    .union([z.boolean(), functionOption<(user: ConfiguredUser) => MaybePromise<boolean>>()])
    .default(true)
    .describe("Whether users may create organizations."),
  organizationLimit: z
    .union([limit, functionOption<(user: ConfiguredUser) => MaybePromise<boolean>>()])
    .optional()
    .describe(
      "Maximum number of memberships of a user who creates an organization. A function returns whether the limit is reached.",
    ),
  creatorRole: roleName
    .default("owner")
    .describe(
      "Role of the user who creates an organization. Its last member with this role cannot leave.",
    ),
  membershipLimit: z
    .int()
    .min(0)
    .max(10_000)
    .default(100)
    .transform((given) => given || 100)
    .describe("Maximum number of members in an organization."),
  roles: roleDefinitions
    .default(defaultRoles)
    .describe(
      "Permissions of each role: resources to actions. Replaces the default roles completely.",
    ),
  dynamicAccessControl: section({
    enabled: z
      .boolean()
      .default(false)
      .describe(
        "Organizations make roles of their own, of the resources and actions in `organization.roles`.",
      ),
    maximumRolesPerOrganization: z
      .int()
      .min(1)
      .max(rolesMax)
      .default(rolesMax)
      .describe("Maximum number of roles that an organization makes itself."),
  }),
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
          data: {
            user: ConfiguredUser;
            organization: OrganizationRow & AdditionalValues;
            member: Member & AdditionalValues;
          },
          request: RequestOrigin,
        ) => MaybePromise<number>
      >(),
    ])
    .default(100)
    .describe("Maximum number of pending invitations in an organization."),
  invitationsPerAddressAndHour: z
    .int()
    .min(1)
    .default(5)
    .describe(
      "Maximum number of invitation mails from one inviter to one address within an hour, over all organizations. Resent mails count.",
    ),
  cancelPendingInvitationsOnReInvite: z
    .boolean()
    .default(false)
    .describe("Inviting an address again with `resend` cancels the earlier invitations."),
  requireEmailVerificationOnInvitation: z
    .boolean()
    .default(false)
    .describe(
      "Requires a verified address to see, accept and reject an invitation. If off, the id from the mail is sufficient.",
    ),
  sendInvitationMail: z.boolean().default(true).describe("Sends invitations by mail."),
  acceptInvitationURL: z
    .string()
    .min(1)
    .max(2048)
    .default(defaultInvitationURL)
    .describe(
      "Page of your application that the mail links to. Placeholders: `{id}` is the invitation, `{app}` the address by `appURL`, `{origin}` the origin of the base URL, `{email}` the recipient's address, `{proof}` the proof of that address for a sign-up.",
    ),
  organizationCreation: section({
    disabled: z
      .boolean()
      .default(false)
      .describe("Refuses the creation of organizations to everyone."),
    beforeCreate: functionOption<
      (
        data: CreationHookData,
        request: RequestOrigin,
      ) => MaybePromise<{
        data: Partial<Omit<NewOrganization, "createdAt">> & AdditionalValues;
      } | void>
    >()
      .optional()
      .describe("Called before an organization is created. `{ data }` overrides members of it."),
    afterCreate: functionOption<
      (
        data: {
          organization: OrganizationRow & AdditionalValues;
          member: Member & AdditionalValues;
          user: ConfiguredUser;
        },
        request: RequestOrigin,
      ) => unknown
    >()
      .optional()
      .describe("Called after an organization is created."),
  }),
  organizationDeletion: section({
    disabled: z.boolean().default(false).describe("Members cannot delete organizations."),
    beforeDelete: functionOption<
      (
        data: { organization: OrganizationRow & AdditionalValues; user: ConfiguredUser },
        request: RequestOrigin,
      ) => unknown
    >()
      .optional()
      .describe(
        "Called before an organization is deleted. An error that it throws prevents the deletion.",
      ),
    afterDelete: functionOption<
      (
        data: { organization: OrganizationRow & AdditionalValues; user: ConfiguredUser },
        request: RequestOrigin,
      ) => unknown
    >()
      .optional()
      .describe("Called after an organization is deleted."),
  }),
  onLastOwnerDeleted: z
    .enum(["delete", "keep"])
    .default("delete")
    .describe("What happens to an organization when its last owner is deleted."),
  schema: section({
    organization: section({
      ...namingOptions("organization"),
      additionalFields: fieldsOf("an organization", organizationRow, [
        ..."organizationId organizationSlug userId keepCurrentActiveOrganization".split(" "),
        ..."members invitations teams roles memberCount invitationCount teamCount".split(" "),
        ..."memberId role joinedAt membersLimit secondFactorFrom ownRole".split(" "),
      ]),
    }),
    member: section({
      ...namingOptions("member"),
      additionalFields: fieldsOf("a member", memberSchema, ["user", "memberId", "teamIds"]),
    }),
    invitation: section({
      ...namingOptions("invitation"),
      additionalFields: fieldsOf("an invitation", invitationSchema, [
        ..."resend organizationName organizationSlug inviterEmail createdAt".split(" "),
        ..."invitationId teamIds mailedAt openedBy ownRole inviterRole secondFactorFrom".split(" "),
      ]),
    }),
    team: section({
      ...namingOptions("team"),
      additionalFields: fieldsOf("a team", teamSchema, ["teamId", "memberCount"]),
    }),
  }),
});
