import { Badge } from "@latchkey/ui/components/badge.tsx";
import { conditionOf, conditionTones } from "@latchkey/ui/webhooks/webhook-condition.ts";
import { useTranslation } from "../../languages.ts";
import type { Webhook } from "./webhooks-query.ts";

/** The state of a webhook in a word. */
export const WebhookBadge = ({ webhook }: { webhook: Webhook }) => {
  const t = useTranslation("webhooks");
  const condition = conditionOf(webhook);
  return <Badge tone={conditionTones[condition]}>{t(`states.${condition}`)}</Badge>;
};
