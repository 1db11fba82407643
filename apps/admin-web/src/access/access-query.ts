import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { operations } from "../api/contracts.ts";
import { type Access, permissionSet } from "./access.ts";

const { getSession, adminListPermissions } = operations.identity;

/** Cached copies of a session are passed by: what an admin may do is decided by what is true now. */
const readAccess = async (signal: AbortSignal): Promise<Access | null> => {
  const live = await call(getSession, { query: { disableCookieCache: "true" } }, signal);
  if (!live) return null;
  if (live.session.impersonatedBy) return { ...live, permissions: new Set() };
  const { permissions } = await call(adminListPermissions, {}, signal);
  return { ...live, permissions: permissionSet(permissions) };
};

/** Who is signed in; null where nobody is. */
export const accessQuery = queryOptions({
  queryKey: ["access"],
  queryFn: ({ signal }) => readAccess(signal),
  staleTime: 60_000,
  refetchOnWindowFocus: true,
});
