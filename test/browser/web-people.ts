import { adminStatements, type LatchkeyConfig } from "@latchkey/contracts";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { adminConfig, setRole } from "../contract/admin-people.ts";
import { password, type SignedUp, signUp } from "../contract/identity-people.ts";
import type { Stack } from "../stack.ts";

const everything = Object.fromEntries(
  Object.entries(adminStatements).map(([resource, actions]) => [resource, [...actions]]),
);

/** A role with some permissions on users. Admins have all of them. */
const clerk = { user: ["list", "ban", "impersonate", "update"], session: ["list", "revoke"] };

/** Admins have every permission, clerks have some, and support may only read users. */
export const webConfig = {
  ...adminConfig,
  admin: { roles: { admin: everything, support: { user: ["list"] }, clerk, user: {} } },
} satisfies LatchkeyConfig;

/** Signs the browser of a page in as an existing user, with that user's own requests. */
export const signIn = async (page: Page, stack: Stack, { email }: SignedUp): Promise<void> => {
  const answer = await page.request.post(`${stack.url}/sign-in/email`, {
    headers: { origin: stack.origin },
    data: { email, password },
  });
  expect(answer.status()).toBe(200);
};

/** Creates a user with a role, and signs the browser of a page in as that user. */
export const signInAs = async (page: Page, stack: Stack, role: string): Promise<SignedUp> => {
  const person = await signUp(stack);
  await setRole(stack, person.user.id, role);
  await signIn(page, stack, person);
  return person;
};

export const signInAsAdmin = (page: Page, stack: Stack): Promise<SignedUp> =>
  signInAs(page, stack, "admin");
