import { useSuspenseQuery } from "@tanstack/react-query";
import { isOfUse } from "../api/offered.ts";
import type { Access, Permission } from "./access.ts";
import { accessQuery } from "./access-query.ts";

interface OwnAccess {
  readonly access: Access | null;
  /** Whether whoever is signed in may do this, and it can be done here; what they may not is hidden or disabled. */
  may(permission: Permission): boolean;
}

/** Who is signed in, for screens and the shell. */
export const useAccess = (): OwnAccess => {
  const { data: access } = useSuspenseQuery(accessQuery);
  const may = (permission: Permission) =>
    isOfUse(permission) && (access?.permissions.has(permission) ?? false);
  return { access, may };
};
