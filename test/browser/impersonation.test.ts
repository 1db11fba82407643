import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { signUp } from "../contract/identity-people.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { takePicture } from "./take-picture.ts";
import { signInAsAdmin, webConfig } from "./web-people.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { stack, openPage, url } = webTests({ config: webConfig });

test("an admin in the shoes of a user sees whose, and finds the way back", async () => {
  const somebody = await signUp(stack());
  const page = await openPage();
  await signInAsAdmin(page, stack());
  const answer = await page.request.post(`${stack().url}/admin/impersonate-user`, {
    headers: { origin: stack().origin },
    data: { userId: somebody.user.id },
  });
  expect(answer.status()).toBe(200);
  await page.goto(url("/users"));
  await page.getByRole("banner", { name: "Impersonation" }).getByText(somebody.email).waitFor();
  expect(await page.getByRole("navigation", { name: "Screens" }).count()).toBe(0);
  await expectAccessible(page);
  await takePicture(page, "impersonation-light");
  await page.getByRole("button", { name: "Go back to your own account" }).click();
  await page.waitForURL(url(`/users/${somebody.user.id}`));
  await page.getByRole("navigation", { name: "Screens" }).waitFor();
});
