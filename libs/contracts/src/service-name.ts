/** The services of the house, in the order in which they start: each after those that it calls. */
export const serviceNames = ["mailer", "identity", "organization", "apikey", "gateway"] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Those that keep an audit log, each in the schema of its name. */
export const auditedServices = [
  "identity",
  "organization",
  "apikey",
  "mailer",
] as const satisfies readonly ServiceName[];

export type AuditedService = (typeof auditedServices)[number];
