import { Badge } from "@latchkey/ui/components/badge.tsx";
import type { Webhook } from "./webhook.ts";
import { webhookState } from "./webhook-state.ts";

export const WebhookStateBadge = ({ webhook }: { webhook: Webhook }) => {
  const { label, tone } = webhookState(webhook);
  return <Badge tone={tone}>{label}</Badge>;
};
