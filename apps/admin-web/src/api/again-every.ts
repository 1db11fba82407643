import { ApiError } from "./api-error.ts";

interface Asked {
  readonly state: { readonly data: unknown; readonly error: unknown };
}

/**
 * For `refetchInterval`: asks again every so many milliseconds, until it is refused, or gives up without an answer to show. What
 * was answered before goes on being asked for while nobody is there to answer.
 */
export const againEvery =
  (ms: number) =>
  ({ state: { data, error } }: Asked): number | false => {
    if (error === null) return ms;
    const mayPass = error instanceof ApiError && error.isPassing;
    return mayPass && data !== undefined ? ms : false;
  };
