import { describe, expect, test } from "vitest";
import { comparableEmail, emailSearchTerm, normalizeEmail, showEmail } from "./email-address.ts";
import { emailAddress } from "./email-schemas.ts";

test.each([
  ["a'b@c.co", "a'b@c.co"],
  ["a+b@c.co", "a+b@c.co"],
  ["a&b@c.co", "a&b@c.co"],
  ["a=b@c.co", "a=b@c.co"],
  ["a%b@c.co", "a%b@c.co"],
  ["a!b@c.co", "a!b@c.co"],
  ["a/b@c.co", "a/b@c.co"],
  ["#$*?^_`{|}~-@c.co", "#$*?^_`{|}~-@c.co"],
  ["a@c-.co", "a@c-.co"],
  ["A.B@EX-ample.Com", "a.b@ex-ample.com"],
  [" a@c.co\n", "a@c.co"],
  ["\u00a0a@c.co", "a@c.co"],
  ["ada@müller.example", "ada@xn--mller-kva.example"],
  ["ada@MU\u0308LLER.example", "ada@xn--mller-kva.example"],
  ["ada@例え。テスト", "ada@xn--r8jz45g.xn--zckzah"],
  ["ada@почта.рф", "ada@xn--80a1acny.xn--p1ai"],
  ["ada@xn--mller-kva.example", "ada@xn--mller-kva.example"],
])("%j is the address %s, which is the same when it is normalized again", (given, email) => {
  expect(normalizeEmail(given)).toBe(email);
  expect(normalizeEmail(email)).toBe(email);
  expect(emailAddress.parse(given)).toBe(email);
});

test.each([
  "a@b",
  "a@b.c",
  "a@c.99",
  "a@c.c0",
  "a@0x7f.0x1",
  "a@[1.2.3.4]",
  "é@c.co",
  "\u212a@c.co",
  "a b@c.co",
  "a@b@c.co",
  "a@c.co/path",
  "a@c.co:80",
  "a@c%2eco",
  "a@b\tc.co",
  "a@a／b.co",
  '"a"@c.co',
  "a(b)@c.co",
  "a,b@c.co",
  ".a@c.co",
  "a.@c.co",
  "a..b@c.co",
  "@c.co",
  "a@",
  "",
  `${"a".repeat(320)}@c.co`,
  undefined,
  null,
  7,
  ["a@c.co"],
])("%j is not an address", (value) => {
  expect(normalizeEmail(value)).toBeUndefined();
  expect(emailAddress.safeParse(value).success).toBe(false);
});

test("text that is no address compares without blanks and in lower case", () => {
  expect(comparableEmail(" Ada@Müller.example ")).toBe("ada@xn--mller-kva.example");
  expect(comparableEmail(" Ada@ ")).toBe("ada@");
});

test.each([
  [" Ada ", "ada"],
  ["@MÜLLER.example", "@xn--mller-kva.example"],
  ["müller.example", "xn--mller-kva.example"],
  ["@mül", "@mül"],
  ["Mu\u0308ller", "müller"],
])("a search for %j looks for %s in addresses", (given, term) => {
  expect(emailSearchTerm(given)).toBe(term);
});

describe("an address for people", () => {
  test.each([
    "ada@müller.example",
    "ada@例え.テスト",
    "ada@abc会社.example",
    "ada@почта.рф",
    "ada@παράδειγμα.example",
    "ada@😀.example",
    "ada@bücher-und-größen.straße.example",
    "ada@example.com",
  ])("shows the domain of %s in Unicode", (shown) => {
    expect(showEmail(normalizeEmail(shown) ?? "")).toBe(shown);
  });

  // Attack: a letter of another script looks like the Latin one.
  test.each(["ada@pаypal.example", "ada@аррӏе.com", "ada@gооgle.example", "ada@gօօgle.example"])(
    "shows the deceptive domain of %s in ASCII",
    (given) => {
      const email = normalizeEmail(given) ?? "";
      expect(email).toMatch(/^ada@xn--/);
      expect(showEmail(email)).toBe(email);
    },
  );

  // `URL` in Node accepts the last ones, so anybody can sign up with them.
  test.each([
    "",
    "ada",
    "ada@xn--a.example",
    "ada@xn--.example",
    "ada@xn--so763vfk.com",
    "ada@xn--99999999999.com",
  ])("leaves %j as it is", (text) => {
    expect(showEmail(text)).toBe(text);
  });
});
