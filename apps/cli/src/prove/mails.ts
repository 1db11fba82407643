import { setTimeout as sleep } from "node:timers/promises";
import { type EventName, operations, type OperationReply, type Wire } from "@latchkey/contracts";
import { done } from "./done.ts";
import type { CheckContext } from "./check-context.ts";
import { NotProven } from "./not-proven.ts";

const { mailer } = operations;
const waitMilliseconds = 15_000;
const pauseMilliseconds = 100;

type Listed = Wire<OperationReply<typeof mailer.adminListDeliveries>>["deliveries"][number];
type Mail = Wire<OperationReply<typeof mailer.adminGetDelivery>>;

/** Returns the mails to an address, the newest first. */
const mailsTo = async (context: CheckContext, recipientIs: string): Promise<Listed[]> => {
  const answer = context.admin().ask(mailer.adminListDeliveries, { query: { recipientIs } });
  const { deliveries } = await done(answer, "an admin who may list mails (delivery: list)");
  return deliveries;
};

interface Wanted {
  email: string;
  /** Ids of earlier mails. */
  known: readonly string[];
  /** Waits until a mail of this event is sent or captured. By default for any mail. */
  event?: EventName | undefined;
}

const settled: ReadonlySet<Listed["state"]> = new Set(["sent", "captured", "failed"]);

const awaitMail = async (
  context: CheckContext,
  { email, known, event }: Wanted,
): Promise<string> => {
  const until = performance.now() + waitMilliseconds;
  while (performance.now() < until) {
    const newMail = (await mailsTo(context, email)).find(
      (mail) =>
        !known.includes(mail.id) &&
        (event === undefined || (mail.event === event && settled.has(mail.state))),
    );
    if (newMail) return newMail.id;
    await sleep(pauseMilliseconds, undefined, { signal: context.signal });
  }
  throw new NotProven(`a mail to ${email}, and none came within ${waitMilliseconds / 1000} s`);
};

/** Returns the mail that an action sends to an address. It is read through the admin operations, not from a mailbox. */
const mailBy = async (
  context: CheckContext,
  { email, event }: Omit<Wanted, "known">,
  act: () => Promise<unknown>,
): Promise<Mail> => {
  const knownIds = (await mailsTo(context, email)).map(({ id }) => id);
  await act();
  const id = await awaitMail(context, { email, known: knownIds, event });
  const answer = context.admin().ask(mailer.adminGetDelivery, { params: { id } });
  return done(answer, "an admin who may read mails (delivery: read)");
};

/** Returns the link in the mail that an action sends to an address. */
export const linkMailedBy = async (
  context: CheckContext,
  email: string,
  act: () => Promise<unknown>,
): Promise<URL> => {
  const { link } = await mailBy(context, { email }, act);
  if (link === null) throw new NotProven("an admin to whom mails with links are not withheld");
  return new URL(link);
};

/** Sent codes and sign-in links are shown to nobody. */
const onlyCaptured = (): NotProven =>
  new NotProven("captured mails (no SMTP_URL), because sent codes and sign-in links are withheld");

/** Returns the sign-in link that an action mails to an address. Throws `NotProven` unless mails are captured. */
export const signInLinkMailedBy = async (
  context: CheckContext,
  email: string,
  act: () => Promise<unknown>,
): Promise<URL> => {
  const { link } = await mailBy(context, { email, event: "sign-in-link.requested" }, act);
  if (link === null) throw onlyCaptured();
  return new URL(link);
};

/** A mail with a code. */
export type CodeEvent = Extract<EventName, "email-code.requested" | "two-factor-code.requested">;

/** Returns the code that an action mails to an address. Throws `NotProven` unless mails are captured. */
export const codeMailedBy = async (
  context: CheckContext,
  { email, event }: { email: string; event: CodeEvent },
  act: () => Promise<unknown>,
): Promise<string> => {
  const { text } = await mailBy(context, { email, event }, act);
  const code = /^\d{6,8}$/m.exec(text ?? "")?.[0];
  if (code === undefined) throw onlyCaptured();
  return code;
};

/** Returns the code that an action sends to a number by text message. Throws `NotProven` unless messages are captured. */
export const codeTextedBy = async (
  context: CheckContext,
  phoneNumber: string,
  act: () => Promise<unknown>,
): Promise<string> => {
  const { text } = await mailBy(
    context,
    { email: phoneNumber, event: "phone-code.requested" },
    act,
  );
  const [, code] = /#(\d{6,8})$/.exec(text?.trimEnd() ?? "") ?? [];
  if (code === undefined)
    throw new NotProven("captured text messages, because sent codes are withheld");
  return code;
};
