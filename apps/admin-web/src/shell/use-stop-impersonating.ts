import { useQueryClient } from "@tanstack/react-query";
import { impersonationQuery } from "../access/impersonation.ts";
import { tellTabs } from "../access/tabs-in-step.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { toastError } from "../api/toast-error.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";

/** Ends the impersonation in this browser. */
export const useStopImpersonating = () => {
  const client = useQueryClient();
  const { mutate, isPending } = useChange({
    meta: { access: "anyone" },
    mutationFn: () => call(operations.identity.adminStopImpersonating, {}),
    onSuccess: () => tellTabs({ kind: "impersonation-ended" }),
    onError: toastError,
    // It may also have ended by itself.
    onSettled: () => client.invalidateQueries({ queryKey: impersonationQuery.queryKey }),
  });
  return { stop: () => mutate(), isPending };
};
