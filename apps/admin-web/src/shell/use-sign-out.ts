import { call } from "../api/call.ts";
import { operations } from "../api/contracts.ts";
import { toastError } from "../api/toast-error.ts";
import { useChange } from "../api/use-change.ts";
import { pageFacts } from "../page-facts.ts";

/** Ends the session. Reloads the page, so that no data remains in memory. */
export const useSignOut = () => {
  const { mutate, isPending } = useChange({
    meta: { access: "anyone" },
    mutationFn: () => call(operations.identity.signOut, {}),
    onSuccess: () => window.location.assign(`${pageFacts.webPath}/sign-in?reason=signed-out`),
    onError: toastError,
  });
  return { signOut: () => mutate(), isPending };
};
