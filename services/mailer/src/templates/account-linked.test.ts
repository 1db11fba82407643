import { expect, test } from "vitest";
import { plainWording } from "./plain-wording.fixture.ts";
import { accountLinkedMail } from "./security-notices.ts";

const mailOf = (given: { name?: string; provider?: string; appName?: string } = {}) =>
  accountLinkedMail(plainWording("en", given.appName ?? "Example"), {
    userId: "u1",
    email: "ada@example.com",
    name: given.name ?? "Ada",
    provider: given.provider ?? "Google",
  });

test("names the provider and the user, and advises what to do about a stranger's account", () => {
  const mail = mailOf();
  expect(mail.subject).toBe("An account at Google was linked");
  expect(mail.text).toMatch(/^Hello Ada,\n\nAn account at Google was linked to your .* at Example/);
  for (const body of [mail.text, mail.html]) {
    expect(body).toContain("change your password at Example");
    expect(body).toContain("unlink the account at Google");
  }
});

/** Attack: mails that train users to follow links. Users in doubt open the product themselves. */
test("contains no link", () => {
  const mail = mailOf();
  expect(mail.link).toBeUndefined();
  expect(mail.text + mail.html).not.toMatch(/href|:\/\//);
});

/** Attack: a "name" that puts a stranger's words into our mail. */
test("leaves out a name that could carry a link", () => {
  const mail = mailOf({ name: "win at evil.example" });
  expect(mail.text + mail.html).not.toContain("evil.example");
});

test.each(["provider", "appName"])("escapes the %s in the HTML", (which) => {
  const { html } = mailOf({ [which]: `<b>"&'</b>` });
  expect(html).toContain("&lt;b&gt;&quot;&amp;&#39;&lt;/b&gt;");
  expect(html).not.toContain("<b>");
});
