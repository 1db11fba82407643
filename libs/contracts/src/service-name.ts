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

/** Returns the services that the options turn on, in start order. */
export const presentServices = ({
  oauthProvider,
}: {
  oauthProvider: { enabled: boolean };
}): ServiceName[] => serviceNames.filter((name) => name !== "oauth" || oauthProvider.enabled);

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
