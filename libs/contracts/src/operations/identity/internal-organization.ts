import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText } from "../../plain-text.ts";
import { sessionEffectSchema } from "../../session-effect.ts";
import { userSummary } from "../organization/objects.ts";

/** The most users that one call finds. */
const usersMax = 10_000;
/** The most users that one call describes. Each may have an image of 8 KB. */
export const describedUsersMax = 1_000;
const addressesMax = 100;
/** The most users whose sessions one call changes. */
const holdersMax = 1_000;

const id = plainText(255);

/** The effects of a session change, which the calling service adds to its own reply. */
const sessionsChanged = z.object({
  /** The change of the browser's session, or null. A union with null is one choice for the serializer. */
  effect: z.union([...sessionEffectSchema.options, z.null()]),
  /** The users whose cached sessions it invalidated, with their versions. */
  epochs: z.array(z.object({ userId: z.string(), epoch: z.number() })),
});

/** A value of each of several users, in the order of their ids. */
const column = z.array(z.string().nullable());

/** The session of the original caller. */
const ownSession = { token: z.string(), browserSession: z.boolean().optional() };

/** Operations of identity for the organization service. */
export const internalOrganizationSupport = {
  findUsers: operation({
    name: "findUsers",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/find-users",
    summary:
      "Returns the users of the given ids or addresses, in no order, on request only those without a second factor or with a proven address; unknown ones are left out.",
    body: z.object({
      ids: z.array(id).max(usersMax).optional(),
      emails: z.array(plainText(320)).max(addressesMax).optional(),
      /** Leaves out users with a second factor. */
      withoutSecondFactor: z.boolean().optional(),
      /** Leaves out users whose address is unproven. */
      onlyProven: z.boolean().optional(),
    }),
    reply: z.object({ users: z.array(userSummary) }),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
  describeUsers: operation({
    name: "describeUsers",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/describe-users",
    summary:
      "Returns the names, addresses and images of the users with the given ids. Each list is in the order of the ids. An unknown user has null in all lists, a known one at most in images.",
    body: z.object({ ids: z.array(id).max(describedUsersMax) }),
    reply: z.object({ names: column, emails: column, images: column }),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
  chooseOrganization: operation({
    name: "chooseOrganization",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/choose-organization",
    summary: "Sets the active organization of a session, and the team of it; null means none.",
    body: z.object({
      ...ownSession,
      organizationId: id.nullable(),
      teamId: id.nullable().optional(),
    }),
    reply: sessionsChanged,
    errors: ["SESSION_NOT_FOUND"],
    access: "anyone",
    repeatable: true,
  }),
  forgetOrganization: operation({
    name: "forgetOrganization",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/forget-organization",
    summary:
      "Clears the active organization with its team, or only the given team, in all sessions of the given users that have it.",
    body: z.object({
      organizationId: id,
      teamId: id.optional(),
      userIds: z.array(id).max(holdersMax),
      own: z.object(ownSession).optional(),
    }),
    reply: sessionsChanged,
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
} as const;
