import { createTransport } from "nodemailer";
import { afterEach, beforeEach, expect, test } from "vitest";
import { expectNoLeaks } from "./leak-check.ts";
import { type SmtpCatcher, startSmtpCatcher } from "./smtp-catcher.ts";

let catcher: SmtpCatcher;

expectNoLeaks();
beforeEach(async () => {
  catcher = await startSmtpCatcher();
});
afterEach(() => catcher.stop());

const mail = {
  from: "Latchkey <no-reply@latchkey.test>",
  to: "ada@example.com",
  subject: "Grüße",
  text: "Verify: https://app.test/verify?token=a&next=%2F.",
  html: `<a href="https://app.test/verify?token=a&amp;next=%2F">Verify</a> <a href='https://app.test/help'>Help</a>`,
};

test("catches a mail over SMTP with its parts and its links, each once", async () => {
  await createTransport(catcher.url).sendMail({ ...mail, messageId: "<one@latchkey.test>" });
  expect(await catcher.waitForMail("ADA@example.com", { timeoutMs: 2_000 })).toEqual({
    to: ["ada@example.com"],
    from: "no-reply@latchkey.test",
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: "<one@latchkey.test>",
    links: ["https://app.test/verify?token=a&next=%2F", "https://app.test/help"],
  });
});

test("accepts a client that signs in", async () => {
  await createTransport(catcher.url.replace("//", "//user:secret@")).sendMail(mail);
  expect(catcher.mails).toHaveLength(1);
});

test.each([
  ["temporary", 451],
  ["permanent", 550],
] as const)(
  "while it refuses (%s), the sender receives %i and nothing is caught; later mails pass",
  async (mode, responseCode) => {
    const transport = createTransport(catcher.url);
    catcher.refuse(mode);
    await expect(transport.sendMail(mail)).rejects.toMatchObject({ responseCode });
    catcher.refuse("none");
    await transport.sendMail({ ...mail, subject: "second" });
    expect(catcher.mails.map(({ subject }) => subject)).toEqual(["second"]);
  },
);

test("a wait that times out names the address", async () => {
  await expect(catcher.waitForMail("nobody@example.com", { timeoutMs: 30 })).rejects.toThrow(
    "a mail to nobody@example.com",
  );
});
