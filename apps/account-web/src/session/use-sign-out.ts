import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { addressOf } from "./address-of.ts";

/** The sign-in page, which signs in somebody beside the users of this browser who are left. */
const signInAgain = (redirect_to: string | undefined) =>
  addressOf("/sign-in", { reason: "signed-out", redirect_to, add: "true" });

/**
 * Returns a mutation that signs all users of this browser out. It loads the sign-in page anew, which leaves no data in memory. `redirect_to`
 * is where the next sign-in leads.
 */
export const useSignOut = (redirect_to?: string) =>
  useChange({
    isProof: true,
    mutationFn: () => call(operations.identity.signOut, {}),
    onSuccess: () =>
      window.location.assign(addressOf("/sign-in", { reason: "signed-out", redirect_to })),
  });

/**
 * Returns a mutation that signs only the active user out. With `comeBackTo`, that user signs in again. Otherwise the browser continues with
 * another one, if it has one.
 */
export const useSignOutCurrent = (comeBackTo?: string) =>
  useChange({
    isProof: true,
    mutationFn: () => call(operations.identity.signOut, { body: { scope: "current" } }),
    onSuccess: () =>
      window.location.assign(comeBackTo === undefined ? addressOf("/") : signInAgain(comeBackTo)),
  });
