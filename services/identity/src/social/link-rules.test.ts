import { expect, test } from "vitest";
import { isAddressAllowed, mayLink, mayLinkByAddress } from "./link-rules.ts";

const options = { enabled: true, disableImplicitLinking: false, requireLocalEmailVerified: true };
const y = true;
const n = false;

/** Verified here, verified there, trusted; then the result by default, and if the local verification is not required. */
const implicit: [boolean, boolean, boolean, boolean, boolean][] = [
  [n, n, n, n, n],
  [n, n, y, n, y],
  [n, y, n, n, y],
  [n, y, y, n, y],
  [y, n, n, n, n],
  [y, n, y, y, y],
  [y, y, n, y, y],
  [y, y, y, y, y],
];

test.each(implicit)(
  "verified here %s, verified there %s, trusted %s: a sign-in links %s, %s without required verification here",
  (isVerifiedHere, isVerifiedThere, isTrusted, expected, whereWaived) => {
    const facts = { isVerifiedHere, isVerifiedThere, isTrusted };
    expect(mayLinkByAddress(options, facts)).toBe(expected);
    const waived = { ...options, requireLocalEmailVerified: false };
    expect(mayLinkByAddress(waived, facts)).toBe(whereWaived);
    expect(mayLinkByAddress({ ...waived, enabled: false }, facts)).toBe(false);
    expect(mayLinkByAddress({ ...waived, disableImplicitLinking: true }, facts)).toBe(false);
  },
);

test.each([
  [n, n, n],
  [n, y, y],
  [y, n, y],
  [y, y, y],
])(
  "trusted %s, verified there %s: a signed-in user may link %s",
  (isTrusted, isVerifiedThere, expected) => {
    expect(mayLink({ enabled: true }, { isTrusted, isVerifiedThere })).toBe(expected);
    expect(mayLink({ enabled: false }, { isTrusted, isVerifiedThere })).toBe(false);
  },
);

test("compares addresses case-insensitively, and allows different ones only by option", () => {
  const [strict, lax] = [{ allowDifferentEmails: false }, { allowDifferentEmails: true }];
  expect(isAddressAllowed(strict, "Ada@Example.com", "ada@example.COM")).toBe(true);
  expect(isAddressAllowed(strict, "ada@example.com", "bob@example.com")).toBe(false);
  expect(isAddressAllowed(lax, "ada@example.com", "bob@example.com")).toBe(true);
});
