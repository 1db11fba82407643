import { Badge } from "@latchkey/ui/components/badge.tsx";
import { conditionOf, conditionTones } from "@latchkey/ui/webhooks/webhook-condition.ts";
import type { Webhook } from "./webhook.ts";
import { stateLabel } from "./webhook-state.ts";

export const WebhookStateBadge = ({ webhook }: { webhook: Webhook }) => (
  <Badge tone={conditionTones[conditionOf(webhook)]}>{stateLabel(webhook)}</Badge>
);
