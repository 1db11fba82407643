import type { Operation } from "@latchkey/contracts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { CallInput, CallReply } from "@latchkey/ui/api/call.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import type { TablePage } from "./data-table-props.ts";

/** A row of an operation's reply, in which `member` is the list. */
export type ListedRow<O extends Operation, Member extends string> =
  CallReply<O> extends Record<Member, readonly (infer Row)[]> ? Row : never;

/** Returns the `useQuery` options for a page of an operation that lists. The page stays until the next one has arrived. */
export const listQuery = <O extends Operation, Member extends string & keyof CallReply<O>>(
  operation: O,
  member: Member,
  input: CallInput<O>,
) =>
  queryOptions<CallReply<O>, Error, TablePage<ListedRow<O, Member>>>({
    ...operationQuery(operation, input),
    select: (reply) => {
      const { [member]: rows, ...totals } = reply as Record<string, unknown>; // an object, as it has members
      return { rows, ...totals } as TablePage<ListedRow<O, Member>>; // as the contract declares
    },
    placeholderData: keepPreviousData,
  });
