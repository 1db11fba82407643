import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { isWorthRetrying, retryPauseMs } from "./retry.ts";

/** Whether an error may mean that the user is signed out or no longer an admin. */
const mayConcernAccess = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

/**
 * Creates the cache of all replies. Reads the access again after any refusal, by the query with the key `access`; the shell acts on the
 * result.
 */
export const createQueryClient = (access: readonly unknown[]): QueryClient => {
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
        if (mayConcernAccess(error) && mutation.meta?.["access"] !== "anyone") examineAccess();
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
      mutations: { networkMode: "always" },
    },
  });
  return client;
};
