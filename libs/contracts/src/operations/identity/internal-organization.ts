import { z } from "zod";
import { operation } from "../../operation.ts";
import { plainText } from "../../plain-text.ts";
import { sessionEffectSchema } from "../../session-effect.ts";

/** A batch of users, in one call. */
const usersMax = 10_000;
const addressesMax = 100;
/** Those whose sessions are changed by one call. */
const holdersMax = 1_000;

const id = plainText(255);

/** What a change of sessions did, for the answer of whoever asked for it. */
const sessionsChanged = z.object({
  /** What it does to the browser's session; null, one more choice for the serializer, where that did not change. */
  effect: z.union([...sessionEffectSchema.options, z.null()]),
  /** The users whose cached sessions died with it. */
  epochs: z.array(z.object({ userId: z.string(), epoch: z.number() })),
});

/** The session of whoever asked. */
const ownSession = { token: z.string(), browserSession: z.boolean().optional() };

/** What the organization service asks identity for. */
export const internalOrganizationSupport = {
  findUsers: operation({
    name: "findUsers",
    owner: "identity",
    exposure: "internal",
    method: "POST",
    path: "/find-users",
    summary: "Gives the users of some ids or addresses, in no order; unknown ones are left out.",
    body: z.object({
      ids: z.array(id).max(usersMax).optional(),
      emails: z.array(plainText(320)).max(addressesMax).optional(),
    }),
    reply: z.object({
      users: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          email: z.string(),
          emailVerified: z.boolean(),
          image: z.string().nullable(),
        }),
      ),
    }),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
  chooseOrganization: operation({
    name: "chooseOrganization",
    owner: "identity",
    exposure: "internal",
    method: "POST",
    path: "/choose-organization",
    summary: "Sets the organization that a session works in; null is none.",
    body: z.object({ ...ownSession, organizationId: id.nullable() }),
    reply: sessionsChanged,
    errors: ["SESSION_NOT_FOUND"],
    access: "anyone",
    repeatable: true,
  }),
  forgetOrganization: operation({
    name: "forgetOrganization",
    owner: "identity",
    exposure: "internal",
    method: "POST",
    path: "/forget-organization",
    summary: "Takes an organization from all sessions of some users that work in it.",
    body: z.object({
      organizationId: id,
      userIds: z.array(id).max(holdersMax),
      own: z.object(ownSession).optional(),
    }),
    reply: sessionsChanged,
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
} as const;
