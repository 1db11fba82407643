import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, userIdText } from "../../plain-text.ts";
import { id } from "./objects.ts";

const ofServices = {
  owner: "organization",
  exposure: "internal",
  rateClass: "none",
  method: "POST",
  access: "anyone",
  errors: [],
  repeatable: true,
} as const;

/** The most organizations in one call. */
const organizationsMax = 10_000;

/** An organization as the owner of a key. */
export const organizationSummary = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
});
export type OrganizationSummary = z.output<typeof organizationSummary>;

/** Operations of organization for the apikey service. */
export const internalOrganizationKeySupport = {
  authorizeMember: operation({
    ...ofServices,
    name: "authorizeMember",
    stepUp: stepUps.services,
    path: "/organization/authorize-member",
    summary:
      "Returns whether a user may act in an organization: by membership, role and second factor.",
    body: z.object({
      userId: userIdText,
      organizationId: id,
      resource: plainText(128),
      action: plainText(128),
      /** The session in which the user acts. Absent if an API key of the user acts. */
      sessionToken: z.string().optional(),
      /** Whether the API key that acts counts as a second factor. */
      keyHasSecondFactor: z.boolean().optional(),
    }),
    reply: z.object({
      verdict: z.enum(["allowed", "forbidden", "not a member", "second factor required"]),
    }),
  }),
  findKeyOrganizations: operation({
    ...ofServices,
    name: "findKeyOrganizations",
    stepUp: stepUps.services,
    path: "/organization/find-key-organizations",
    summary: "Returns the organizations of the given ids, in no order; unknown ones are left out.",
    body: z.object({ ids: z.array(id).max(organizationsMax) }),
    reply: z.object({ organizations: z.array(organizationSummary) }),
  }),
  listKeyOrganizationOwners: operation({
    ...ofServices,
    name: "listKeyOrganizationOwners",
    stepUp: stepUps.services,
    path: "/organization/list-key-organization-owners",
    summary: "Returns the ids of the owners of an organization, or null if there is none.",
    body: z.object({ organizationId: id }),
    reply: z.object({ userIds: z.array(z.string()).nullable() }),
  }),
} as const;
