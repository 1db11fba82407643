import type { Operation } from "@latchkey/contracts";
import { call, type CallInput, type CallReply } from "@latchkey/ui/api/call.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { useReread } from "./use-reread.ts";

interface ActOptions<O extends Operation> {
  /** The notice of success. */
  done?: string | undefined;
  onDone?: ((reply: CallReply<O>) => void | Promise<void>) | undefined;
}

/** Returns a mutation that calls an operation. Everything that is shown is read again afterwards. */
export const useAct = <O extends Operation>(operation: O, { done, onDone }: ActOptions<O> = {}) => {
  const reread = useReread();
  return useChange<CallReply<O>, CallInput<O>>({
    mutationFn: (input) => call(operation, input),
    onSuccess: async (reply) => {
      if (done !== undefined) toasts.add({ title: done, type: "success" });
      await onDone?.(reply);
      await reread();
    },
  });
};
