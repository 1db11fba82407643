import { queryOptions } from "@tanstack/react-query";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { type Access, permissionSet } from "./access.ts";

const { getSession, adminListPermissions } = operations.identity;

/**
 * Bypasses the session cookie cache: access decisions use the current session. Both requests start at once, because the first screen
 * waits for them. Visitors and impersonators are refused their permissions.
 */
const readAccess = async (signal: AbortSignal): Promise<Access | null> => {
  const [live, own] = await Promise.allSettled([
    call(getSession, { query: { disableCookieCache: "true" } }, signal),
    call(adminListPermissions, {}, signal),
  ]);
  if (live.status === "rejected") throw live.reason;
  if (!live.value) return null;
  if (live.value.session.impersonatedBy) return { ...live.value, permissions: new Set() };
  if (own.status === "rejected") throw own.reason;
  return { ...live.value, permissions: permissionSet(own.value.permissions) };
};

/** Reads the signed-in user. Returns null without a session. */
export const accessQuery = queryOptions({
  queryKey: ["access"],
  queryFn: ({ signal }) => readAccess(signal),
  staleTime: 60_000,
  refetchOnWindowFocus: true,
});
