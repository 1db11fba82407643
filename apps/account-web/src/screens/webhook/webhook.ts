import type { Webhook } from "../../components/webhooks/webhooks-query.ts";

/** The webhook of a screen. */
export interface WebhookProps {
  webhook: Webhook;
  organizationId: string;
}
