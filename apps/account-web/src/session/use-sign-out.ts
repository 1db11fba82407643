import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { addressOf } from "./address-of.ts";

/**
 * Returns a mutation that signs out. It loads the sign-in page anew, which leaves no data in memory. `redirect_to` is where the next
 * sign-in leads.
 */
export const useSignOut = (redirect_to?: string) =>
  useChange({
    isProof: true,
    mutationFn: () => call(operations.identity.signOut, {}),
    onSuccess: () =>
      window.location.assign(addressOf("/sign-in", { reason: "signed-out", redirect_to })),
  });
