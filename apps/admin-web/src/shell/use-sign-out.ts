import { signedOutAddress, tellTabs } from "../access/tabs-in-step.ts";
import { call } from "../api/call.ts";
import { operations } from "../api/contracts.ts";
import { toastError } from "../api/toast-error.ts";
import { useChange } from "../api/use-change.ts";

/** Ends the session. Reloads the page, so that no data remains in memory. */
export const useSignOut = () => {
  const { mutate, isPending } = useChange({
    meta: { access: "anyone" },
    mutationFn: () => call(operations.identity.signOut, {}),
    onSuccess: () => {
      tellTabs({ kind: "signed-out" });
      window.location.assign(signedOutAddress);
    },
    onError: toastError,
  });
  return { signOut: () => mutate(), isPending };
};
