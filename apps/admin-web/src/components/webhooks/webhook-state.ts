import type { BadgeTone } from "@latchkey/ui/components/badge.tsx";
import type { Webhook } from "./webhook.ts";

type Stated = Pick<Webhook, "state" | "stateReason" | "failingSince">;

interface WebhookState {
  readonly label: string;
  readonly tone: BadgeTone;
}

/** Returns the state of a webhook in a word. An active one may fail at present. */
export const webhookState = ({ state, failingSince }: Stated): WebhookState => {
  if (state === "paused") return { label: "Paused", tone: "warning" };
  if (state === "disabled") return { label: "Disabled", tone: "warning" };
  if (failingSince !== null) return { label: "Failing", tone: "warning" };
  return { label: "Active", tone: "success" };
};

const reasons: Readonly<Record<NonNullable<Webhook["stateReason"]>, string>> = {
  user: "A user paused this webhook. Its events wait until it is resumed.",
  failures:
    "Latchkey paused this webhook because it kept failing. Its events wait until it is resumed.",
  "not-allowed":
    "Webhooks of organizations are turned off (webhooks.organizations.enabled). Its events wait until they are turned on.",
  gone: "The receiver answered 410 Gone, so this webhook is disabled. Later events are not recorded for it until it is resumed.",
};

/** Says why a webhook receives no events, or that it fails. Undefined if all is well. */
export const stateNotice = ({ state, stateReason, failingSince }: Stated): string | undefined => {
  if (state !== "active" && stateReason !== null) return reasons[stateReason];
  if (state === "active" && failingSince !== null)
    return "The latest deliveries failed. They are retried. See their responses under Deliveries.";
  return undefined;
};
