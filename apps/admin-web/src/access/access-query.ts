import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { operations } from "../api/contracts.ts";
import { type Access, permissionSet } from "./access.ts";

const { getSession, adminListPermissions } = operations.identity;

/** Bypasses the session cookie cache: access decisions use the current session. */
const readAccess = async (signal: AbortSignal): Promise<Access | null> => {
  const live = await call(getSession, { query: { disableCookieCache: "true" } }, signal);
  if (!live) return null;
  if (live.session.impersonatedBy) return { ...live, permissions: new Set() };
  const { permissions } = await call(adminListPermissions, {}, signal);
  return { ...live, permissions: permissionSet(permissions) };
};

/** Reads the signed-in user. Returns null without a session. */
export const accessQuery = queryOptions({
  queryKey: ["access"],
  queryFn: ({ signal }) => readAccess(signal),
  staleTime: 60_000,
  refetchOnWindowFocus: true,
});
