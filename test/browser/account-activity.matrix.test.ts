import { operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { signInElsewhere, signUp, signUpAs } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { webTests } from "./web-tests.ts";
import { signIn } from "./web-users.ts";

expectNoLeaks("file");

const { system, openPage, accountUrl } = webTests({ config: serviceConfig });

matrixTest("a user sees which session is this one and which is new, and ends that", async () => {
  const user = await signUp(system());
  const page = await openPage();
  await signIn(page, system(), user);
  await signInElsewhere(system(), user);
  await page.goto(accountUrl("/sessions"));
  const rows = page.getByRole("list", { name: "Active sessions" }).getByRole("listitem");
  await rows.first().waitFor();
  expect(await rows.filter({ hasText: "New" }).count()).toBe(1);
  expect(await rows.filter({ hasText: "This session" }).getByText("New").count()).toBe(0);
  await rows.filter({ hasText: "This session" }).getByText("now").waitFor();
  await lookWideAndNarrow(page, "account-sessions-new");
  await rows.filter({ hasText: "New" }).getByRole("button").click();
  await page.getByRole("menuitem", { name: "End session" }).click();
  await page.getByText("Session ended.").waitFor();
  await expect.poll(() => page.getByText("New", { exact: true }).count()).toBe(0);
});

test("a user sees sign-ins and changes of the account, and which were made by somebody else", async () => {
  const [user, admin] = [await signUp(system()), await signUpAs(system(), "admin")];
  const { updateUser, adminSetRole } = operations.identity;
  await expectOk(callOperation(user, updateUser, { body: { name: "Grace" } }));
  await expectOk(
    callOperation(admin, adminSetRole, { body: { userId: user.user.id, role: "user" } }),
  );
  const page = await openPage();
  await signIn(page, system(), user);
  await page.goto(accountUrl("/activity"));
  const rows = page.getByRole("list", { name: "Latest activity" }).getByRole("listitem");
  await rows.filter({ hasText: "Profile changed" }).waitFor();
  expect(
    await rows.filter({ hasText: "Permissions changed" }).getByText("Not by you").count(),
  ).toBe(1);
  expect(await rows.filter({ hasText: "Signed in" }).count()).toBe(2);
  await lookWideAndNarrow(page, "account-activity");
});
