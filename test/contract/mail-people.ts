import { type OperationReply, operations, type Wire } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { expect } from "vitest";
import type { Stack } from "../stack.ts";
import type { SignedUp } from "./identity-people.ts";
import { done, send } from "./organization-people.ts";

export const ofMails = operations.mailer;
export const ofQueues = operations.identity;

export type ListedMails = Wire<OperationReply<typeof ofMails.adminListDeliveries>>;
export type ShownMail = Wire<OperationReply<typeof ofMails.adminGetDelivery>>;
export type ListedFailures = Wire<OperationReply<typeof ofQueues.adminListFailedMessages>>;
export type ListedQueues = Wire<OperationReply<typeof ofQueues.adminListQueues>>;

export const listMails = (admin: SignedUp, query: object = {}): Promise<ListedMails> =>
  done(send<ListedMails>(admin, ofMails.adminListDeliveries, { query: { ...query } }));

export const getMail = (admin: SignedUp, id: string): Promise<ShownMail> =>
  done(send<ShownMail>(admin, ofMails.adminGetDelivery, { params: { id } }));

export const retryMail = (admin: SignedUp, id: string) =>
  send<ListedMails["deliveries"][number]>(admin, ofMails.adminRetryDelivery, { params: { id } });

/** Returns the mails to a recipient once the latest is in this state. */
export const mailsOf = async (admin: SignedUp, recipient: string, state: string) => {
  await until(async () => (await listMails(admin, { recipient })).deliveries[0]?.state === state, {
    describe: `a mail to ${recipient} that is ${state}`,
  });
  return (await listMails(admin, { recipient })).deliveries;
};

/** Requests a password reset for a user, which sends a mail. */
export const askForMail = async ({ browser, email }: SignedUp): Promise<void> => {
  expect((await browser.post("/request-password-reset", { email })).status).toBe(200);
};

/** Creates a mail that the SMTP server has permanently rejected, and returns it with its message. */
export const failMail = async ({ smtp }: Stack, admin: SignedUp, person: SignedUp) => {
  smtp.refuse("permanent");
  await askForMail(person);
  const [mail] = await mailsOf(admin, person.email, "failed");
  smtp.refuse("none");
  if (!mail) throw new Error("there is no mail");
  // The mail is marked as failed a moment before its message, and other mails may have failed earlier.
  const message = await until(async () => {
    const { messages } = await failuresOf(admin, "mailer", { limit: 1 });
    return messages.find(({ failedAt }) => failedAt >= (mail.settledAt ?? ""));
  });
  return { mail, message };
};

export const failuresOf = (
  admin: SignedUp,
  name: string,
  query: object = {},
): Promise<ListedFailures> =>
  done(
    send<ListedFailures>(admin, ofQueues.adminListFailedMessages, {
      params: { name },
      query: { ...query },
    }),
  );

export const countsOf = async (admin: SignedUp, name: string) => {
  const { queues } = await done(send<ListedQueues>(admin, ofQueues.adminListQueues));
  return queues.find((queue) => queue.name === name);
};

/** Retries or discards a message and returns the answer. */
export const changeMessage = (
  admin: SignedUp,
  verb: "Retry" | "Discard",
  { name, id }: { name: string; id: string },
) =>
  send<{ success: boolean }>(admin, ofQueues[`admin${verb}Message`], {
    params: { name },
    body: { id },
  });
