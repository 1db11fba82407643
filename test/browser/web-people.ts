import { adminStatements, type LatchkeyConfig } from "@latchkey/contracts";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { adminConfig, setRole } from "../contract/admin-people.ts";
import { password, type SignedUp, signUp } from "../contract/identity-people.ts";
import type { Stack } from "../stack.ts";

const everything = Object.fromEntries(
  Object.entries(adminStatements).map(([resource, actions]) => [resource, [...actions]]),
);

/** Besides admins there are people of a role that may look at users, and at nothing else. */
export const webConfig = {
  ...adminConfig,
  admin: { roles: { admin: everything, support: { user: ["list"] }, user: {} } },
} satisfies LatchkeyConfig;

/** Signs the browser of a page in as somebody who has signed up, as their own browser would. */
export const signIn = async (page: Page, stack: Stack, { email }: SignedUp): Promise<void> => {
  const answer = await page.request.post(`${stack.url}/sign-in/email`, {
    headers: { origin: stack.origin },
    data: { email, password },
  });
  expect(answer.status()).toBe(200);
};

/** Somebody new of a role, in whose name the browser of a page is signed in. */
export const signInAs = async (page: Page, stack: Stack, role: string): Promise<SignedUp> => {
  const person = await signUp(stack);
  await setRole(stack, person.user.id, role);
  await signIn(page, stack, person);
  return person;
};

export const signInAsAdmin = (page: Page, stack: Stack): Promise<SignedUp> =>
  signInAs(page, stack, "admin");
