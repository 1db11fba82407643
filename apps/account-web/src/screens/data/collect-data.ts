import type { Operation } from "@latchkey/contracts";
import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call, type CallInput, type CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";

const { identity, apikey, organization } = operations;

/** Reads an operation if its feature is on. */
const readOffered = async <O extends Operation>(
  operation: O,
  input: CallInput<O>,
): Promise<CallReply<O> | undefined> => (isOffered(operation) ? call(operation, input) : undefined);

/** Returns undefined if the user may not read this. Any other failure would leave a gap in the file. */
const unlessRefused = (error: unknown): undefined => {
  if (error instanceof ApiError && error.status === 403) return undefined;
  throw error;
};

/** Reads everything that the user can read about themself. Tokens of sessions are left out, because they sign in. */
export const collectData = async () => {
  const [current, accounts, sessions, activity, passkeys, apiKeys, organizations, invitations] =
    await Promise.all([
      call(identity.getSession, { query: { disableCookieCache: "true" } }),
      call(identity.listAccounts, {}),
      call(identity.listSessions, {}),
      // Refused while an admin impersonates the user.
      call(identity.listActivity, {}).catch(unlessRefused),
      readOffered(identity.listUserPasskeys, {}),
      readOffered(apikey.listApiKeys, { query: {} }),
      readOffered(organization.listOrganizations, {}),
      // Refused until the email is verified.
      readOffered(organization.listUserInvitations, {}).catch(unlessRefused),
    ]);
  return {
    exportedAt: new Date().toISOString(),
    user: current?.user,
    accounts,
    sessions: sessions.map(({ token: _, ...session }) => session),
    activity,
    passkeys,
    apiKeys,
    organizations,
    invitations,
  };
};
