import type { Operation } from "@latchkey/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call, type CallInput, type CallReply } from "./call.ts";

/** The cache key of an operation's replies. Without an input it matches all of them. */
export const operationKey = (operation: Operation, input?: unknown): readonly unknown[] =>
  input === undefined ? ["operation", operation.path] : ["operation", operation.path, input];

/** Returns the `useQuery` options for an operation that reads. */
export const operationQuery = <O extends Operation>(operation: O, input: CallInput<O>) =>
  queryOptions<CallReply<O>>({
    queryKey: operationKey(operation, input),
    queryFn: ({ signal }) => call(operation, input, signal),
  });
