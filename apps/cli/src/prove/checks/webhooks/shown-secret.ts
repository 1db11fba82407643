import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import type { CheckContext } from "../../check-context.ts";
import { done } from "../../done.ts";
import type { Answer } from "../../http/connections.ts";
import { type MadeWebhook, sendTestEvent, unusedURL, withWebhook } from "../../webhooks.ts";

const { webhooks } = operations;

/** Returns every reply about a webhook, by the name of its operation. */
const readReplies = async (
  context: CheckContext,
  { id, organizationId }: MadeWebhook,
): Promise<Record<string, Answer>> => {
  const admin = context.admin();
  const params = { id };
  const delivery = await sendTestEvent(context, { id });
  const body = { description: context.newName() };
  return {
    adminUpdateWebhook: await admin.ask(webhooks.adminUpdateWebhook, { params, body }),
    adminPauseWebhook: await admin.ask(webhooks.adminPauseWebhook, { params }),
    adminResumeWebhook: await admin.ask(webhooks.adminResumeWebhook, { params }),
    adminGetWebhook: await admin.ask(webhooks.adminGetWebhook, { params }),
    adminListWebhooks: await admin.ask(webhooks.adminListWebhooks, { query: { organizationId } }),
    adminGetWebhookDelivery: await admin.ask(webhooks.adminGetWebhookDelivery, {
      params: { id: delivery.id },
    }),
    adminListWebhookAudit: await admin.ask(webhooks.adminListWebhookAudit, {
      query: { subjectId: id },
    }),
  };
};

/** Attack: an admin who may only list webhooks reads a secret and forges events with it. */
export const shownSecret: Check = {
  class: "webhooks",
  name: "the secret of a webhook is shown only once",
  remedy: "Readers of webhooks can forge events. Rotate the secrets of all webhooks, and update.",
  run: (context) =>
    withWebhook(context, unusedURL, async (webhook) => {
      const rotation = context.admin().ask(webhooks.adminRotateWebhookSecret, {
        params: { id: webhook.id },
        body: { overlapSeconds: 60 },
      });
      const rotated = await done(rotation, "an admin who may rotate secrets (webhook: update)");
      const replies = Object.entries(await readReplies(context, webhook));
      const hasSecret = ({ text }: Answer) =>
        text.includes(webhook.secret) || text.includes(rotated.secret);
      const shown = replies.filter(([, answer]) => hasSecret(answer)).map(([name]) => name);
      return {
        figures: `a secret and its successor, searched in ${replies.length} replies`,
        problems: [
          ...shown.map((name) => `${name} shows the secret`),
          ...(rotated.secret === webhook.secret ? ["a rotation keeps the secret"] : []),
        ],
      };
    }),
};
