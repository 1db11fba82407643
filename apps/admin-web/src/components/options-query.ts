import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";

/** Every option whose value changes what a screen other than the settings shows. */
const optionNames = [
  "admin.roles",
  "apiKey.enableMetadata",
  "apiKey.enableSessionForAPIKeys",
  "apiKey.keyExpiration.defaultExpiresIn",
  "apiKey.organizationKeys.enabled",
  "apiKey.permissions.defaultPermissions",
  "apiKey.rateLimit",
  "baseURL",
  "emailAndPassword.enabled",
  "emailAndPassword.requireEmailVerification",
  "emailAndPassword.resetPassword.enabled",
  "emailVerification.enabled",
  "jwt.jwks.rotationInterval",
  "mail.from",
  "mail.smtpUrl",
  "oauthProvider.scopes",
  "organization.creatorRole",
  "organization.roles",
  "organization.schema.member.additionalFields",
  "organization.schema.organization.additionalFields",
  "organization.schema.team.additionalFields",
  "secret",
  "twoFactor.required.everyone",
  "twoFactor.required.roles",
  "user.additionalFields",
] as const;
export type OptionName = (typeof optionNames)[number];

/** Reads these options in one small reply, which all screens share. All options with their descriptions have about 60 KB. */
export const optionsQuery = operationQuery(operations.gateway.adminReadSettings, {
  query: { names: optionNames.join(",") },
});
