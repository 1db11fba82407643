import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { actorsOf, byUser } from "../harness/audit.ts";
import {
  type Attempts,
  createFailedMail,
  getMail,
  mailOperations,
  requestPasswordReset,
  retryMail,
  untilMails,
} from "../harness/mails.ts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse } from "../harness/responses.ts";
import { startSystem } from "../harness/start-system.ts";
import { callAdmin, signUp, signUpAs, type TestUser } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { matrix } from "../harness/matrix.ts";

expectNoLeaks("file");

const config = { ...serviceConfig, admin: { allowImpersonatingAdmins: true } };
const hasNotFailed = errorResponse(400, "DELIVERY_HAS_NOT_FAILED", "Delivery has not failed");
const notFound = errorResponse(404, "DELIVERY_NOT_FOUND", "Delivery not found");

describe.each(matrix("postgres", "redis"))("with the bus on %s", (stores) => {
  let ada: TestUser;
  const { system, rows, admin } = useSystem({ stores, config });
  beforeEach(async () => {
    ada = await signUp(system);
    system.smtp.mails.length = 0;
  });
  const mailAuditOf = (action: string, id: string) =>
    rows.query(
      "select actor_kind, actor_id from mailer.audit where action = $1 and subject_id = $2",
      action,
      id,
    );
  const mailsTo = ({ email }: TestUser) => system.smtp.mails.filter(({ to }) => to.includes(email));

  test("the list shows a mail's event and state, but not its content", async () => {
    await requestPasswordReset(ada);
    const mails = await untilMails(admin, ada.email, "sent");
    expect(mails).toStrictEqual([
      {
        id: expect.any(String) as string,
        channel: "mail",
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
    await requestPasswordReset(ada);
    const [mail] = await untilMails(admin, ada.email, "sent");
    const sent = await system.smtp.waitForMail(ada.email);
    const shown = await getMail(admin, mail?.id ?? "");
    expect(shown).toMatchObject({ ...mail, link: sent.links[0] });
    expect(shown.text).toContain(sent.links[0]);
    expect(shown.html).toContain("<!doctype html>");
    expect(await mailAuditOf("delivery.read", shown.id)).toEqual([byUser(admin)]);
    const nobody = callOperation(admin, mailOperations.adminGetDelivery, {
      params: { id: "nothing" },
    });
    expect(await nobody).toEqual(notFound);
  });

  /** Attack: an admin reads a link in another admin's name, and uses it long after the impersonation. */
  test("an admin who impersonates another admin cannot open a mail", async () => {
    await requestPasswordReset(ada);
    const [mail] = await untilMails(admin, ada.email, "sent");
    const other = await signUpAs(system, "admin");
    await callAdmin(other, "/impersonate-user", { userId: admin.user.id });
    const id = mail?.id ?? "";
    expect(await callOperation(other, mailOperations.adminGetDelivery, { params: { id } })).toEqual(
      errorResponse(403, "FORBIDDEN", "Forbidden"),
    );
    expect(await mailAuditOf("delivery.read", id)).toEqual([]);
  });

  test("16 concurrent retries of a failed mail send one mail", async () => {
    const mail = await createFailedMail(system, admin, ada);
    expect(mail).toMatchObject({
      attempts: 1,
      lastError: expect.stringContaining("550") as string,
    });
    const answers = await race(() => retryMail(admin, mail.id));
    const succeeded = answers.filter(({ status }) => status === 200);
    expect(succeeded.map(({ body }) => body)).toMatchObject([{ id: mail.id, attempts: 1 }]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toEqual(Array.from({ length: 15 }, () => hasNotFailed));
    const [sent] = await untilMails(admin, ada.email, "sent");
    expect(sent).toMatchObject({ id: mail.id, attempts: 2, lastError: null });
    expect(mailsTo(ada)).toHaveLength(1);
    expect(await mailAuditOf("delivery.retried", mail.id)).toEqual([byUser(admin)]);
    expect(await retryMail(admin, mail.id)).toEqual(hasNotFailed);
  });

  test("a mail that fails again can be retried again, and counts all its attempts", async () => {
    const mail = await createFailedMail(system, admin, ada);
    system.smtp.refuse("permanent");
    for (const attempts of [2, 3]) {
      expect(await retryMail(admin, mail.id)).toMatchObject({ status: 200 });
      await until(async () => {
        const [mail] = await untilMails(admin, ada.email, "failed");
        return mail?.attempts === attempts;
      });
    }
    system.smtp.refuse("none");
    expect(await retryMail(admin, mail.id)).toMatchObject({ status: 200 });
    expect(await untilMails(admin, ada.email, "sent")).toMatchObject([{ attempts: 4 }]);
    expect(mailsTo(ada)).toHaveLength(1);
  });

  test("keeps the reason of each attempt, also after the mail was sent", async () => {
    const mail = await createFailedMail(system, admin, ada);
    await retryMail(admin, mail.id);
    await untilMails(admin, ada.email, "sent");
    const { delivery, attempts } = await expectOk(
      callOperation<Attempts>(admin, mailOperations.adminListDeliveryAttempts, {
        params: { id: mail.id },
      }),
    );
    expect(delivery).toMatchObject({ id: mail.id, state: "sent", attempts: 2 });
    const times = {
      startedAt: expect.any(String) as string,
      endedAt: expect.any(String) as string,
    };
    expect(attempts).toEqual([
      { number: 2, outcome: "sent", reason: null, ...times },
      {
        number: 1,
        outcome: "failed",
        reason: expect.stringContaining("550") as string,
        ...times,
      },
    ]);
  });

  test("a missing mail has no attempts", async () => {
    const params = { id: "nothing" };
    expect(
      await callOperation(admin, mailOperations.adminListDeliveryAttempts, { params }),
    ).toEqual(notFound);
  });

  test("a missing mail cannot be retried", async () => {
    expect(await retryMail(admin, "nothing")).toEqual(notFound);
  });

  test("statistics include the mails sent and failed today", async () => {
    type Days = { days: { day: string; sent: number; failed: number; captured: number }[] };
    const day = new Date().toISOString().slice(0, 10);
    const range = { from: day, to: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) };
    const read = async () => {
      const input = { query: range };
      const { days } = await expectOk(
        callOperation<Days>(admin, mailOperations.adminReadMailStatistics, input),
      );
      expect(days.map((one) => one.day)).toEqual([range.from, range.to]);
      return days.reduce((sum, { sent, failed }) => [sum[0]! + sent, sum[1]! + failed], [0, 0]);
    };
    const [sent = 0, failed = 0] = await read();
    const mail = await createFailedMail(system, admin, ada);
    await retryMail(admin, mail.id);
    await untilMails(admin, ada.email, "sent");
    expect(await read()).toEqual([sent + 1, failed + 1]);
  });

  test("admins can read the mailer's audit log", async () => {
    type Entries = { entries: { action: string; actor: { kind: string; id: string | null } }[] };
    const mail = await createFailedMail(system, admin, ada);
    await getMail(admin, mail.id);
    await retryMail(admin, mail.id);
    const input = { query: { subjectId: mail.id } };
    const { entries } = await expectOk(
      callOperation<Entries>(admin, mailOperations.adminListMailerAudit, input),
    );
    expect(entries.map(({ action, actor }) => [action, actor.id])).toEqual([
      ["delivery.retried", admin.user.id],
      ["delivery.read", admin.user.id],
      ["delivery.queued", null],
    ]);
    expect(JSON.stringify(entries)).not.toContain("token=");
    expect(await actorsOf(rows, "delivery.read", mail.id)).toEqual([]);
  });
});

test("without an SMTP server the list of mails is the mailbox", async () => {
  const system = await startSystem({
    stores: "postgres",
    config: { ...config, mail: { smtpUrl: undefined } },
  });
  const admin = await signUpAs(system, "admin");
  const ada = await signUp(system);
  await requestPasswordReset(ada);
  const [mail] = await untilMails(admin, ada.email, "captured");
  const { link, text } = await getMail(admin, mail?.id ?? "");
  expect(text).toContain(link);
  const opened = await fetch(link ?? "", { redirect: "manual" });
  expect(opened.status).toBe(302);
  expect(await retryMail(admin, mail?.id ?? "")).toEqual(hasNotFailed);
  await system.stop();
});
