import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { serviceConfig } from "../harness/operations.ts";
import { readSession, signInElsewhere, signUp } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-wide-and-narrow.ts";
import { webTests } from "./web-tests.ts";
import { signIn } from "./web-users.ts";

expectNoLeaks("file");

const { system, openPage, accountUrl } = webTests({
  config: {
    ...serviceConfig,
    username: { enabled: true },
    user: { changeEmail: { enabled: true } },
  },
});

test("a user edits the profile, requests another email, and ends the other sessions", async () => {
  const user = await signUp(system());
  const elsewhere = await signInElsewhere(system(), user);
  const page = await openPage();
  await signIn(page, system(), user);
  await page.goto(accountUrl("/"));
  await page.getByText(`You are signed in as ${user.email}.`).waitFor();
  await page.getByText("Not verified").waitFor();
  await lookWideAndNarrow(page, "account-profile");

  await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
  await page.getByLabel("Username").fill("ada.lovelace");
  await page.getByLabel("Picture").fill("not an address");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Enter an address that begins with https://.").waitFor();
  await page.getByLabel("Picture").fill("https://example.com/ada.png");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Profile saved.").waitFor();
  expect(await readSession(user.browser)).toMatchObject({
    user: {
      name: "Ada Lovelace",
      username: "ada.lovelace",
      image: "https://example.com/ada.png",
    },
  });

  await page.getByRole("button", { name: "Change email" }).click();
  await page.getByLabel("New email").fill("lovelace@example.com");
  await lookWideAndNarrow(page, "account-change-email");
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText("A link is on its way.").waitFor();

  await page.setViewportSize({ width: 400, height: 900 });
  await page.getByRole("button", { name: "Menu" }).click();
  await lookWideAndNarrow(page, "account-menu");
  await page.setViewportSize({ width: 400, height: 900 });
  await page.getByRole("link", { name: "Sessions" }).click();
  await page.getByText("This session").waitFor();
  await lookWideAndNarrow(page, "account-sessions");
  await page.getByRole("button", { name: "End all others" }).click();
  await page
    .getByRole("dialog", { name: "End all other sessions?" })
    .getByRole("button", { name: "End all others" })
    .click();
  await page.getByText("All other sessions ended.").waitFor();
  expect(await readSession(elsewhere.browser)).toBeNull();
});
