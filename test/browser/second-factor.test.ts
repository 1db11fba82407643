import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { enableApp } from "../harness/second-factor.ts";
import { signUp } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url, accountUrl } = webTests({
  config: {
    ...webConfig,
    // A session that began before the second factor was turned on lives on, and lacks its proof.
    twoFactor: { revokeOtherSessions: false },
  },
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Opens the window that asks for a proof. */
const openProof = async (page: Page): Promise<Page> => {
  const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
  await dialog.getByText("Confirm it in a new window.").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "step-up"));
  const opening = page.waitForEvent("popup");
  await dialog.getByRole("button", { name: "Continue" }).click();
  return opening;
};

const confirm = async (proof: Page, code: string) => {
  const field = proof.getByLabel("Authenticator code");
  await field.waitFor();
  await matrixStep(() => lookWideAndNarrow(proof, "step-up-window"));
  const closed = proof.waitForEvent("close");
  await field.fill(code);
  await closed;
};

matrixTest("an action that lacks a proof asks for a code in a window", async () => {
  const page = await openPage();
  const admin = await signInAsAdmin(page, system());
  const app = await enableApp(admin);
  const { user } = await signUp(system());
  await page.goto(url(`/users/${user.id}?do=impersonate`));
  await page.getByRole("textbox", { name: "Reason" }).fill("ticket 4711");
  await button(page, "Impersonate").click();
  const proof = await openProof(page);
  // So long after the click, browsers block another window.
  await page.evaluate("window.open = () => null");
  await confirm(proof, app.codeAt(0));
  await page.getByRole("link", { name: "Open as Ada" }).waitFor();
});

/** Attack: the window proves the session of the impersonated user, and the admin's own goes without. */
test("a proof during an impersonation is that of the admin", async () => {
  const page = await openPage();
  const admin = await signInAsAdmin(page, system());
  const [person, other] = [await signUp(system()), await signUp(system())];
  await page.request.post(`${system().url}/admin/impersonate-user`, {
    headers: { origin: system().origin },
    data: { userId: person.user.id },
  });
  const app = await enableApp(admin);
  await page.goto(url(`/users/${other.user.id}?do=ban`));
  await page.getByRole("dialog").getByRole("button", { name: "Ban" }).click();
  await confirm(await openProof(page), app.codeAt(0));
  await page.getByText("banned and signed out everywhere.").waitFor();
});

matrixTest("an admin without a second factor is warned, and led to the account web", async () => {
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url("/"));
  const opening = page.waitForEvent("popup");
  await page.getByRole("link", { name: "Set up an authenticator app" }).click();
  const account = await opening;
  await account.waitForURL(accountUrl("/security?session=own"));
  await button(account, "Set up an app").waitFor();
});

matrixTest(
  "a bulk action asks once for a proof that its rows lack, and then runs on all of them",
  async () => {
    const people = await Promise.all([signUp(system()), signUp(system())]);
    const page = await openPage();
    const admin = await signInAsAdmin(page, system());
    const app = await enableApp(admin);
    await page.goto(url("/users"));
    for (const { email } of people)
      await page.getByRole("checkbox", { name: `Select ${email}` }).click();
    await button(page, "Ban").click();
    await page.getByRole("dialog").getByRole("button", { name: "Ban" }).click();
    await confirm(await openProof(page), app.codeAt(0));
    await page.getByText("2 of 2 done").waitFor();
  },
);

matrixTest("a page that no window waits for leads back after the proof", async () => {
  const page = await openPage();
  const admin = await signInAsAdmin(page, system());
  const app = await enableApp(admin);
  await page.goto(accountUrl("/confirm?requires=second-factor&redirect_to=%2Fadmin%2Fusers"));
  await page.getByLabel("Authenticator code").fill(app.codeAt(0));
  await page.waitForURL(url("/users"));
  expect(await page.getByRole("alert").count()).toBe(0);
});
