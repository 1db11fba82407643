import { randomUUID } from "node:crypto";
import { type OperationReply, operations, type Wire } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { expect } from "vitest";
import { callOperation, type Client, expectOk } from "./operations.ts";
import { openRows } from "./rows.ts";
import type { System } from "./start-system.ts";
import type { TestUser } from "./users.ts";

export const mailOperations = operations.mailer;
export const queueOperations = operations.identity;

export type ListedMails = Wire<OperationReply<typeof mailOperations.adminListDeliveries>>;
export type MailView = Wire<OperationReply<typeof mailOperations.adminGetDelivery>>;
export type Attempts = Wire<OperationReply<typeof mailOperations.adminListDeliveryAttempts>>;
export type ListedMessages = Wire<OperationReply<typeof queueOperations.adminListFailedMessages>>;
export type ListedQueues = Wire<OperationReply<typeof queueOperations.adminListQueues>>;

export const listMails = (admin: Client, query: object = {}): Promise<ListedMails> =>
  expectOk(
    callOperation<ListedMails>(admin, mailOperations.adminListDeliveries, { query: { ...query } }),
  );

export const getMail = (admin: Client, id: string): Promise<MailView> =>
  expectOk(callOperation<MailView>(admin, mailOperations.adminGetDelivery, { params: { id } }));

export const retryMail = (admin: Client, id: string) =>
  callOperation<ListedMails["deliveries"][number]>(admin, mailOperations.adminRetryDelivery, {
    params: { id },
  });

/** Returns the mails to a recipient once the latest is in this state. */
export const untilMails = async (admin: Client, recipient: string, state: string) => {
  await until(async () => (await listMails(admin, { recipient })).deliveries[0]?.state === state, {
    describe: `a mail to ${recipient} that is ${state}`,
  });
  return (await listMails(admin, { recipient })).deliveries;
};

/** Requests a password reset for a user, which sends a mail. */
export const requestPasswordReset = async ({ browser, email }: TestUser): Promise<void> => {
  expect((await browser.post("/request-password-reset", { email })).status).toBe(200);
};

/** Creates a mail that the SMTP server has permanently rejected. */
export const createFailedMail = async ({ smtp }: System, admin: Client, user: TestUser) => {
  smtp.refuse("permanent", user.email);
  await requestPasswordReset(user);
  const [mail] = await untilMails(admin, user.email, "failed");
  smtp.refuse("none");
  if (!mail) throw new Error("there is no mail");
  return mail;
};

/** The event of the messages that `createFailedMessage` creates. */
export const failedEvent = "password-reset.requested";

/**
 * Creates a failed message of the mailer: an event that was sealed with a secret which is no longer configured. Only rows can create it,
 * because the services seal with the current one.
 */
export const createFailedMessage = async (system: System, admin: Client) => {
  const id = randomUUID();
  const rows = openRows(system);
  await rows.query(
    "insert into identity.outbox (id, name, version, occurred_at, data) values ($1, $2, 1, now(), 'sealed')",
    id,
    failedEvent,
  );
  await rows.close();
  return until(
    async () => {
      const { messages } = await listFailedMessages(admin, "mailer");
      return messages.find((message) => message.id === id);
    },
    { timeoutMs: 120_000, describe: "a failed message" },
  );
};

export const listFailedMessages = (
  admin: Client,
  name: string,
  query: object = {},
): Promise<ListedMessages> =>
  expectOk(
    callOperation<ListedMessages>(admin, queueOperations.adminListFailedMessages, {
      params: { name },
      query: { ...query },
    }),
  );

export const queueCounts = async (admin: Client, name: string) => {
  const { queues } = await expectOk(
    callOperation<ListedQueues>(admin, queueOperations.adminListQueues),
  );
  return queues.find((queue) => queue.name === name);
};

/** Retries or discards a message and returns the answer. */
export const changeMessage = (
  admin: Client,
  verb: "Retry" | "Discard",
  { name, id }: { name: string; id: string },
) =>
  callOperation<{ success: boolean }>(admin, queueOperations[`admin${verb}Message`], {
    params: { name },
    body: { id },
  });
