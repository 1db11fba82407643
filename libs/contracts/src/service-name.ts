/** The services of an installation in start order: each after the services that it calls. */
export const serviceNames = [
  "identity",
  "organization",
  "apikey",
  "mailer",
  "webhooks",
  "oauth",
  "gateway",
] as const;

export type ServiceName = (typeof serviceNames)[number];

/** The options that turn the oauth service on. */
export interface OauthUse {
  readonly oauthProvider: { readonly enabled: boolean };
  readonly deviceAuthorization: { readonly enabled: boolean };
}

/** Returns whether other applications, or devices, sign users in. */
export const usesOauth = ({ oauthProvider, deviceAuthorization }: OauthUse): boolean =>
  oauthProvider.enabled || deviceAuthorization.enabled;

/** Returns the services that the options turn on, in start order. */
export const presentServices = (options: OauthUse): ServiceName[] =>
  serviceNames.filter((name) => name !== "oauth" || usesOauth(options));

/** The services with an audit log, each in the schema of its name. */
export const auditedServices = [
  "identity",
  "organization",
  "apikey",
  "mailer",
  "webhooks",
  "oauth",
] as const satisfies readonly ServiceName[];

export type AuditedService = (typeof auditedServices)[number];
