import { expect, test } from "vitest";
import { allOperations, operations } from "./operations.ts";
import { auditedServices } from "./service-name.ts";

test("each operation is registered under its own name, with its owner", () => {
  for (const [owner, owned] of Object.entries(operations))
    for (const [name, declared] of Object.entries(owned))
      expect([declared.name, declared.owner]).toEqual([name, owner]);
});

test("no two operations of one exposure share a method and path", () => {
  const places = allOperations.map(({ exposure, method, path }) => `${exposure} ${method} ${path}`);
  expect(new Set(places).size).toBe(places.length);
});

test("each service with an audit log has an operation that reads it", () => {
  for (const name of auditedServices)
    expect(allOperations.map(({ owner, path }) => `${owner} ${path}`)).toContain(
      `${name} /admin/audit/${name}`,
    );
});

test("every redirect URL that an operation declares is part of its input", () => {
  for (const declared of allOperations) {
    const input = declared.method === "GET" ? declared.query : declared.body;
    for (const field of declared.redirects ?? []) expect(input?.shape).toHaveProperty(field);
  }
});

test("an operation that shares calls can be repeated, and has no path parameters and no redirects", () => {
  const shared = allOperations.filter(({ sharesCalls }) => sharesCalls);
  expect(shared.length).toBeGreaterThan(0);
  for (const { repeatable, params, mayRedirect, mailedLink } of shared)
    expect({ repeatable, params, mayRedirect, mailedLink }).toEqual({ repeatable: true });
});

/** A HEAD of these creates a token or challenge that nobody receives, or is recorded as the read that it is. */
const harmlessByHead = new Set([
  "generateOneTimeToken",
  "returnToApplication",
  "readAccountInfo",
  "generateRegisterOptions",
  "generateAuthenticateOptions",
  "adminGetDelivery",
]);

test("each public GET is repeatable, works once by declaration, or is harmless by HEAD", () => {
  for (const { name, exposure, method, ...operation } of allOperations) {
    if (exposure !== "public" || method !== "GET") continue;
    const { repeatable, mailedLink, worksOnce } = operation;
    const isDecided = repeatable ?? mailedLink ?? worksOnce ?? harmlessByHead.has(name);
    expect([name, isDecided]).toEqual([name, true]);
  }
});

test("every operation that takes a password declares whether it checks or sets it", () => {
  for (const { body, name, password } of allOperations) {
    const takesPassword = Object.keys(body?.shape ?? {}).some((field) => /password/i.test(field));
    expect([name, password !== undefined]).toEqual([name, takesPassword]);
  }
});

/**
 * These fields name an account, and no mail is sent to them, or only after the account's password was verified. The contact of a webhook gets
 * one mail at most for each pause.
 */
const mailsNobodyElse = [
  "signInEmail",
  "signInEmailOtp",
  "verifyEmailOtp",
  "checkVerificationOtp",
  "resetPasswordOtp",
  "adminCreateUser",
  "completeFirstRun",
  "removeMember",
  "adminCreateWebhook",
  "adminUpdateWebhook",
  "createOrganizationWebhook",
  "updateOrganizationWebhook",
];

test("every operation that takes an address declares that it mails it, or is listed here", () => {
  const silent = allOperations.filter(
    ({ body, exposure, mailsOthers }) =>
      exposure === "public" &&
      !mailsOthers &&
      Object.keys(body?.shape ?? {}).some((field) => /e-?mail/i.test(field)),
  );
  expect(silent.map(({ name }) => name)).toEqual(mailsNobodyElse);
});

test("creating an organization for another user accepts the user's id as a bounded text or a number", () => {
  const { body } = operations.organization.createOrganizationFor;
  const read = (userId: unknown) => body.safeParse({ name: "Acme", slug: "acme", userId });
  for (const userId of ["u".repeat(255), 7])
    expect(read(userId)).toMatchObject({ success: true, data: { userId: String(userId) } });
  for (const userId of ["u".repeat(256), "u\0"]) expect(read(userId).success).toBe(false);
});
