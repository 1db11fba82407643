import { type OperationReply, operations, type Wire } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { expect } from "vitest";
import { callOperation, type Client, expectOk } from "./operations.ts";
import type { System } from "./start-system.ts";
import type { TestUser } from "./users.ts";

export const mailOperations = operations.mailer;
export const queueOperations = operations.identity;

export type ListedMails = Wire<OperationReply<typeof mailOperations.adminListDeliveries>>;
export type MailView = Wire<OperationReply<typeof mailOperations.adminGetDelivery>>;
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

/** Creates a mail that the SMTP server has permanently rejected, and returns it with its message. */
export const createFailedMail = async ({ smtp }: System, admin: Client, user: TestUser) => {
  smtp.refuse("permanent");
  await requestPasswordReset(user);
  const [mail] = await untilMails(admin, user.email, "failed");
  smtp.refuse("none");
  if (!mail) throw new Error("there is no mail");
  // The mail is marked as failed a moment before its message, and other mails may have failed earlier.
  const message = await until(async () => {
    const { messages } = await listFailedMessages(admin, "mailer", { limit: 1 });
    return messages.find(({ failedAt }) => failedAt >= (mail.settledAt ?? ""));
  });
  return { mail, message };
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
