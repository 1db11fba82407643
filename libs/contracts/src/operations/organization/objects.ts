import { z } from "zod";
import { plainText, timestamp } from "../../plain-text.ts";

const organizationMembers = {
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  logo: z.string().nullable(),
  createdAt: timestamp,
};

/** An organization as lists and full views show it: `metadata` is JSON as text. */
export const organizationRow = z.object({
  ...organizationMembers,
  metadata: z.string().nullable(),
});
export type OrganizationRow = z.output<typeof organizationRow>;

/** The same as create and update answer it: `metadata` is an object, left out where there is none. */
export const organizationObject = z.object({
  ...organizationMembers,
  metadata: z.record(z.string(), z.unknown()).optional(),
});

/** A membership. `role` may be several, separated by commas; `teamId` is there where teams are on. */
export const memberSchema = z.object({
  id: z.string(),
  organizationId: z.string(),
  userId: z.string(),
  role: z.string(),
  createdAt: timestamp,
  teamId: z.string().nullable().optional(),
});
export type Member = z.output<typeof memberSchema>;

/** What members see of each other. */
export const userSummary = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  image: z.string().nullable(),
});
export type UserSummary = z.output<typeof userSummary>;

/** A membership with its user. */
export const memberWithUser = memberSchema.extend({ user: userSummary });

export const invitationSchema = z.object({
  id: z.string(),
  organizationId: z.string(),
  email: z.string(),
  role: z.string(),
  status: z.enum(["pending", "accepted", "rejected", "canceled"]),
  expiresAt: timestamp,
  inviterId: z.string(),
  teamId: z.string().nullable().optional(),
});
export type Invitation = z.output<typeof invitationSchema>;

export const teamSchema = z.object({
  id: z.string(),
  name: z.string(),
  organizationId: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp.nullable(),
});
export type Team = z.output<typeof teamSchema>;

/** An organization with all that is in it; `teams` is null where teams are off. */
export const fullOrganization = organizationRow.extend({
  invitations: z.array(invitationSchema),
  members: z.array(memberWithUser),
  teams: z.array(teamSchema).nullable(),
});

// What the operations of organizations take.

/** The id of a row of this service; an empty one counts as none where it may be left out. */
export const id = plainText(255);

/** One role, several separated by commas, or a list of them. */
export const roleList = z.union([plainText(1024), z.array(plainText(64)).max(64)]);

const metadataLengthMax = 65_536;

/** What an application keeps with an organization: an object of any JSON. */
export const metadata = z
  .record(z.string(), z.unknown())
  .refine(
    (given) => JSON.stringify(given).length <= metadataLengthMax,
    `must not exceed ${metadataLengthMax} characters of JSON`,
  );

/** What creates and changes an organization. */
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
  feature: "organization",
  access: "session",
} as const;
