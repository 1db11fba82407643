import { z } from "zod";
import { fullUserSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { plainText } from "../../plain-text.ts";

/** What the services around API keys ask identity for. */
export const internalApiKeySupport = {
  findKeyOwner: operation({
    name: "findKeyOwner",
    owner: "identity",
    exposure: "internal",
    method: "POST",
    path: "/find-key-owner",
    summary: "Gives the user of an id whole, or null; a banned one is named as such.",
    body: z.object({ userId: plainText(255) }),
    reply: z.object({ user: fullUserSchema, isBanned: z.boolean() }).nullable(),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
} as const;
