import { useSuspenseQuery } from "@tanstack/react-query";
import { isOfUse } from "./is-of-use.ts";
import type { Access, Permission } from "./access.ts";
import { accessQuery } from "./access-query.ts";

interface OwnAccess {
  readonly access: Access | null;
  /** Tells whether the signed-in user has the permission and this installation uses it. Hide or disable actions without it. */
  may(permission: Permission): boolean;
}

/** Returns the signed-in user and their access, for screens and the shell. */
export const useAccess = (): OwnAccess => {
  const { data: access } = useSuspenseQuery(accessQuery);
  const may = (permission: Permission) =>
    isOfUse(permission) && (access?.permissions.has(permission) ?? false);
  return { access, may };
};
