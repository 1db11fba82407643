import { useQueryClient } from "@tanstack/react-query";
import { signedOutAddress, notifyTabs } from "../access/tabs-in-step.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { toastError } from "../api/explain.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { forgetUser } from "./forget-user.ts";

/** Ends the session. Reloads the page, so that no data remains in memory. */
export const useSignOut = () => {
  const client = useQueryClient();
  const { mutate, isPending } = useChange({
    meta: { access: "anyone" },
    mutationFn: () => call(operations.identity.signOut, {}),
    onSuccess: () => {
      forgetUser(client);
      notifyTabs({ kind: "signed-out" });
      window.location.assign(signedOutAddress);
    },
    onError: toastError,
  });
  return { signOut: () => mutate(), isPending };
};
