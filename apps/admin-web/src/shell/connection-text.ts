import { ApiError } from "@latchkey/ui/api/api-error.ts";

/** Describes the worst of the failures. Returns an empty text if none is temporary. */
export const connectionText = (errors: readonly unknown[]): string => {
  const statuses = errors.flatMap((error) => (error instanceof ApiError ? [error.status] : []));
  if (statuses.length === 0) return "";
  if (statuses.includes(0)) return "Latchkey is not responding. Trying again…";
  return statuses.every((status) => status === 429)
    ? "Too many requests. Trying again…"
    : "A service is unavailable. Trying again…";
};
