import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { adminStatements, operations } from "@latchkey/ui/api/contracts.ts";

type Statements = typeof adminStatements;
type LiveSession = NonNullable<CallReply<typeof operations.identity.getSession>>;

/** A resource and an action on it, such as `user:ban`. */
export type Permission = {
  [Resource in keyof Statements]: `${Resource}:${Statements[Resource][number]}`;
}[keyof Statements];

/** The signed-in user and their permissions. */
export interface Access {
  readonly session: LiveSession["session"];
  readonly user: LiveSession["user"];
  readonly permissions: ReadonlySet<string>;
}

/** Why a user may not use the admin web. Undefined if they may. */
export type Refusal = "signed-out" | "not-admin";

/** Admits an impersonated user: if the admin's own session has ended meanwhile, the shell offers only to sign out. */
export const refusalOf = (access: Access | null): Refusal | undefined => {
  if (access === null) return "signed-out";
  if (access.session.impersonatedBy) return undefined;
  return access.permissions.size === 0 ? "not-admin" : undefined;
};

/** Returns permissions as a set of `resource:action`. */
export const permissionSet = (
  permissions: Readonly<Record<string, readonly string[]>>,
): ReadonlySet<string> =>
  new Set(
    Object.entries(permissions).flatMap(([resource, actions]) =>
      actions.map((action) => `${resource}:${action}`),
    ),
  );
