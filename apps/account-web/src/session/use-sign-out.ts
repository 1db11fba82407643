import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { pageFacts } from "@latchkey/ui/page-facts.ts";

/** Returns a mutation that signs out. It loads the sign-in page anew, which leaves no data in memory. */
export const useSignOut = () =>
  useChange({
    isProof: true,
    mutationFn: () => call(operations.identity.signOut, {}),
    onSuccess: () => window.location.assign(`${pageFacts.webPath}/sign-in?reason=signed-out`),
  });
