import { expectNoLeaks, freePort } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newAuthenticator, registerPasskey } from "../harness/passkeys.ts";
import { signUp } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
// The origin of passkeys contains the port, so it must be known before the start.
const { system, openPage, url } = webTests({
  config: webConfig,
  hostname: "localhost",
  topology: "one process",
  replicas: 1,
  environment: async () => ({ PORT: String(await freePort()) }),
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("an admin removes a passkey of a user", async () => {
  const person = await signUp(system());
  await registerPasskey(person.browser, newAuthenticator(system()), "Lost phone");
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url(`/users/${person.user.id}?tab=security`));
  await page.getByRole("heading", { name: "Passkeys (1)" }).waitFor();
  await button(page, "Remove Lost phone").click();
  await expectAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove passkey" }).click();
  await page.getByText("No passkeys").waitFor();
  const answer = await person.browser.get("/passkey/list-user-passkeys");
  expect(await answer.json()).toEqual([]);
});
