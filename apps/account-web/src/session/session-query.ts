import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { queryOptions } from "@tanstack/react-query";

/** Reads the session of this browser. Returns null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) =>
    call(operations.identity.getSession, { query: { disableCookieCache: "true" } }, signal),
  staleTime: 60_000,
  // Another tab may have changed the session at any time.
  refetchOnWindowFocus: "always",
});
