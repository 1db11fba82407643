import { operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { password, signUp, signUpAs } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { webTests } from "./web-tests.ts";
import { signIn } from "./web-users.ts";

expectNoLeaks("file");

const { system, openPage, accountUrl } = webTests({
  config: {
    ...serviceConfig,
    oauthProvider: { enabled: true },
    multiSession: { enabled: true },
    deviceAuthorization: { enabled: true, clients: [{ id: "our-tv", name: "Our television" }] },
  },
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

/** Begins the sign-in of a device and returns the code that it shows. */
const startDevice = async (): Promise<string> => {
  const response = await fetch(`${system().url}/device/code`, {
    method: "POST",
    headers: { "user-agent": "television/1.0" },
    body: new URLSearchParams({ client_id: "our-tv", device_name: "The living room" }),
  });
  return ((await response.json()) as { user_code: string }).user_code;
};

/** Enters codes of devices: a wrong one, one that is allowed, and one that is denied. */
const allowAndDenyDevices = async (page: Page): Promise<void> => {
  const enter = async (code: string) => {
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Continue" }).click();
  };
  await page.goto(accountUrl("/device"));
  await lookWideAndNarrow(page, "device-code");
  await enter("AAAA-AAAA");
  await page.getByText("That is not the code of a waiting device.").waitFor();
  const code = await startDevice();
  await enter(code.toLowerCase());
  await page.getByRole("heading", { name: "Let Our television sign in?" }).waitFor();
  await page.getByText(code).waitFor();
  await page.getByText("The living room").waitFor();
  await page.getByText("television/1.0").waitFor();
  await page.getByText("Everything that you can do in your account").waitFor();
  await lookWideAndNarrow(page, "device");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "The device is signed in" }).waitFor();
  await page.goto(accountUrl(`/device?user_code=${await startDevice()}`));
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("heading", { name: "The device was refused" }).waitFor();
};

/** Signs out because an application asks for it. */
const logOut = async (page: Page): Promise<void> => {
  await page.goto(`${system().url}/oauth2/end-session`);
  await page.getByRole("heading", { name: "Sign out?" }).waitFor();
  await lookWideAndNarrow(page, "log-out");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  await page.goto(accountUrl("/profile"));
  await page.waitForURL(/sign-in/);
};

test("a user signs in, sees what an application asks for, allows or denies it, and withdraws it", async () => {
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

test("a user allows or denies devices, and signs out because an application asks", async () => {
  const page = await openPage();
  await signIn(page, system(), await signUp(system()));
  await allowAndDenyDevices(page);
  await logOut(page);
  await page.goto(`${await beginningOf("Grafana")}&ui_locales=de`);
  await page.getByRole("button", { name: "Anmelden", exact: true }).waitFor();
});
