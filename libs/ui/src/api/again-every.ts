import { ApiError } from "./api-error.ts";

interface Asked {
  readonly state: { readonly data: unknown; readonly error: unknown };
}

/**
 * Returns a `refetchInterval` that repeats a query every `ms` milliseconds. Stops when the query is refused, or when it fails
 * without data to show. Continues through temporary failures while earlier data is shown.
 */
export const againEvery =
  (ms: number) =>
  ({ state: { data, error } }: Asked): number | false => {
    if (error === null) return ms;
    const mayPass = error instanceof ApiError && error.isPassing;
    return mayPass && data !== undefined ? ms : false;
  };
