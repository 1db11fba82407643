import {
  conditionOf,
  type Stated,
  troubleOf,
  type WebhookCondition,
} from "@latchkey/ui/webhooks/webhook-condition.ts";
import { t } from "../../texts.ts";

const labels: Readonly<Record<WebhookCondition, string>> = {
  active: t("webhooks.states.active"),
  failing: t("webhooks.states.failing"),
  paused: t("webhooks.states.paused"),
  disabled: t("webhooks.states.disabled"),
};

/** Returns the state of a webhook in a word. */
export const stateLabel = (webhook: Stated): string => labels[conditionOf(webhook)];

const notices: Readonly<Record<NonNullable<ReturnType<typeof troubleOf>>, string>> = {
  user: t("webhooks.troubles.user"),
  failures: t("webhooks.troubles.failures"),
  "not-allowed": t("webhooks.troubles.not-allowed"),
  gone: t("webhooks.troubles.gone"),
  failing: t("webhooks.troubles.failing"),
};

/** Says why a webhook receives no events, or that it fails. Undefined if all is well. */
export const stateNotice = (webhook: Stated): string | undefined => {
  const trouble = troubleOf(webhook);
  return trouble && notices[trouble];
};
