import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { accessQuery } from "../access/access-query.ts";
import { ApiError } from "./api-error.ts";
import { isWorthRetrying, retryPauseMs } from "./retry.ts";

/** Refusals of this kind may mean that whoever is signed in has ceased to be, or to be an admin. */
const mayConcernAccess = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

/** The cache of all replies. Refusals anywhere have the access examined anew; the shell acts on what comes of it. */
export const createQueryClient = (): QueryClient => {
  const examineAccess = () => {
    void client.invalidateQueries({ queryKey: accessQuery.queryKey });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (mayConcernAccess(error) && query.queryKey[0] !== accessQuery.queryKey[0])
          examineAccess();
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
