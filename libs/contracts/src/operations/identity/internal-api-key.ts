import { z } from "zod";
import { fullUserSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { plainText } from "../../plain-text.ts";

/** Operations of identity for the apikey service. */
export const internalApiKeySupport = {
  findKeyOwner: operation({
    name: "findKeyOwner",
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/find-key-owner",
    summary: "Returns the complete user of an id, or null. A ban is marked in the reply.",
    body: z.object({ userId: plainText(255) }),
    reply: z.object({ user: fullUserSchema, isBanned: z.boolean() }).nullable(),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
} as const;
