import { setTimeout as sleep } from "node:timers/promises";
import { operations, type OperationReply, type Wire, wireCode } from "@latchkey/contracts";
import type { CheckContext } from "./check-context.ts";
import { done } from "./done.ts";
import type { Answer } from "./http/connections.ts";
import { NotProven } from "./not-proven.ts";
import type { Inbox, ReceivedEvent } from "./receiver/event-receiver.ts";

const { webhooks } = operations;
const refusal = wireCode("WEBHOOK_URL_NOT_ALLOWED");
const waitMilliseconds = 45_000;
const pauseMilliseconds = 100;
/** Leads to nobody, and no event is sent to it. */
export const unusedURL = "https://nobody.example.com/";

export type MadeWebhook = Wire<OperationReply<typeof webhooks.adminCreateWebhook>>;
export type Delivery = Wire<OperationReply<typeof webhooks.adminTestWebhook>>;
export type DeliveryDetails = Wire<OperationReply<typeof webhooks.adminGetWebhookDelivery>>;

/**
 * Asks for a new webhook. It belongs to an organization that does not exist, so that no event of the deployment is ever sent to it. It also
 * uses up no limit of others.
 */
export const requestWebhook = ({ admin, newName }: CheckContext, url: string) => {
  const name = newName();
  const body = { url, description: name, organizationId: name };
  return admin().ask(webhooks.adminCreateWebhook, { body });
};

/** Returns whether a deployment has refused the URL of a webhook. */
export const isRefusedURL = ({ status, body }: Answer): boolean =>
  status === 400 && (body as { code?: unknown } | undefined)?.code === refusal;

/** Creates a webhook. Throws `NotProven` if the deployment does not allow the URL. */
export const makeWebhook = async (context: CheckContext, url: string): Promise<MadeWebhook> => {
  const answer = requestWebhook(context, url);
  if (isRefusedURL(await answer))
    throw new NotProven("a public address of this machine: --receiver-url and --receiver-port");
  return done(answer, "an admin who may create webhooks (webhook: create), and webhooks.enabled");
};

export const removeWebhook = async (
  { admin }: CheckContext,
  { id }: { id: string },
): Promise<void> => {
  await admin().ask(webhooks.adminDeleteWebhook, { params: { id } });
};

/** Calls `work` with a new webhook and removes it afterwards, so that nothing is sent any more. */
export const withWebhook = async <T>(
  context: CheckContext,
  url: string,
  work: (webhook: MadeWebhook) => Promise<T>,
): Promise<T> => {
  const webhook = await makeWebhook(context, url);
  try {
    return await work(webhook);
  } finally {
    await removeWebhook(context, webhook);
  }
};

/** Queues a test event for a webhook. */
export const sendTestEvent = ({ admin }: CheckContext, { id }: { id: string }): Promise<Delivery> =>
  done(
    admin().ask(webhooks.adminTestWebhook, { params: { id } }),
    "an admin who may send test events (webhook: retry)",
  );

/** Waits until a delivery was attempted that many times. Throws `NotProven` if it was not. */
export const awaitAttempts = async (
  context: CheckContext,
  { id }: { id: string },
  count: number,
): Promise<DeliveryDetails> => {
  const until = performance.now() + waitMilliseconds;
  for (;;) {
    const answer = context.admin().ask(webhooks.adminGetWebhookDelivery, { params: { id } });
    const details = await done(answer, "an admin who may read deliveries (webhook: read)");
    if (details.attempts.length >= count) return details;
    if (performance.now() > until)
      throw new NotProven(
        `a webhooks service that sends: nothing came within ${waitMilliseconds / 1000} s`,
      );
    await sleep(pauseMilliseconds, undefined, { signal: context.signal });
  }
};

/** Returns the requests that an inbox got for a delivery. Throws `NotProven` if the deployment does not reach it. */
export const readInbox = (
  { received }: Inbox,
  { attempts }: DeliveryDetails,
): readonly ReceivedEvent[] => {
  if (received.length > 0) return received;
  const reason = attempts[0]?.error ?? "no request came";
  throw new NotProven(
    `a receiver that the deployment reaches, by --receiver-url and --receiver-port (${reason})`,
  );
};
