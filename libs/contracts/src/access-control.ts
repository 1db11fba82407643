import { WireError } from "./wire-error.ts";

/** Resources and actions on each: what a role allows, or what somebody asks for. */
export type Permissions = Readonly<Record<string, readonly string[]>>;

/** What each role allows, by its name. */
export type RoleDefinitions = Readonly<Record<string, Permissions>>;

/** The roles that a row names, by commas. */
export const splitRoles = (role: string): string[] => role.split(",");

/** How several things that are asked for go together. */
export type Connector = "AND" | "OR";

/** Resources and the actions on each: all of them where it is a list, else as it says. */
export type AskedPermissions = Readonly<
  Record<string, readonly string[] | { actions: readonly string[]; connector: Connector }>
>;

/** What is asked of roles; resources go together as `connector` says, by AND where it is left out. */
export interface PermissionQuestion {
  permissions: AskedPermissions;
  connector?: Connector | undefined;
}

const allowsActions = (allowed: readonly string[], asked: AskedPermissions[string]): boolean => {
  const isAllowed = (action: string) => allowed.includes(action);
  if (!("actions" in asked)) return asked.every(isAllowed);
  return asked.connector === "OR" ? asked.actions.some(isAllowed) : asked.actions.every(isAllowed);
};

/**
 * What one role says, resource by resource in the order of the question; one that the role says nothing of ends it with no,
 * unless an earlier one has sufficed.
 */
const roleAllows = (
  role: Permissions,
  { permissions, connector = "AND" }: PermissionQuestion,
): boolean => {
  let verdict = false;
  for (const [resource, asked] of Object.entries(permissions)) {
    const allowed = Object.hasOwn(role, resource) ? role[resource] : undefined;
    if (allowed === undefined) return false;
    verdict = allowsActions(allowed, asked);
    if (verdict === (connector === "OR")) return verdict;
  }
  return verdict;
};

/**
 * Whether any one of some roles allows what is asked for; what two roles allow is not put together. Unknown roles allow
 * nothing, and nobody is told yes who asked for nothing.
 */
export const anyRoleAllows = (
  definitions: RoleDefinitions,
  names: readonly string[],
  question: PermissionQuestion,
): boolean =>
  names.some((name) => {
    const role = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    return role !== undefined && roleAllows(role, question);
  });

/** Roles as a row names them: trimmed, each once. Refuses none at all, and one that is not known. */
export const readRoleNames = (
  given: string | readonly string[],
  isKnown: (name: string) => boolean,
): string => {
  const names = [given].flat().flatMap((text) => text.split(",").map((name) => name.trim()));
  if (names.length === 0 || !names.every(isKnown))
    throw new WireError("VALIDATION_ERROR", {
      issues: [{ path: "role", message: "must be one or more of the configured roles" }],
    });
  return [...new Set(names)].join(",");
};

/** What the admin options say of who is an admin, and of what roles may do. */
interface AdminRules {
  readonly defaultRole: string;
  readonly adminUserIds: readonly string[];
  readonly roles: RoleDefinitions;
}

/** What roles or ids are asked about: a user, or a role by itself. */
export interface RoleHolder {
  id?: string | undefined;
  role?: string | null | undefined;
}

/** The roles of a user in the installation; one without any has the default role. */
export const rolesOf = (
  { defaultRole }: Pick<AdminRules, "defaultRole">,
  { role }: RoleHolder,
): string[] => splitRoles(role || defaultRole);

/** Whether the admin options let somebody do what is asked for. */
export const mayDo = (
  rules: AdminRules,
  holder: RoleHolder,
  question: PermissionQuestion,
): boolean =>
  (holder.id !== undefined && rules.adminUserIds.includes(holder.id)) ||
  anyRoleAllows(rules.roles, rolesOf(rules, holder), question);

/** Whether the admin options let somebody do all of some actions. */
export const hasPermissions = (
  rules: AdminRules,
  holder: RoleHolder,
  permissions: Permissions,
): boolean => mayDo(rules, holder, { permissions });

/** Whether somebody is an admin: such a one is never impersonated, and the last one stays. */
export const isAdmin = (
  rules: Pick<AdminRules, "adminUserIds" | "defaultRole"> & {
    readonly adminRoles: readonly string[];
  },
  holder: RoleHolder,
): boolean =>
  (holder.id !== undefined && rules.adminUserIds.includes(holder.id)) ||
  rolesOf(rules, holder).some((role) => rules.adminRoles.includes(role));
