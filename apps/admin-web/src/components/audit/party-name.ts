/** The names of actors and subjects without a name of their own. */
const names: Readonly<Record<string, string>> = {
  user: "User",
  service: "Service",
  system: "System",
  anonymous: "Not signed in",
  organization: "Organization",
  "api-key": "API key",
  webhook: "Webhook",
  "webhook-delivery": "Webhook delivery",
  session: "Session",
  delivery: "Email",
  queue: "Queue",
  "signing-key": "Signing key",
  "ip-address": "IP address",
  installation: "Installation",
};

/** Names the kind of an actor or a subject. */
export const partyName = (kind: string): string =>
  Object.hasOwn(names, kind) ? (names[kind] ?? kind) : kind;
