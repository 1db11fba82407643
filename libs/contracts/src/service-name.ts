/** The services of the house, in the order in which they start. */
export const serviceNames = ["mailer", "identity", "organization", "apikey", "gateway"] as const;

export type ServiceName = (typeof serviceNames)[number];
