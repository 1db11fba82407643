import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge, type BadgeTone } from "@latchkey/ui/components/badge.tsx";
import { t } from "../../texts.ts";

type Deliveries = CallReply<typeof operations.mailer.adminListDeliveries>["deliveries"];
type State = Deliveries[number]["state"];

/** In the order in which a mail passes through them. */
export const stateLabels = {
  queued: t("mailStates.queued"),
  sending: t("mailStates.sending"),
  retrying: t("mailStates.retrying"),
  sent: t("mailStates.sent"),
  captured: t("mailStates.captured"),
  failed: t("mailStates.failed"),
} satisfies Record<State, string>;

const tones: Record<State, BadgeTone> = {
  queued: "neutral",
  sending: "accent",
  retrying: "neutral",
  sent: "success",
  captured: "accent",
  failed: "warning",
};

const settled: ReadonlySet<State> = new Set(["sent", "captured", "failed"]);

/** Whether a mail may still change by itself. */
export const isUnderWay = (state: State): boolean => !settled.has(state);

export const DeliveryState = ({ state }: { state: State }) => (
  <Badge tone={tones[state]}>{stateLabels[state]}</Badge>
);
