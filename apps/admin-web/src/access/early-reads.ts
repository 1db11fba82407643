import type { QueryClient, QueryFunctionContext, QueryKey } from "@tanstack/react-query";
import { accessQuery } from "./access-query.ts";

/** A query that needs nothing but a signal to be read. */
interface EarlyQuery {
  readonly queryKey: QueryKey;
  readonly queryFn?: unknown;
}

type Read = (context: Pick<QueryFunctionContext, "signal">) => Promise<unknown>;

const isRead = (queryFn: unknown): queryFn is Read => typeof queryFn === "function";

const started: { query: EarlyQuery; reply: Promise<unknown> }[] = [];

/** Starts the read of the access, and others, before the code of the web has arrived. */
export const startEarlyReads = (queries: readonly EarlyQuery[]): void => {
  for (const query of [accessQuery, ...queries]) {
    const { queryFn } = query;
    if (!isRead(queryFn)) continue;
    const reply = queryFn({ signal: new AbortController().signal });
    // Its reader gets the error.
    reply.catch(() => {});
    started.push({ query, reply });
  }
};

/** Gives the replies to the cache, once. A failed read is read again by the screen that needs it. */
export const adoptEarlyReads = (client: QueryClient): void => {
  for (const { query, reply } of started.splice(0))
    void client.prefetchQuery({ ...query, queryFn: () => reply, retry: false });
};
