import {
  conditionOf,
  type Stated,
  troubleOf,
  type WebhookCondition,
} from "@latchkey/ui/webhooks/webhook-condition.ts";

const labels: Readonly<Record<WebhookCondition, string>> = {
  active: "Active",
  failing: "Failing",
  paused: "Paused",
  disabled: "Disabled",
};

/** Returns the state of a webhook in a word. */
export const stateLabel = (webhook: Stated): string => labels[conditionOf(webhook)];

const notices: Readonly<Record<NonNullable<ReturnType<typeof troubleOf>>, string>> = {
  user: "A user paused this webhook. Its events wait until it is resumed.",
  failures:
    "Latchkey paused this webhook because it kept failing. Its events wait until it is resumed.",
  "not-allowed":
    "Webhooks of organizations are turned off (webhooks.organizations.enabled). Its events wait until they are turned on.",
  gone: "The receiver answered 410 Gone, so this webhook is disabled. Later events are not recorded for it until it is resumed.",
  failing: "The latest deliveries failed. They are retried. See their responses under Deliveries.",
};

/** Says why a webhook receives no events, or that it fails. Undefined if all is well. */
export const stateNotice = (webhook: Stated): string | undefined => {
  const trouble = troubleOf(webhook);
  return trouble && notices[trouble];
};
