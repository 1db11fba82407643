import { adminStatements, type LatchkeyConfig } from "@latchkey/contracts";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { serviceConfig } from "../harness/operations.ts";
import type { System } from "../harness/start-system.ts";
import { password, setRole, signUp, type TestUser } from "../harness/users.ts";

const everything = Object.fromEntries(
  Object.entries(adminStatements).map(([resource, actions]) => [resource, [...actions]]),
);

/** A role with some permissions on users. Admins have all of them. */
const clerk = { user: ["list", "ban", "impersonate", "update"], session: ["list", "revoke"] };

/** Admins have every permission, clerks have some, and support may only read users. */
export const webConfig = {
  ...serviceConfig,
  admin: { roles: { admin: everything, support: { user: ["list"] }, clerk, user: {} } },
} satisfies LatchkeyConfig;

/** Signs the browser of a page in as an existing user, with that user's own requests. */
export const signIn = async (page: Page, system: System, { email }: TestUser): Promise<void> => {
  const answer = await page.request.post(`${system.url}/sign-in/email`, {
    headers: { origin: system.origin },
    data: { email, password },
  });
  expect(answer.status()).toBe(200);
};

/** Chooses an action in the menu of a row of the account web. */
export const chooseAction = async (page: Page, name: string, action: string): Promise<void> => {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
};

/** Signs out in the account web. */
export const signOut = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
};

/** Creates a user with a role, and signs the browser of a page in as that user. */
export const signInAs = async (page: Page, system: System, role: string): Promise<TestUser> => {
  const person = await signUp(system);
  await setRole(system, person.user.id, role);
  await signIn(page, system, person);
  return person;
};

export const signInAsAdmin = (page: Page, system: System): Promise<TestUser> =>
  signInAs(page, system, "admin");
