export * from "./access-control.ts";
export * from "./account-web-facts.ts";
export type {
  EventApiKey,
  EventInvitation,
  EventMember,
  EventOrganization,
  EventOrganizationRole,
  EventTeam,
  EventUser,
} from "./application-event-objects.ts";
export * from "./application-events.ts";
export {
  type AdditionalFields,
  additionalFieldsOf,
  type OrganizationFieldKind,
  organizationFieldKinds,
} from "./additional-fields.ts";
export * from "./authentication.ts";
export * from "./caller.ts";
export * from "./colors.ts";
export { comparableEmail, emailSearchTerm, normalizeEmail, showEmail } from "./email-address.ts";
export * from "./email-schemas.ts";
export * from "./escape-html.ts";
export * from "./error-catalogue.ts";
export * from "./events.ts";
export * from "./facts.ts";
export * from "./secrets.ts";
export { jsonSchema } from "./json-schema.ts";
export * from "./kept-values.ts";
export * from "./languages.ts";
export * from "./look.ts";
export * from "./mail-frame.ts";
export * from "./mail-locale.ts";
export * from "./mailed-link.ts";
export * from "./objects.ts";
export * from "./openapi.ts";
export * from "./operation.ts";
export type {
  EffectiveOption,
  InstallationAdminOperations,
  ServiceHealth,
} from "./operations/gateway/admin-installation.ts";
export type {
  ApiKey,
  ApiKeyUsage,
  ApiKeyVerdict,
  KeySecondFactor,
  OwnApiKey,
} from "./operations/apikey/objects.ts";
export { keySessionPermission, permissions } from "./operations/apikey/objects.ts";
export type { OrganizationSummary } from "./operations/organization/internal-api-key.ts";
export type { AuditListEntry, AuditQuery } from "./operations/audit.ts";
export type { Passkey } from "./operations/identity/passkey.ts";
export type { SigningKeyEntry } from "./operations/identity/admin-signing-keys.ts";
export type { DeliveryEntry } from "./operations/mailer/admin-deliveries.ts";
export type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
} from "./operations/webhooks/objects.ts";
export { describedUsersMax } from "./operations/identity/internal-organization.ts";
export { statisticsDaysMax } from "./operations/statistics.ts";
export type {
  Invitation,
  Member,
  OrganizationRow,
  Team,
  UserSummary,
  OrganizationRole,
  TeamMember,
} from "./operations/organization/objects.ts";
export * from "./operations.ts";
export { oauthClientMetadata } from "./operations/oauth/clients.ts";
export { deviceGrantType } from "./operations/oauth/devices.ts";
export * from "./options.ts";
export { organizationRoleName } from "./options/roles.ts";
export { adminStatements } from "./options/admin.ts";
export { deviceSlotsMax } from "./options/multi-session.ts";
export {
  type Branding,
  brandingOptions,
  fileEnding,
  imageTypes,
  isAddress,
} from "./options/branding.ts";
export { type RefusalReason, refusalReasons } from "./refused-sign-in.ts";
export { type ListedOption, listOptions } from "./options/list-options.ts";
export {
  anyMemberOf,
  bareOption,
  definitionOf,
  isPart,
  meaningOf,
  membersOf,
} from "./options/option-tree.ts";
export type { CookieAttributes } from "./options/advanced.ts";
export { sendsVerificationOnSignUp } from "./options/email-verification.ts";
export type { AccountRow, HookContext, RowHooks, VerificationRow } from "./options/hooks.ts";
export { type KeyPairConfig, timeSpanForm, type TokenSubject } from "./options/jwt.ts";
export {
  defaultInvitationURL,
  type NewOrganization,
  type RequestOrigin,
} from "./options/organization.ts";
export type {
  EndpointName,
  MappedUser,
  ProviderOptions,
  ProviderProfile,
  ProviderTokens,
  ProviderUser,
} from "./options/provider-option.ts";
export {
  type GenericProviderOptions,
  type KnownProviderId,
  knownProviderIds,
  type KnownProviderOptions,
} from "./options/social-providers.ts";
export { type ApiKeyRequest, namedDaysMax } from "./options/api-key.ts";
export type { OauthResource } from "./options/oauth-provider.ts";
export type { RateLimitRequest, RateRule } from "./options/rate-limit.ts";
export { readRedisCluster, type RedisCluster, redisHosts } from "./options/redis-url.ts";
export type { AdditionalField, FieldValue } from "./options/additional-field.ts";
export { isOrdinaryHost } from "./ordinary-host.ts";
export * from "./person-export.ts";
export { pictureBytesMax, pictureSideMax } from "./picture-size.ts";
export * from "./plain-text.ts";
export * from "./service-name.ts";
export { serviceVariables } from "./service-variables.ts";
export * from "./session-effect.ts";
export * from "./step-up.ts";
export * from "./two-factor-challenge.ts";
export * from "./wire-error.ts";
