import type { Operation } from "@latchkey/contracts";
import { askPatiently } from "@latchkey/ui/api/ask-patiently.ts";
import { call, type CallInput, type CallReply } from "@latchkey/ui/api/call.ts";
import type { ListedRow } from "../data-table/list-query.ts";

/** As many rows as an operation returns at once. */
const pageSize = 1000;

/**
 * Returns a function that yields all pages of an operation that lists, with the given filter and order. Waits when there are too many
 * requests.
 */
export const readPages = <O extends Operation, Member extends string & keyof CallReply<O>>(
  operation: O,
  member: Member,
  input: CallInput<O>,
) =>
  async function* (signal: AbortSignal): AsyncGenerator<readonly ListedRow<O, Member>[]> {
    const { query, ...rest } = input as { query?: object };
    let cursor: string | undefined;
    do {
      const page = { ...query, limit: String(pageSize), cursor };
      // The cast is needed because only the contract knows that the operation has pages.
      const asked = { ...rest, query: page } as unknown as CallInput<O>;
      const reply = await askPatiently(() => call(operation, asked, signal), signal);
      yield reply[member] as readonly ListedRow<O, Member>[];
      cursor = (reply as { nextCursor?: string }).nextCursor;
    } while (cursor !== undefined);
  };
