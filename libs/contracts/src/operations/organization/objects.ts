import { z } from "zod";
import { plainText, timestamp } from "../../plain-text.ts";

// An extended schema has no `meta` of the one that it extends, so each names its additional fields.
export const ofOrganizationFields = { fieldsOf: "organization" } as const;
export const ofMemberFields = { fieldsOf: "member" } as const;
export const ofInvitationFields = { fieldsOf: "invitation" } as const;
export const ofTeamFields = { fieldsOf: "team" } as const;

const organizationMembers = {
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  logo: z.string().nullable(),
  createdAt: timestamp,
};

/** An organization as lists and full views return it: `metadata` is JSON as text. */
export const organizationRow = z
  .object({ ...organizationMembers, metadata: z.string().nullable() })
  .meta(ofOrganizationFields);
export type OrganizationRow = z.output<typeof organizationRow>;

/** An organization as create and update return it: `metadata` is an object, absent if there is none. */
export const organizationObject = z
  .object({ ...organizationMembers, metadata: z.record(z.string(), z.unknown()).optional() })
  .meta(ofOrganizationFields);

/** A membership. `role` may hold several roles, separated by commas. `teamId` is present if teams are on. */
export const memberSchema = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    userId: z.string(),
    role: z.string(),
    createdAt: timestamp,
    teamId: z.string().nullable().optional(),
  })
  .meta(ofMemberFields);
export type Member = z.output<typeof memberSchema>;

/** The user of a membership, as other members see it. */
export const userSummary = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  image: z.string().nullable(),
});
export type UserSummary = z.output<typeof userSummary>;

/** A membership with its user. */
export const memberWithUser = memberSchema.extend({ user: userSummary }).meta(ofMemberFields);

export const invitationSchema = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    email: z.string(),
    role: z.string(),
    status: z.enum(["pending", "accepted", "rejected", "canceled"]),
    expiresAt: timestamp,
    inviterId: z.string(),
    /** The teams that the invited person joins, separated by commas. Present if teams are on. */
    teamId: z.string().nullable().optional(),
  })
  .meta(ofInvitationFields);
export type Invitation = z.output<typeof invitationSchema>;

export const teamSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    organizationId: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp.nullable(),
  })
  .meta(ofTeamFields);
export type Team = z.output<typeof teamSchema>;

/** A member of a team, as the newer client names it. */
export const teamMemberSchema = z.object({
  id: z.string(),
  teamId: z.string(),
  userId: z.string(),
  createdAt: timestamp,
});
export type TeamMember = z.output<typeof teamMemberSchema>;

/** A role that an organization made itself. */
export const organizationRoleSchema = z.object({
  id: z.string(),
  organizationId: z.string(),
  role: z.string(),
  permission: z.record(z.string(), z.array(z.string())),
  createdAt: timestamp,
  updatedAt: timestamp.nullable(),
});
export type OrganizationRole = z.output<typeof organizationRoleSchema>;

/** An organization with everything in it. `teams` is null if teams are off. */
export const fullOrganization = organizationRow
  .extend({
    invitations: z.array(invitationSchema),
    members: z.array(memberWithUser),
    teams: z.array(teamSchema).nullable(),
  })
  .meta(ofOrganizationFields);

/** The id of a row of this service. An empty id counts as none if the member is optional. */
export const id = plainText(255);

/** One role, several separated by commas, or a list of them. */
export const roleList = z.union([plainText(1024), z.array(plainText(64)).max(64)]);

const metadataLengthMax = 65_536;

/** An object of any JSON that an application stores with an organization. */
export const metadata = z
  .record(z.string(), z.unknown())
  .refine(
    (given) => JSON.stringify(given).length <= metadataLengthMax,
    `must not exceed ${metadataLengthMax} characters of JSON`,
  );

/** Members that create and update accept. */
export const organizationInput = {
  name: plainText(255).min(1),
  slug: plainText(255).min(1),
  logo: plainText(8192).optional(),
  metadata: metadata.optional(),
};

export const teamName = plainText(255).min(1);

/** Members common to the operations of signed-in users. */
export const ofMember = {
  owner: "organization",
  exposure: "public",
  rateClass: "general",
  feature: "organization",
  access: "session",
} as const;
