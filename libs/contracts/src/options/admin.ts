import { z } from "zod";
import { seconds, section } from "./option.ts";
import { roleDefinitions, roleName } from "./roles.ts";

/** The default text of the refusal that a banned user is given. */
const bannedUserMessage =
  "You have been banned from this application. Please contact support if you believe this is an error.";

/** Resources and actions that admin operations ask for; a role may name others besides, for the application's own use. */
export const adminStatements = {
  user: ["create", "list", "update", "set-role", "ban", "impersonate", "delete", "set-password"],
  session: ["list", "revoke", "delete"],
  organization: ["list", "get", "update", "delete"],
  apiKey: ["list", "create", "update", "delete"],
  signingKey: ["list", "rotate"],
  /** Who may read mails may follow their links, which open accounts. */
  delivery: ["list", "read", "retry"],
  queue: ["list", "update"],
  statistics: ["read"],
  audit: ["list"],
  settings: ["read"],
} as const;

const everything: Record<string, string[]> = {
  user: [...adminStatements.user],
  session: [...adminStatements.session],
  organization: [...adminStatements.organization],
  apiKey: [...adminStatements.apiKey],
  signingKey: [...adminStatements.signingKey],
  delivery: [...adminStatements.delivery],
  queue: [...adminStatements.queue],
  statistics: [...adminStatements.statistics],
  audit: [...adminStatements.audit],
  settings: [...adminStatements.settings],
};

export const adminOptions = section({
  enabled: z.boolean().default(true).describe("The operations below `/admin`, and their web."),
  web: z.boolean().default(true).describe("The admin web; off leaves the operations."),
  path: z
    .string()
    .regex(/^(?:\/[\w.~-]+)+\/?$/, "must be a path of letters, digits, `.`, `_`, `~` and `-`")
    .default("/admin")
    .describe("Path of the admin web, from the origin and not below `basePath`."),
  defaultRole: roleName.default("user").describe("Role of new users."),
  adminRoles: z
    .array(roleName)
    .default(["admin"])
    .describe("Roles that make an admin: the last one stays, and none is impersonated."),
  adminUserIds: z
    .array(z.string().min(1))
    .default([])
    .describe("Ids of users who may do everything, whatever their role."),
  roles: roleDefinitions
    .default({ admin: everything, user: {} })
    .describe("What each role may do: resource to actions. Replaces the default roles whole."),
  defaultBanReason: z.string().min(1).default("No reason").describe("Where a ban names none."),
  defaultBanExpiresIn: seconds
    .min(1)
    .optional()
    .describe("Seconds of a ban that names none; without it such a ban is for good."),
  impersonationSessionDuration: seconds
    .max(3600)
    .default(3600)
    .transform((given) => given || 3600)
    .describe("Seconds that an impersonation lasts; an hour at most."),
  allowImpersonatingAdmins: z.boolean().default(false).describe("Admins may be impersonated too."),
  bannedUserMessage: z
    .string()
    .min(1)
    .default(bannedUserMessage)
    .describe("What a banned user is told at sign-in."),
});
