import type { FetchQueryOptions, QueryClient, QueryKey } from "@tanstack/react-query";
import { isOfUse } from "./is-of-use.ts";
import type { Permission } from "./access.ts";
import { accessQuery } from "./access-query.ts";

/** A query of a screen, and the permission that it needs. */
export interface Read {
  readonly needs: Permission;
  start(client: QueryClient): Promise<void>;
}

/** Keeps the options of the query, for the screen that reads it too. */
export const readOf = <Reply, Key extends QueryKey, Query>(
  query: FetchQueryOptions<Reply, Error, Reply, Key> & Query,
  needs: Permission,
): Read & { query: Query } => ({
  query,
  needs,
  start: (client) => client.prefetchQuery(query),
});

/**
 * Starts the reads of a screen while its code is still loading, as far as this admin may read. The screen reads a failed one again and shows
 * the failure.
 */
export const prefetch = (client: QueryClient, reads: readonly Read[]): void => {
  const access = client.getQueryData(accessQuery.queryKey);
  for (const read of reads)
    if (isOfUse(read.needs) && access?.permissions.has(read.needs)) void read.start(client);
};
