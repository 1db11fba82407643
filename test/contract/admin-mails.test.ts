import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { matrix } from "../matrix.ts";
import { adminConfig, askAs, auditOf, byUser, race, signUpAs } from "./admin-people.ts";
import { openRows, refusal, type Rows, type SignedUp, signUp } from "./identity-people.ts";
import {
  askForMail,
  changeMessage,
  countsOf,
  failMail,
  failuresOf,
  getMail,
  listMails,
  mailsOf,
  ofMails,
  retryMail,
} from "./mail-people.ts";
import { done, send } from "./organization-people.ts";

expectNoLeaks("file");

const config = { ...adminConfig, admin: { allowImpersonatingAdmins: true } };
const hasNotFailed = refusal(400, "DELIVERY_HAS_NOT_FAILED", "Delivery has not failed");
const notFound = refusal(404, "DELIVERY_NOT_FOUND", "Delivery not found");

describe.each(matrix("postgres", "redis"))("with the bus on %s", (stores) => {
  let stack: Stack;
  let rows: Rows;
  let admin: SignedUp;
  let ada: SignedUp;
  beforeAll(async () => {
    stack = await startStack({ stores, config });
    rows = openRows(stack);
    admin = await signUpAs(stack, "admin");
  });
  afterAll(async () => {
    await rows.close();
    await stack.stop();
  });
  beforeEach(async () => {
    ada = await signUp(stack);
    stack.smtp.mails.length = 0;
  });
  const mailAuditOf = (action: string, id: string) =>
    rows.ask(
      "select actor_kind, actor_id from mailer.audit where action = $1 and subject_id = $2",
      action,
      id,
    );
  const mailsTo = ({ email }: SignedUp) => stack.smtp.mails.filter(({ to }) => to.includes(email));

  test("the list shows a mail's event and state, but not its content", async () => {
    await askForMail(ada);
    const mails = await mailsOf(admin, ada.email, "sent");
    expect(mails).toStrictEqual([
      {
        id: expect.any(String) as string,
        recipient: ada.email,
        subject: expect.stringContaining("Reset your password") as string,
        event: "password-reset.requested",
        state: "sent",
        attempts: 1,
        lastError: null,
        createdAt: expect.any(String) as string,
        settledAt: expect.any(String) as string,
      },
    ]);
  });

  test("opening a mail shows what its recipient got, and the audit log names the reader", async () => {
    await askForMail(ada);
    const [mail] = await mailsOf(admin, ada.email, "sent");
    const sent = await stack.smtp.waitForMail(ada.email);
    const shown = await getMail(admin, mail?.id ?? "");
    expect(shown).toMatchObject({ ...mail, link: sent.links[0] });
    expect(shown.text).toContain(sent.links[0]);
    expect(shown.html).toContain("<!doctype html>");
    expect(await mailAuditOf("delivery.read", shown.id)).toEqual([byUser(admin)]);
    const nobody = send(admin, ofMails.adminGetDelivery, { params: { id: "nothing" } });
    expect(await nobody).toEqual(notFound);
  });

  /** Attack: an admin reads a link in another admin's name, and uses it long after the impersonation. */
  test("an admin who impersonates another admin cannot open a mail", async () => {
    await askForMail(ada);
    const [mail] = await mailsOf(admin, ada.email, "sent");
    const other = await signUpAs(stack, "admin");
    await askAs(other, "/impersonate-user", { userId: admin.user.id });
    const id = mail?.id ?? "";
    expect(await send(other, ofMails.adminGetDelivery, { params: { id } })).toEqual(
      refusal(403, "FORBIDDEN", "Forbidden"),
    );
    expect(await mailAuditOf("delivery.read", id)).toEqual([]);
  });

  test("16 concurrent retries of a failed mail send one mail", async () => {
    const { mail } = await failMail(stack, admin, ada);
    expect(mail).toMatchObject({
      attempts: 1,
      lastError: expect.stringContaining("550") as string,
    });
    const failed = (await countsOf(admin, "mailer"))?.failed ?? 0;
    const answers = await race(() => retryMail(admin, mail.id));
    const succeeded = answers.filter(({ status }) => status === 200);
    expect(succeeded.map(({ body }) => body)).toMatchObject([{ id: mail.id, attempts: 1 }]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toEqual(Array.from({ length: 15 }, () => hasNotFailed));
    const [sent] = await mailsOf(admin, ada.email, "sent");
    expect(sent).toMatchObject({ id: mail.id, attempts: 2, lastError: null });
    await until(async () => (await countsOf(admin, "mailer"))?.failed === failed - 1);
    expect(mailsTo(ada)).toHaveLength(1);
    expect(await mailAuditOf("delivery.retried", mail.id)).toEqual([byUser(admin)]);
    expect(await retryMail(admin, mail.id)).toEqual(hasNotFailed);
  });

  test("a mail that fails again can be retried again, and counts all its attempts", async () => {
    const { mail } = await failMail(stack, admin, ada);
    stack.smtp.refuse("permanent");
    for (const attempts of [2, 3]) {
      expect(await retryMail(admin, mail.id)).toMatchObject({ status: 200 });
      await until(async () => {
        const [found] = await mailsOf(admin, ada.email, "failed");
        return found?.attempts === attempts;
      });
    }
    stack.smtp.refuse("none");
    expect(await retryMail(admin, mail.id)).toMatchObject({ status: 200 });
    expect(await mailsOf(admin, ada.email, "sent")).toMatchObject([{ attempts: 4 }]);
    expect(mailsTo(ada)).toHaveLength(1);
  });

  test("a mail whose message has left the bus is sent once, and leaves no failed message", async () => {
    const { mail, message } = await failMail(stack, admin, ada);
    const discarded = await changeMessage(admin, "Discard", { name: "mailer", id: message.id });
    expect(discarded).toMatchObject({ body: { success: true } });
    const failed = (await countsOf(admin, "mailer"))?.failed;
    const of = { recipient: ada.email };
    stack.smtp.refuse("permanent");
    await retryMail(admin, mail.id);
    await until(async () => (await listMails(admin, of)).deliveries[0]?.attempts === 2);
    await mailsOf(admin, ada.email, "failed");
    stack.smtp.refuse("none");
    await race(() => retryMail(admin, mail.id));
    expect(await mailsOf(admin, ada.email, "sent")).toMatchObject([{ id: mail.id, attempts: 3 }]);
    expect(mailsTo(ada)).toHaveLength(1);
    await until(async () => (await countsOf(admin, "mailer"))?.active === 0);
    expect((await countsOf(admin, "mailer"))?.failed).toBe(failed);
  });

  test("retrying only the message of a failed mail sends nothing and explains what to do", async () => {
    const { mail, message } = await failMail(stack, admin, ada);
    expect(message).toMatchObject({ event: "password-reset.requested", attempts: 1 });
    const of = { name: "mailer", id: message.id };
    expect(await changeMessage(admin, "Retry", of)).toMatchObject({ body: { success: true } });
    const again = await until(async () => {
      const { messages } = await failuresOf(admin, "mailer");
      return messages.find(({ id, reason }) => id === message.id && reason !== message.reason);
    });
    expect(again.reason).toBe("the mail has failed; retry it in the list of mails");
    expect(mailsTo(ada)).toEqual([]);
    expect(await retryMail(admin, mail.id)).toMatchObject({ status: 200 });
    await mailsOf(admin, ada.email, "sent");
    expect(mailsTo(ada)).toHaveLength(1);
  });

  test("a missing mail cannot be retried", async () => {
    expect(await retryMail(admin, "nothing")).toEqual(notFound);
  });

  test("statistics include the mails sent and failed today", async () => {
    type Days = { days: { day: string; sent: number; failed: number; captured: number }[] };
    const day = new Date().toISOString().slice(0, 10);
    const range = { from: day, to: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) };
    const read = async () => {
      const asked = { query: range };
      const { days } = await done(send<Days>(admin, ofMails.adminReadMailStatistics, asked));
      expect(days.map((one) => one.day)).toEqual([range.from, range.to]);
      return days.reduce((sum, { sent, failed }) => [sum[0]! + sent, sum[1]! + failed], [0, 0]);
    };
    const [sent = 0, failed = 0] = await read();
    const { mail } = await failMail(stack, admin, ada);
    await retryMail(admin, mail.id);
    await mailsOf(admin, ada.email, "sent");
    expect(await read()).toEqual([sent + 1, failed + 1]);
  });

  test("admins can read the mailer's audit log", async () => {
    type Entries = { entries: { action: string; actor: { kind: string; id: string | null } }[] };
    const { mail } = await failMail(stack, admin, ada);
    await getMail(admin, mail.id);
    await retryMail(admin, mail.id);
    const asked = { query: { subjectId: mail.id } };
    const { entries } = await done(send<Entries>(admin, ofMails.adminListMailerAudit, asked));
    expect(entries.map(({ action, actor }) => [action, actor.id])).toEqual([
      ["delivery.retried", admin.user.id],
      ["delivery.read", admin.user.id],
      ["delivery.queued", null],
    ]);
    expect(JSON.stringify(entries)).not.toContain("token=");
    expect(await auditOf(rows, "delivery.read", mail.id)).toEqual([]);
  });
});

test("without an SMTP server the list of mails is the mailbox", async () => {
  const stack = await startStack({
    stores: "postgres",
    config: { ...config, mail: { smtpUrl: undefined } },
  });
  const admin = await signUpAs(stack, "admin");
  const ada = await signUp(stack);
  await askForMail(ada);
  const [mail] = await mailsOf(admin, ada.email, "captured");
  const { link, text } = await getMail(admin, mail?.id ?? "");
  expect(text).toContain(link);
  const opened = await fetch(link ?? "", { redirect: "manual" });
  expect(opened.status).toBe(302);
  expect(await retryMail(admin, mail?.id ?? "")).toEqual(hasNotFailed);
  await stack.stop();
});
