import type { Check } from "../../check.ts";
import type { ReceivedEvent } from "../../receiver/event-receiver.ts";
import { type EventRefusal, refusalOf } from "../../receiver/verify-event.ts";
import {
  awaitAttempts,
  type MadeWebhook,
  readInbox,
  sendTestEvent,
  withWebhook,
} from "../../webhooks.ts";

const staleMilliseconds = 301_000;

const withHeader = (event: ReceivedEvent, name: string, value: string): ReceivedEvent => ({
  ...event,
  headers: { ...event.headers, [name]: value },
});

interface Attempted {
  how: string;
  event: ReceivedEvent;
  secret?: string;
  now?: number;
  expected: EventRefusal | undefined;
}

/** Returns the request as it came, and as an attacker would change or repeat it. */
const attemptsOf = (event: ReceivedEvent, now: number): Attempted[] => {
  const later = String(Math.floor(now / 1_000) + 60);
  const otherSecret = `whsec_${Buffer.alloc(32).toString("base64")}`;
  return [
    { how: "the request", event, expected: undefined },
    {
      how: "another body",
      event: { ...event, body: event.body.replace("webhook", "forged!") },
      expected: "signature",
    },
    {
      how: "another id",
      event: withHeader(event, "webhook-id", "forged"),
      expected: "signature",
    },
    {
      how: "a later time",
      event: withHeader(event, "webhook-timestamp", later),
      expected: "signature",
    },
    { how: "another secret", event, secret: otherSecret, expected: "signature" },
    {
      how: "a replay after five minutes",
      event,
      now: now + staleMilliseconds,
      expected: "timestamp",
    },
  ];
};

const judge = (events: readonly ReceivedEvent[], { secret }: MadeWebhook): string[] =>
  events.flatMap((event) => {
    const now = Date.now();
    return attemptsOf(event, now).flatMap(({ how, event: given, expected, ...own }) => {
      const refusal = refusalOf(given, { secret, now, ...own });
      if (refusal === expected) return [];
      return [`${how} was ${refusal ? `refused by its ${refusal}` : "accepted by a receiver"}`];
    });
  });

/** A retry of a delivery must be recognizable as such, and must not look like a replay. */
const judgeRetry = ([first, second]: readonly ReceivedEvent[]): string[] => {
  if (!first || !second) return ["a delivery that a receiver refused was not sent again"];
  const isEqual = (name: string) => first.headers[name] === second.headers[name];
  return [
    ...(isEqual("webhook-id") ? [] : ["a repeated delivery has another id"]),
    ...(first.body === second.body ? [] : ["a repeated delivery has another body"]),
    ...(isEqual("webhook-timestamp") ? ["a repeated delivery has its first time"] : []),
  ];
};

/** Attack: forging an event, changing it on its way, or sending a recorded one again. */
export const signedDeliveries: Check = {
  class: "webhooks",
  name: "a receiver can tell a delivery from a forged, a changed and an old one",
  remedy: "Receivers cannot trust events. Rotate the secrets of all webhooks, and update Latchkey.",
  run: async (context) => {
    const receiver = await context.receiver();
    const inbox = receiver.openInbox(context.newName(), { statuses: [503, 204] });
    return withWebhook(context, inbox.url, async (webhook) => {
      const details = await awaitAttempts(context, await sendTestEvent(context, webhook), 2);
      const events = readInbox(inbox, details);
      return {
        figures: `a delivery that was refused once, sent ${events.length} times; each was verified, forged and replayed`,
        problems: [...judge(events, webhook), ...judgeRetry(events)],
      };
    });
  },
};
