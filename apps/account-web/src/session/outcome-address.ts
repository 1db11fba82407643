import { addressOf } from "./address-of.ts";

/**
 * Returns the page to which a mailed link leads once it has acted. The server adds an error if it has failed. The page claims a success only
 * with this mark, because anyone can open it.
 */
export const outcomeAddress = (
  path: "/verify-email" | "/change-email" | "/delete-account",
  search: Readonly<Record<string, unknown>> = {},
): string => addressOf(path, { ...search, outcome: "done" });
