import type { EventTopic } from "@latchkey/ui/api/application-events.ts";
import { t } from "../../texts.ts";

const labels: Readonly<Record<EventTopic, string>> = {
  user: t("webhooks.topics.user"),
  session: t("webhooks.topics.session"),
  account: t("webhooks.topics.account"),
  "two-factor": t("webhooks.topics.two-factor"),
  passkey: t("webhooks.topics.passkey"),
  organization: t("webhooks.topics.organization"),
  member: t("webhooks.topics.member"),
  invitation: t("webhooks.topics.invitation"),
  team: t("webhooks.topics.team"),
  "organization-role": t("webhooks.topics.organization-role"),
  "api-key": t("webhooks.topics.api-key"),
};

/** Names the objects of a topic. */
export const topicLabel = (topic: EventTopic): string => labels[topic];

/** Says which events a webhook receives: all of them, or the first and the number of the others. */
export const eventsInWords = (types: readonly string[]): string => {
  const [first, ...others] = types;
  if (first === undefined) return t("webhooks.allEvents");
  return others.length === 0
    ? first
    : t("webhooks.andMore", { event: first, count: others.length });
};
