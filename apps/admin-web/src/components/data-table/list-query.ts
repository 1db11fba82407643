import type { Operation } from "@latchkey/contracts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callPatiently } from "@latchkey/ui/api/call-patiently.ts";
import { call, type CallInput, type CallReply } from "@latchkey/ui/api/call.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { type CsvColumns, csvExport } from "../export/csv-export.ts";
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

/** As many rows as an operation returns at once. */
const exportedPageSize = 1000;

/**
 * Returns a function that yields all pages of an operation that lists, with the given filter and order. Waits when there are too many
 * requests.
 */
const readPages = <O extends Operation, Member extends string & keyof CallReply<O>>(
  operation: O,
  member: Member,
  input: CallInput<O>,
) =>
  async function* (signal: AbortSignal): AsyncGenerator<readonly ListedRow<O, Member>[]> {
    const { query, ...rest } = input as { query?: object };
    let cursor: string | undefined;
    do {
      const page = { ...query, limit: String(exportedPageSize), cursor };
      // The cast is needed because only the contract knows that the operation has pages.
      const pageInput = { ...rest, query: page } as unknown as CallInput<O>;
      const reply = await callPatiently(() => call(operation, pageInput, signal), signal);
      yield reply[member] as readonly ListedRow<O, Member>[];
      cursor = (reply as { nextCursor?: string }).nextCursor;
    } while (cursor !== undefined);
  };

interface ListDeclaration<O extends Operation, Member extends string, Search> {
  operation: O;
  /** The member of the reply that is the list. */
  member: Member;
  /** Returns what the operation needs for a search in the address. */
  inputOf: (search: Search) => CallInput<O>;
  /** The first part of the name of exported files, such as `users`. */
  fileName: string;
  /** The columns of exported files. */
  csv: CsvColumns<ListedRow<O, Member>>;
}

/** Declares a list once: how a page of it is read, and how all of it is exported. */
export const listOf = <O extends Operation, Member extends string & keyof CallReply<O>, Search>({
  operation,
  member,
  inputOf,
  fileName,
  csv,
}: ListDeclaration<O, Member, Search>) => ({
  query: (search: Search) => listQuery(operation, member, inputOf(search)),
  /** Exports all rows that a search selects, with other columns if some depend on the installation. */
  exported: (search: Search, columns = csv) =>
    csvExport({ name: fileName, pages: readPages(operation, member, inputOf(search)), columns }),
});
