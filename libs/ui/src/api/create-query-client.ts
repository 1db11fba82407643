import { MutationCache, QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { isWorthRetrying, retryPauseMs } from "./retry.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** Names those who may call. A refusal of a change that is open to `anyone` says nothing about the access. */
      access?: string;
      /** The keys of the queries that are read again after a change. */
      rereads?: readonly QueryKey[];
      /** Shows the error of a change that nothing else shows. */
      reportError?: (error: unknown) => void;
    };
  }
}

/** Whether an error may mean that the user is signed out or no longer an admin. */
const mayConcernAccess = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

interface ClientOptions {
  /** The key of the query that reads the access. It is read again after any refusal, and the shell acts on the result. */
  access: QueryKey;
  /** Whether changes may change the access, which is then read again after each. */
  showsAccess?: boolean;
  /** Shows the error of a change that no form shows. */
  reportError?: (error: unknown) => void;
}

/** Creates the cache of all replies. */
export const createQueryClient = (options: ClientOptions): QueryClient => {
  const { access, showsAccess = false, reportError } = options;
  const examineAccess = () => {
    void client.invalidateQueries({ queryKey: access });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (mayConcernAccess(error) && query.queryKey[0] !== access[0]) examineAccess();
      },
    }),
    mutationCache: new MutationCache({
      onError: (...[error, , , mutation]) => {
        if (mayConcernAccess(error) && mutation.meta?.access !== "anyone") examineAccess();
      },
    }),
    defaultOptions: {
      queries: {
        networkMode: "always",
        retry: isWorthRetrying,
        retryDelay: retryPauseMs,
        refetchOnWindowFocus: false,
        staleTime: 5000,
      },
      mutations: {
        networkMode: "always",
        meta: {
          rereads: showsAccess ? [["operation"], access] : [["operation"]],
          ...(reportError && { reportError }),
        },
      },
    },
  });
  return client;
};
