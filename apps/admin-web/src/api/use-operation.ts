import type { Operation } from "@latchkey/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { toastError } from "./toast-error.ts";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { call, type CallInput, type CallReply } from "@latchkey/ui/api/call.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";

interface OperationUse<O extends Operation> {
  /** The toast to show on success. */
  done?: string | ((reply: CallReply<O>) => string);
  onDone?: (reply: CallReply<O>) => void | Promise<void>;
  /** The calling form shows errors itself while it is mounted. */
  showsError?: boolean;
}

/** Returns a mutation for an operation that changes something. Reports the outcome and refetches everything on the screen. */
export const useOperation = <O extends Operation>(operation: O, use: OperationUse<O> = {}) => {
  const client = useQueryClient();
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return useChange<CallReply<O>, CallInput<O>>({
    mutationFn: (input) => call(operation, input),
    meta: { access: operation.access },
    onSuccess: async (reply) => {
      const text = typeof use.done === "function" ? use.done(reply) : use.done;
      if (text) toasts.add({ title: text, type: "success" });
      await use.onDone?.(reply);
      await client.invalidateQueries({ queryKey: ["operation"] });
    },
    onError: (error) => {
      if (!use.showsError || !isShown.current) toastError(error);
    },
  });
};
