import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";

/** A password of the user, or an account at a provider. */
export type SignInAccount = CallReply<typeof operations.identity.listAccounts>[number];

/** Whether the user has a password among their ways to sign in. */
export const hasPassword = (accounts: readonly SignInAccount[]): boolean =>
  accounts.some(({ providerId }) => providerId === "credential");
