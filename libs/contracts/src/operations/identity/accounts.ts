import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, timestamp } from "../../plain-text.ts";
import { status } from "./status.ts";
import { operationGroup } from "../../operation-group.ts";

const accountName = z.object({
  /** Optional beside `accountId`, which is then the account's own id. */
  providerId: plainText(255).optional(),
  /** The account's own id, or with `providerId` also its id at the provider. */
  accountId: plainText(1024).optional(),
});
const namesAccount = ({ providerId, accountId }: z.output<typeof accountName>): boolean =>
  providerId !== undefined || accountId !== undefined;
const unnamed = { path: ["providerId"], message: "providerId or accountId is required" };

/** Names one of a user's accounts: `providerId` alone, as 1.2 clients do, `accountId` alone, as 1.7 clients do, or both. */
export const namedAccount = accountName.refine(namesAccount, unnamed);
export const namedAccountOf = accountName
  .extend({ userId: plainText(255).optional() })
  .refine(namesAccount, unnamed);

/** A user's own sign-in methods. */
export const accountOperations = operationGroup("Accounts", {
  listAccounts: operation({
    name: "listAccounts",
    stepUp: stepUps.reads,
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
        /** Present if a sign-in showed that this password is known from leaks. */
        compromised: z.literal(true).optional(),
      }),
    ),
    errors: [],
    access: "session",
    repeatable: true,
    sharesCalls: true,
  }),
  unlinkAccount: operation({
    name: "unlinkAccount",
    stepUp: stepUps.ownWayIn,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/unlink-account",
    summary: "Removes one of the caller's accounts, but not the last one.",
    body: namedAccount,
    reply: status,
    errors: ["YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT", "ACCOUNT_NOT_FOUND"],
    access: "fresh session",
    refusesImpersonators: true,
    refusesApiKeys: true,
  }),
});
