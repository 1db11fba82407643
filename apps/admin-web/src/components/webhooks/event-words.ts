import type { EventTopic } from "@latchkey/ui/api/application-events.ts";

const labels: Readonly<Record<EventTopic, string>> = {
  user: "Users",
  session: "Sessions",
  account: "Linked accounts",
  "two-factor": "Second factors",
  passkey: "Passkeys",
  organization: "Organizations",
  member: "Members",
  invitation: "Invitations",
  team: "Teams",
  "organization-role": "Roles of organizations",
  "api-key": "API keys",
};

/** Names the objects of a topic. */
export const topicLabel = (topic: EventTopic): string => labels[topic];

/** Says which events a webhook receives: all of them, or the first and the number of the others. */
export const eventsInWords = (types: readonly string[]): string => {
  const [first, ...others] = types;
  if (first === undefined) return "All events";
  return others.length === 0 ? first : `${first} and ${others.length} more`;
};
