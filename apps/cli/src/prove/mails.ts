import { setTimeout as sleep } from "node:timers/promises";
import { operations } from "@latchkey/contracts";
import { done } from "./done.ts";
import type { CheckContext } from "./check-context.ts";
import { NotProven } from "./not-proven.ts";

const { mailer } = operations;
const waitMilliseconds = 15_000;
const pauseMilliseconds = 100;

/** Returns the ids of the mails to an address, the newest first. */
export const mailsTo = async (context: CheckContext, recipientIs: string): Promise<string[]> => {
  const asked = context.admin().ask(mailer.adminListDeliveries, { query: { recipientIs } });
  const { deliveries } = await done(asked, "an admin who may list mails (delivery: list)");
  return deliveries.map(({ id }) => id);
};

const awaitMail = async (
  context: CheckContext,
  { email, known }: { email: string; known: readonly string[] },
): Promise<string> => {
  const until = performance.now() + waitMilliseconds;
  while (performance.now() < until) {
    const id = (await mailsTo(context, email)).find((one) => !known.includes(one));
    if (id !== undefined) return id;
    await sleep(pauseMilliseconds, undefined, { signal: context.signal });
  }
  throw new NotProven(`a mail to ${email}, and none came within ${waitMilliseconds / 1000} s`);
};

/** Returns the link in the mail that an action sends to an address. It is read through the admin operations, not from a mailbox. */
export const linkMailedBy = async (
  context: CheckContext,
  email: string,
  act: () => Promise<unknown>,
): Promise<URL> => {
  const known = await mailsTo(context, email);
  await act();
  const id = await awaitMail(context, { email, known });
  const asked = context.admin().ask(mailer.adminGetDelivery, { params: { id } });
  const { link } = await done(asked, "an admin who may read mails (delivery: read)");
  if (link === null) throw new NotProven("an admin to whom mails with links are not withheld");
  return new URL(link);
};
