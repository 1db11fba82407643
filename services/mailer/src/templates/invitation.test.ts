import { describe, expect, test } from "vitest";
import { plainWording } from "./plain-wording.fixture.ts";
import { invitationMail } from "./link-mails.ts";

const url = "https://app.example.com/accept-invitation/i1?email=ada%40example.com&from=mail";
const mailOf = (
  given: { organization?: string; inviter?: string; inviterEmail?: string; appName?: string } = {},
) =>
  invitationMail(plainWording("en", given.appName ?? "Example"), {
    invitationId: "i1",
    email: "ada@example.com",
    organizationName: given.organization ?? "Acme",
    inviterName: given.inviter ?? "Grace",
    inviterEmail: given.inviterEmail ?? "grace@example.com",
    url,
    expiresAt: "2030-01-02T03:04:05.000Z",
  });

test("names the inviter, the organization and the expiry, and contains the link in both bodies", () => {
  const mail = mailOf();
  expect(mail.subject).toBe("Join Acme at Example");
  expect(mail.link).toBe(url);
  expect(mail.text).toContain("Hello,\n");
  expect(mail.text).toContain("Grace (grace@example.com) invites you to join Acme at Example.");
  expect(mail.text).toContain("2 January 2030 at 03:04 UTC");
  expect(mail.text).toContain(`\n${url}\n`);
  expect(mail.html).toContain(`href="${url.replace("&", "&amp;")}"`);
});

test("shows the domain of the inviter's email in Unicode", () => {
  const mail = mailOf({ inviterEmail: "grace@xn--mller-kva.example" });
  expect(mail.text).toContain("Grace (grace@müller.example) invites you");
});

test("allows punctuation in an organization's name and escapes it in the HTML", () => {
  const mail = mailOf({ organization: "O'Hara & Sons, Ltd. (Europe)" });
  expect(mail.subject).toBe("Join O'Hara & Sons, Ltd. (Europe) at Example");
  expect(mail.html).toContain("O&#39;Hara &amp; Sons, Ltd. (Europe)");
});

/** Attack: the "name" of an organization or an inviter puts a stranger's words into mails to any address. */
describe.each([
  ["a host name", "Win at evil.example"],
  ["a URL", "https://evil/win"],
  ["a telephone number", "Account locked call 0800 555 0100"],
  ["HTML", "<b>evil</b>"],
  ["a line break that starts a header", "Acme\r\nBcc: eve@evil"],
  ["a bidirectional mark", "Acme\u202Elive"],
  ["more than a name's length", "evil ".repeat(20)],
])("%s as a name is left out", (_what, name) => {
  test("of an organization", () => {
    const mail = mailOf({ organization: name });
    expect(mail.subject).toBe("Join an organization at Example");
    expect(mail.text).toContain("invites you to join an organization at Example.");
    expect(mail.text + mail.html).not.toContain(name);
  });

  test("of an inviter", () => {
    const mail = mailOf({ inviter: name });
    expect(mail.text).toContain("\n\ngrace@example.com invites you to join Acme");
    expect(mail.text + mail.html).not.toContain(name);
  });
});

test("escapes the product's name in the HTML", () => {
  expect(mailOf({ appName: "<script>x</script>" }).html).not.toContain("<script>");
});
