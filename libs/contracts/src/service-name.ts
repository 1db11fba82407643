/** The services of an installation in start order: each after the services that it calls. */
export const serviceNames = [
  "identity",
  "organization",
  "apikey",
  "mailer",
  "webhooks",
  "gateway",
] as const;

export type ServiceName = (typeof serviceNames)[number];

/** The services with an audit log, each in the schema of its name. */
export const auditedServices = [
  "identity",
  "organization",
  "apikey",
  "mailer",
  "webhooks",
] as const satisfies readonly ServiceName[];

export type AuditedService = (typeof auditedServices)[number];
