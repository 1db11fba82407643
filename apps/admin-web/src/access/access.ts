import type { CallReply } from "../api/call.ts";
import type { adminStatements, operations } from "../api/contracts.ts";

type Statements = typeof adminStatements;
type LiveSession = NonNullable<CallReply<typeof operations.identity.getSession>>;

/** A resource and an action on it, as `user:ban`. */
export type Permission = {
  [Resource in keyof Statements]: `${Resource}:${Statements[Resource][number]}`;
}[keyof Statements];

/** Who is signed in, and what they may do here. */
export interface Access {
  readonly session: LiveSession["session"];
  readonly user: LiveSession["user"];
  readonly permissions: ReadonlySet<string>;
}

/** Why somebody has no business here; undefined where they have. */
export type Refusal = "signed-out" | "not-admin";

/** Somebody who is impersonated need not be an admin: who impersonates them has to find the way back. */
export const refusalOf = (access: Access | null): Refusal | undefined => {
  if (access === null) return "signed-out";
  if (access.session.impersonatedBy) return undefined;
  return access.permissions.size === 0 ? "not-admin" : undefined;
};

/** Permissions as a set of `resource:action`. */
export const permissionSet = (
  permissions: Readonly<Record<string, readonly string[]>>,
): ReadonlySet<string> =>
  new Set(
    Object.entries(permissions).flatMap(([resource, actions]) =>
      actions.map((action) => `${resource}:${action}`),
    ),
  );
