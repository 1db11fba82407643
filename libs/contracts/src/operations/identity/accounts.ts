import { z } from "zod";
import { operation } from "../../operation.ts";
import { plainText, timestamp } from "../../plain-text.ts";
import { status } from "./status.ts";

/** A user's own sign-in methods. */
export const accountOperations = {
  listAccounts: operation({
    name: "listAccounts",
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: "/list-accounts",
    summary: "Lists the caller's accounts: a password, and accounts at providers.",
    reply: z.array(
      z.object({
        id: z.string(),
        /** The provider, under the name that 1.2 clients use. Same value as `providerId`. */
        provider: z.string(),
        providerId: z.string(),
        userId: z.string(),
        createdAt: timestamp,
        updatedAt: timestamp,
        accountId: z.string(),
        scopes: z.array(z.string()),
      }),
    ),
    errors: [],
    access: "session",
    repeatable: true,
    sharesCalls: true,
  }),
  unlinkAccount: operation({
    name: "unlinkAccount",
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/unlink-account",
    summary: "Removes one of the caller's accounts, but not the last one.",
    body: z.object({ providerId: plainText(255), accountId: plainText(1024).optional() }),
    reply: status,
    errors: ["YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT", "ACCOUNT_NOT_FOUND"],
    access: "fresh session",
    stepUp: "withSecondFactor",
    refusesImpersonators: true,
    refusesApiKeys: true,
  }),
} as const;
