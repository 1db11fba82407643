import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { serviceConfig } from "../harness/operations.ts";
import { password, signUp } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { signInAsAdmin } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");

const { system, openPage, url } = webTests({
  config: { ...serviceConfig, oauthProvider: { enabled: true } },
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });

/** Signs a new user in to a client, by the pages that the client leads to. */
const useClient = async (client_id: string, redirect_uri: string) => {
  const person = await signUp(system());
  const page = await openPage({});
  const request = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri,
    scope: "openid email",
    code_challenge: "c".repeat(43),
    code_challenge_method: "S256",
  });
  await page.goto(`${system().url}/oauth2/authorize?${request.toString()}`);
  await page.getByLabel("Email or username").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(/\/ok\?.*code=/);
  return person;
};

test("an admin creates a client, replaces its secret, sees its users and ends it", async () => {
  const redirectUri = `${system().url}/ok`;
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url("/"));
  await page.getByRole("link", { name: "Clients" }).click();
  await page.getByText("No clients yet").waitFor();
  await button(page, "Create client").click();
  const form = dialog(page, "Create client");
  await form.getByRole("button", { name: "Create client" }).click();
  await form.getByText("Enter a name.").waitFor();
  await form.getByText("Enter at least one address, each on its own line.").waitFor();
  await form.getByLabel("Name").fill("Grafana");
  await form.getByLabel("Redirect URIs").fill("http://elsewhere.example.com/");
  await form.getByRole("checkbox", { name: "profile" }).click();
  await form.getByRole("button", { name: "Create client" }).click();
  await form.getByText(/must be https/).waitFor();
  await form.getByLabel("Redirect URIs").fill(`https://grafana.example.com/login\n${redirectUri}`);
  await lookWideAndNarrow(page, "client-create");
  await form.getByRole("button", { name: "Create client" }).click();
  const created = dialog(page, "Client created");
  expect(await created.getByLabel("Client secret").inputValue()).toMatch(/^lk_cs_/);
  await page.keyboard.press("Escape");
  await created.getByText("You have not copied the secret.").waitFor();
  await created.getByRole("link", { name: "View client" }).click();
  await page.getByRole("heading", { name: "Grafana", level: 1 }).waitFor();
  const clientId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await page.getByText("openid").waitFor();
  expect(await page.getByText("profile", { exact: true }).count()).toBe(0);

  await button(page, "Rotate secret").click();
  await dialog(page, "Rotate secret").getByRole("button", { name: "Rotate secret" }).click();
  const rotated = dialog(page, "New secret created");
  await rotated.getByRole("button", { name: "Copy secret" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByText(/The former secret works until/).waitFor();
  await lookWideAndNarrow(page, "client");
  await button(page, "End it now").click();
  await page.getByText("The former secret has ended.").waitFor();
  await expect.poll(() => page.getByText(/The former secret works until/).count()).toBe(0);

  const person = await useClient(clientId, redirectUri);
  await page.getByRole("tab", { name: "Users" }).click();
  const users = page.getByRole("grid", { name: "users" });
  await users.getByText(person.email).waitFor();
  await users.getByText("openid email").or(users.getByText("email openid")).first().waitFor();
  await lookWideAndNarrow(page, "client-users");
  await page.goto(url(`/users/${person.user.id}?tab=access`));
  const applications = page.getByRole("grid", { name: "clients" });
  await applications.getByRole("link", { name: "Grafana" }).click();
  await page.getByRole("tab", { name: "Users" }).click();
  await button(page, "Withdraw access of all").click();
  const withdrawal = page.getByRole("alertdialog");
  await withdrawal.getByRole("textbox").fill("Grafana");
  await withdrawal.getByRole("button", { name: "Withdraw access of all" }).click();
  await page.getByText("Access to 1 user withdrawn.").waitFor();
  await page.getByText("No users yet").waitFor();

  await button(page, "Edit").click();
  const edit = dialog(page, "Edit client");
  await edit.getByRole("checkbox", { name: "Do not ask users for consent" }).click();
  await edit.getByRole("button", { name: "Save" }).click();
  await page.getByText("Client saved.").waitFor();
  await page.getByText("Trusted", { exact: true }).waitFor();
  await button(page, "Disable").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disable" }).click();
  await page.getByText("Client disabled.").waitFor();
  await button(page, "Enable").click();
  await page.getByText("Client enabled.").waitFor();
  await page.getByRole("link", { name: "Clients" }).first().click();
  const row = page.getByRole("grid", { name: "clients" }).locator("tbody > tr");
  await row.filter({ hasText: "Grafana" }).waitFor();
  await lookWideAndNarrow(page, "clients");
  await row.getByRole("link", { name: "Grafana" }).click();
  await button(page, "Delete").click();
  const deletion = page.getByRole("alertdialog");
  await deletion.getByRole("textbox").fill("Grafana");
  await deletion.getByRole("button", { name: "Delete client" }).click();
  await page.getByText("No clients yet").waitFor();
});
