import type { Operation } from "@latchkey/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { toasts } from "../components/toasts.ts";
import { call, type CallInput, type CallReply } from "./call.ts";
import { useChange } from "./use-change.ts";

/** Returns a function that reads everything on the screen again. */
export const useReread = (): (() => Promise<void>) => {
  const client = useQueryClient();
  return async () => {
    const { rereads = [] } = client.getDefaultOptions().mutations?.meta ?? {};
    await Promise.all(rereads.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
};

interface OperationUse<O extends Operation> {
  /** The toast to show on success. */
  done?: string | ((reply: CallReply<O>) => string) | undefined;
  onDone?: ((reply: CallReply<O>) => void | Promise<void>) | undefined;
  /** The calling form shows errors itself while it is mounted. Otherwise the web reports them. */
  showsError?: boolean;
}

/** Returns a mutation for an operation that changes something. Reports the outcome, then reads everything on the screen again. */
export const useOperation = <O extends Operation>(operation: O, use: OperationUse<O> = {}) => {
  const client = useQueryClient();
  const reread = useReread();
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
      await reread();
    },
    onError: (error) => {
      if (use.showsError && isShown.current) return;
      client.getDefaultOptions().mutations?.meta?.reportError?.(error);
    },
  });
};
