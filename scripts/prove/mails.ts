import { setTimeout as sleep } from "node:timers/promises";
import { operations } from "@latchkey/contracts";
import { done } from "./done.ts";
import type { Ground } from "./ground.ts";
import { NotProven } from "./not-proven.ts";

const { mailer } = operations;
const waitMilliseconds = 15_000;
const pauseMilliseconds = 100;

/** The ids of the mails to an address, the last one first. */
export const mailsTo = async (ground: Ground, recipientIs: string): Promise<string[]> => {
  const asked = ground.admin().ask(mailer.adminListDeliveries, { query: { recipientIs } });
  const { deliveries } = await done(asked, "an admin who may list mails (delivery: list)");
  return deliveries.map(({ id }) => id);
};

const awaitMail = async (
  ground: Ground,
  { email, known }: { email: string; known: readonly string[] },
): Promise<string> => {
  const until = performance.now() + waitMilliseconds;
  while (performance.now() < until) {
    const id = (await mailsTo(ground, email)).find((one) => !known.includes(one));
    if (id !== undefined) return id;
    await sleep(pauseMilliseconds, undefined, { signal: ground.signal });
  }
  throw new NotProven(`a mail to ${email}, and none came within ${waitMilliseconds / 1000} s`);
};

/** The link in the mail that an address is sent by what is done, as admins see it: no mailbox is looked into. */
export const linkMailedBy = async (
  ground: Ground,
  email: string,
  act: () => Promise<unknown>,
): Promise<URL> => {
  const known = await mailsTo(ground, email);
  await act();
  const id = await awaitMail(ground, { email, known });
  const asked = ground.admin().ask(mailer.adminGetDelivery, { params: { id } });
  const { link } = await done(asked, "an admin who may read mails (delivery: read)");
  if (link === null) throw new NotProven("an admin to whom mails with links are not withheld");
  return new URL(link);
};
