import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { matrixStep } from "../harness/matrix.ts";
import { signUp } from "../harness/users.ts";
import { signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({
  config: {
    ...webConfig,
    apiKey: { enabled: false },
    organization: { enabled: false },
    webhooks: { enabled: false },
  },
});

test("shows features that are off nowhere, and searches and counts without them", async () => {
  const { user, email } = await signUp(system());
  const page = await openPage();
  await signInAsAdmin(page, system());
  const missing: string[] = [];
  page.on("response", (answer) => {
    if (answer.status() === 404) missing.push(answer.url());
  });
  await page.goto(url("/"));
  for (const name of [/^Sign-ups/, /^Emails sent/])
    await page.getByRole("tab", { name }).getByText("before").waitFor();
  expect(await page.getByRole("tab", { name: /API keys/ }).count()).toBe(0);
  const ways = page.getByRole("navigation", { name: "Screens" }).getByRole("link");
  expect(await ways.allInnerTexts()).toEqual([
    "Home",
    "Users",
    "Emails",
    "Queues",
    "Audit log",
    "Signing keys",
    "Settings",
    "Branding",
  ]);

  await page.goto(url("/clients"));
  await page.getByText("Sign-in to other applications is off").waitFor();

  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search" }).fill("create");
  await page.getByRole("option", { name: "Create user" }).waitFor();
  expect(await page.getByRole("option", { name: "Create API key" }).count()).toBe(0);
  await matrixStep(async () => {
    await page.getByRole("combobox", { name: "Search" }).fill(user.id);
    await page.getByRole("option", { name: new RegExp(email) }).click();
    await page.getByRole("tab", { name: "Activity" }).click();
    expect(await page.getByRole("tab", { name: "Access" }).count()).toBe(0);
    await page.getByRole("list", { name: "Timeline" }).getByRole("listitem").first().waitFor();
  });
  expect(missing).toEqual([]);
});
