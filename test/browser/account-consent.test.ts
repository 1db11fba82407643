import { operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { password, signUp, signUpAs } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");

const { system, openPage, accountUrl } = webTests({
  config: { ...serviceConfig, oauthProvider: { enabled: true }, multiSession: { enabled: true } },
});

/** Registers a client that is on this machine, and returns the address that begins a sign-in to it. */
const beginningOf = async (client_name: string): Promise<string> => {
  const redirect_uri = `${system().url}/ok`;
  const { client_id } = await expectOk(
    callOperation<{ client_id: string }>(
      await signUpAs(system(), "admin"),
      operations.oauth.createOauthClient,
      { body: { client_name, redirect_uris: [redirect_uri], require_pkce: false } },
    ),
  );
  const request = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri,
    scope: "openid profile email offline_access",
    state: "a state",
  });
  return `${system().url}/oauth2/authorize?${request.toString()}`;
};

test("a user signs in, sees what an application asks for, and allows or denies it", async () => {
  const person = await signUp(system());
  const beginning = await beginningOf("Grafana");
  const page = await openPage();
  await page.goto(beginning);
  await page.getByLabel("Email or username").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Allow Grafana to use your account?" }).waitFor();
  await page.getByText(new URL(system().origin).host).waitFor();
  await page.getByText(person.email).waitFor();
  const scopes = page.getByRole("list", { name: "What the application may do" });
  expect(await scopes.getByRole("listitem").allInnerTexts()).toEqual([
    "Know who you are here",
    "See your name, username and picture",
    "See your email",
    "Stay signed in while you are away",
  ]);
  await page.getByText("It runs on this device.").waitFor();
  await lookWideAndNarrow(page, "consent");
  await page.getByRole("button", { name: "Deny" }).click();
  await page.waitForURL(/\/ok\?.*error=access_denied/);
  await page.goto(beginning);
  await page.getByRole("link", { name: "Use another account" }).click();
  await page.getByRole("heading", { name: "Choose an account" }).waitFor();
  await page.getByRole("link", { name: "Use another account" }).click();
  const other = await signUp(system());
  await page.getByLabel("Email or username").fill(other.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText(other.email).waitFor();
  await page.getByRole("link", { name: "Use another account" }).click();
  await page.getByRole("button", { name: person.email }).click();
  await page.getByText(person.email).waitFor();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(/\/ok\?.*code=/);

  await page.goto(accountUrl("/"));
  await page.getByRole("link", { name: "Applications" }).click();
  await page.getByRole("heading", { name: "Grafana" }).waitFor();
  await page.getByText("Stay signed in while you are away").waitFor();
  await lookWideAndNarrow(page, "applications");
  await page.getByRole("button", { name: "Withdraw access" }).click();
  await page
    .getByRole("dialog", { name: "Withdraw the access of Grafana?" })
    .getByRole("button", { name: "Withdraw access" })
    .click();
  await page.getByText("No applications").waitFor();
  await lookWideAndNarrow(page, "applications-none");
  await page.goto(beginning);
  await page.getByRole("heading", { name: "Allow Grafana to use your account?" }).waitFor();
});
