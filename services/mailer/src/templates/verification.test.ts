import { describe, expect, test } from "vitest";
import { plainWording } from "./plain-wording.fixture.ts";
import { verificationMail } from "./link-mails.ts";

const url = "https://auth.example.com/api/auth/verify-email?token=a.b.c&callbackURL=%2Fhome";
const mailTo = (name: string, appName = "Latchkey") =>
  verificationMail(plainWording("en", appName), {
    userId: "u1",
    email: "ada@example.com",
    name,
    url,
  });
const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

test("contains the link in both bodies, escaped in the HTML", () => {
  const mail = mailTo("Ada");
  expect(mail.link).toBe(url);
  expect(mail.text).toContain(`\n${url}\n`);
  expect(mail.html).toContain(`href="${url.replace("&", "&amp;")}"`);
  expect(mail.html).not.toContain(url);
});

test("names the user and advises what to do if the mail was not requested", () => {
  const mail = mailTo("Ada", "Example");
  expect(mail.subject).toBe("Verify your email for Example");
  expect(mail.text).toContain("If you did not ask for this, you can ignore this mail.");
});

test.each([
  ["Ada"],
  ["Ada King-Noel"],
  ["Dr. Ada King"],
  ["J.R. King"],
  ["D'Arcy"],
  ["D’Arcy"],
  ["Zoë Åström"],
  ["Жанна"],
  ["李小龍"],
  ["सीता देवी"],
  ["Louis 14"],
])("greets %s by name", (name) => {
  expect(firstLine(mailTo(name).text)).toBe(`Hello ${name},`);
});

test("trims white space around a name", () => {
  expect(firstLine(mailTo("  Ada \n").text)).toBe("Hello Ada,");
});

/** Attack: an attacker signs up somebody else's address with a "name" that contains a message. */
describe("leaves out a name that could carry a stranger's message or link", () => {
  test.each([
    ["nothing", ""],
    ["blanks", " \t "],
    ["a URL", "https://evil.example/win"],
    ["a URL without its scheme", "evil.example/win"],
    ["a host name", "evil.com"],
    ["a host name among words", "Claim your prize at evil.com now"],
    ["a host name whose label ends in a digit", "prize2.com"],
    ["a host name of digits", "Win at 4711.com"],
    ["a host name with a digit in its top label", "evil.c0m"],
    ["a host name with a combining mark", "cafe\u0301.com"],
    ["a host name with its port", "evil.com:8080"],
    ["an address", "eve@evil.example"],
    ["a link in Markdown", "[win](evil.example)"],
    ["a telephone number", "Your account is locked, call +1 555 0100"],
    ["a telephone number in plain digits", "Account locked call 0800 555 0100"],
    ["an exclamation", "You have won!"],
    ["several lines", "Ada\n\nYour account is locked"],
    ["HTML", "<b>Ada</b>"],
    ["a line break that starts a header", "Ada\r\nBcc: eve@evil.example"],
    ["a null byte", "Ada\0"],
    ["a bidirectional mark", "Ada\u202Emoc.live"],
    ["more than a name's length", "A".repeat(65)],
  ])("%s", (_what, name) => {
    const mail = mailTo(name);
    expect(firstLine(mail.text)).toBe("Hello,");
    expect(mail.html).toContain(">Hello,</p>");
    if (name.trim() !== "" && !name.startsWith("Ada")) expect(mail.html).not.toContain(name);
  });
});

test.each([
  ["an element", "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
  ["quotes", `"'`, "&quot;&#39;"],
  ["an entity", "&lt;", "&amp;lt;"],
])("escapes %s in the product's name in the HTML", (_what, appName, escaped) => {
  const { html } = mailTo("Ada", appName);
  expect(html).toContain(`your email for ${escaped}.`);
  expect(html).not.toContain(`for ${appName}.`);
});

test("keeps a link inside its attribute", () => {
  const hostile = `https://example.com/"' onclick='alert(1)'><img src=x>`;
  const { html } = verificationMail(plainWording("en", "Latchkey"), {
    userId: "u1",
    email: "ada@example.com",
    name: "Ada",
    url: hostile,
  });
  expect(html).not.toContain("<img");
  expect(html).toContain(
    'href="https://example.com/&quot;&#39; onclick=&#39;alert(1)&#39;&gt;&lt;img',
  );
});
