import { z } from "zod";
import { seconds, section, webPath } from "./option.ts";
import { roleDefinitions, roleName } from "./roles.ts";

/** The default error text for a banned user. */
const bannedUserMessage =
  "You have been banned from this application. Please contact support if you believe this is an error.";

/** Resources and actions that admin operations require. A role may also name others, for the application's own use. */
export const adminStatements = {
  user: [
    "create",
    "list",
    "get",
    "update",
    "set-role",
    "set-email",
    "set-password",
    "ban",
    "secure",
    "merge",
    "impersonate",
    "reset-two-factor",
    "delete",
  ],
  session: ["list", "revoke", "delete"],
  organization: ["list", "get", "create", "update", "delete"],
  apiKey: ["list", "create", "update", "delete"],
  signingKey: ["list", "rotate"],
  /** A user who may create clients decides which applications may ask users for their data. */
  oauthClient: ["list", "create", "update", "delete"],
  /** A user who may read mails may follow their links, which sign in to accounts. */
  delivery: ["list", "read", "retry"],
  queue: ["list", "update"],
  /** A user who may create webhooks or read events receives the data of those events whose objects the user may list. */
  webhook: ["list", "create", "update", "delete", "retry", "read"],
  statistics: ["read"],
  audit: ["list"],
  settings: ["read"],
  rateLimit: ["reset"],
} as const;

const everything: Record<string, string[]> = {
  user: [...adminStatements.user],
  session: [...adminStatements.session],
  organization: [...adminStatements.organization],
  apiKey: [...adminStatements.apiKey],
  signingKey: [...adminStatements.signingKey],
  oauthClient: [...adminStatements.oauthClient],
  delivery: [...adminStatements.delivery],
  queue: [...adminStatements.queue],
  webhook: [...adminStatements.webhook],
  statistics: [...adminStatements.statistics],
  audit: [...adminStatements.audit],
  settings: [...adminStatements.settings],
  rateLimit: [...adminStatements.rateLimit],
};

export const adminOptions = section({
  enabled: z
    .boolean()
    .default(true)
    .describe("Enables the operations below `/admin` and the admin web."),
  web: z.boolean().default(true).describe("Serves the admin web. If off, the operations remain."),
  path: webPath
    .default("/admin")
    .describe("Path of the admin web, relative to the origin and outside `basePath`."),
  defaultRole: roleName.default("user").describe("Role of new users."),
  adminRoles: z
    .array(roleName)
    .default(["admin"])
    .describe(
      "Roles that make a user an admin. The last admin cannot be removed. By default, admins cannot be impersonated.",
    ),
  adminUserIds: z
    .array(z.string().min(1))
    .default([])
    .describe("Ids of users who may do everything, regardless of their role."),
  roles: roleDefinitions
    .default({ admin: everything, user: {} })
    .describe(
      "Permissions of each role: resources to actions. Replaces the default roles completely.",
    ),
  defaultBanReason: z.string().min(1).default("No reason").describe("Default reason of a ban."),
  defaultBanExpiresIn: seconds
    .min(1)
    .optional()
    .describe("Duration in seconds of a ban that names none. If not set, such a ban is permanent."),
  invitationExpiresIn: seconds
    .min(1)
    .default(259_200)
    .describe(
      "Lifetime in seconds of the link by which an invited user chooses a password. By default three days.",
    ),
  impersonationSessionDuration: seconds
    .max(3600)
    .default(3600)
    .transform((given) => given || 3600)
    .describe("Duration of an impersonation in seconds, at most one hour."),
  allowImpersonatingAdmins: z.boolean().default(false).describe("Admins can be impersonated too."),
  bannedUserMessage: z
    .string()
    .min(1)
    .default(bannedUserMessage)
    .describe("Error text for banned users at sign-in."),
  refusedSignInRetentionDays: z
    .int()
    .min(1)
    .max(3650)
    .default(30)
    .describe("Days for which the refused sign-ins of each user are kept."),
});
