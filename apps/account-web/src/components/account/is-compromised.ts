import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";

type Accounts = Readonly<CallReply<typeof operations.identity.listAccounts>>;

/** Whether a sign-in showed that the user's password is known from leaks. */
export const isCompromised = (accounts: Accounts): boolean =>
  accounts.some(({ compromised }) => compromised);
