import type { WebhookDelivery, WebhookEndpoint } from "@latchkey/contracts";
import type { BadgeTone } from "../components/badge.tsx";

/** The state of a webhook as it is shown. An active one may fail at present. */
export type WebhookCondition = "active" | "failing" | "paused" | "disabled";

/** The parts of a webhook that say whether it receives its events. */
export type Stated = Pick<WebhookEndpoint, "state" | "stateReason"> & {
  /** A time, of which only the presence matters. */
  readonly failingSince: unknown;
};

/** Returns whether a webhook receives its events. */
export const conditionOf = ({ state, failingSince }: Stated): WebhookCondition =>
  state === "active" && failingSince !== null ? "failing" : state;

export const conditionTones: Readonly<Record<WebhookCondition, BadgeTone>> = {
  active: "success",
  failing: "warning",
  paused: "warning",
  disabled: "warning",
};

/** Why a webhook receives no events, or that it fails. Undefined if all is well. */
export const troubleOf = (
  webhook: Stated,
): NonNullable<WebhookEndpoint["stateReason"]> | "failing" | undefined => {
  const { state, stateReason } = webhook;
  if (state !== "active") return stateReason ?? undefined;
  return conditionOf(webhook) === "failing" ? "failing" : undefined;
};

/** The state of a delivery as it is shown. A pending one that was attempted before is retried. */
export type DeliveryCondition = WebhookDelivery["state"] | "retrying";

/** Returns how far a delivery is. */
export const deliveryConditionOf = ({
  state,
  attempts,
}: Pick<WebhookDelivery, "state" | "attempts">): DeliveryCondition =>
  state === "pending" && attempts > 0 ? "retrying" : state;

export const deliveryTones: Readonly<Record<DeliveryCondition, BadgeTone>> = {
  pending: "neutral",
  retrying: "neutral",
  delivered: "success",
  failed: "warning",
};
