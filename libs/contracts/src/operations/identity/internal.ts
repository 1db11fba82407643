import { z } from "zod";
import { authenticationSchema } from "../../authentication.ts";
import { fullUserSchema, sessionSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText } from "../../plain-text.ts";

const whereOperators = [
  "eq",
  "ne",
  "lt",
  "lte",
  "gt",
  "gte",
  "in",
  "contains",
  "starts_with",
  "ends_with",
] as const;

/** Operations of identity for services. The server-only functions are declared beside the public operations that they belong to. */
export const internalOperations = {
  resolveSession: operation({
    name: "resolveSession",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/resolve-session",
    summary:
      "Returns the session and user of a session token, or null; the session is not extended.",
    body: z.object({ token: z.string() }),
    reply: z
      .object({
        session: sessionSchema,
        user: fullUserSchema,
        authentication: authenticationSchema,
      })
      .nullable(),
    errors: [],
    access: "anyone",
    repeatable: true,
    sharesCalls: true,
  }),
  findRows: operation({
    name: "findRows",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/find-rows",
    summary:
      "Returns the users or accounts that match every condition, oldest first, without secrets.",
    body: z.object({
      /** `user` or `account`. */
      model: z.string().max(64),
      where: z
        .array(
          z.object({
            field: plainText(64),
            operator: z.enum(whereOperators).default("eq"),
            value: z.unknown(),
          }),
        )
        .max(20),
      limit: z.int().min(1).max(1000).optional(),
    }),
    reply: z.object({ rows: z.array(z.record(z.string(), z.unknown())) }),
    errors: [
      "MODEL_DOES_NOT_EXIST_IN_THE_DATABASE",
      "FIELD_DOES_NOT_EXIST",
      "VALUE_MUST_BE_AN_ARRAY",
    ],
    access: "anyone",
    repeatable: true,
  }),
  followUserRevisions: operation({
    name: "followUserRevisions",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/follow-user-epochs",
    summary:
      "Returns the users whose cached sessions were invalidated after a position; briefly waits for one.",
    body: z.object({
      /** The position from an earlier reply, or null for every version that may still matter. */
      after: z
        .string()
        .regex(/^\d{1,20}:\d{1,20}:(?:\d{1,20}(?:,\d{1,20})*)?$/)
        .nullable(),
    }),
    reply: z.object({
      /** The position to continue from. Only the owner interprets it. */
      position: z.string(),
      epochs: z.array(z.object({ userId: z.string(), epoch: z.number() })),
    }),
    errors: [],
    access: "anyone",
    repeatable: true,
    waitsForChange: true,
  }),
} as const;
