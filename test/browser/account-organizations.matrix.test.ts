import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import {
  addMember,
  createOrganization,
  inviteMember,
  organizationConfig,
  organizationOperations,
} from "../harness/organizations.ts";
import { callOperation, expectOk } from "../harness/operations.ts";
import { enableApp } from "../harness/second-factor.ts";
import { signUp } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { webTests } from "./web-tests.ts";
import { chooseAction, signIn } from "./web-users.ts";

expectNoLeaks("file");

const { system, openPage, accountUrl } = webTests({
  config: organizationConfig(
    {
      teams: { enabled: true },
      dynamicAccessControl: { enabled: true },
      requireEmailVerificationOnInvitation: true,
      schema: {
        organization: {
          additionalFields: {
            vatId: {
              type: "string",
              required: false,
              label: { en: "VAT number", de: "USt-IdNr." },
            },
            plan: { type: "string", input: false, defaultValue: "free" },
          },
        },
        invitation: { additionalFields: { note: { type: "string", required: false } } },
        team: { additionalFields: { color: { type: ["red", "blue"], required: false } } },
      },
    },
    {
      apiKey: { enabled: true, organizationKeys: { enabled: true } },
      emailOTP: { enabled: true, overrideDefaultEmailVerification: true },
      emailVerification: { sendOnSignUp: false },
    },
  ),
});

test("an owner creates an organization, invites, changes roles and teams, and deletes it", async () => {
  const [owner, colleague] = [await signUp(system()), await signUp(system(), { name: "Grace" })];
  const page = await openPage();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const inDialog = (dialog: string, name: string) =>
    page.getByRole("dialog", { name: dialog }).getByRole("button", { name, exact: true });
  await signIn(page, system(), owner);
  await page.goto(accountUrl("/organizations"));
  await page.getByText("No organizations").waitFor();
  await button("Create organization").click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Café Ada");
  expect(await page.getByRole("textbox", { name: "Short name" }).inputValue()).toBe("cafe-ada");
  await page.getByRole("textbox", { name: "VAT number" }).fill("DE1");
  await matrixStep(() => lookWideAndNarrow(page, "account-organization-create"));
  await inDialog("Create organization", "Create organization").click();
  await page.getByRole("heading", { name: "Café Ada" }).waitFor();
  const organizationId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await addMember(system(), colleague, { organizationId });
  await page.reload();
  await chooseAction(page, "Grace", "Change role");
  await page.getByLabel("Role", { exact: true }).selectOption({ label: "Admin" });
  await inDialog("Change role of Grace", "Change role").click();
  await page.getByText("Role changed.").waitFor();
  await lookWideAndNarrow(page, "account-organization-members");
  const members = page.getByRole("table", { name: "Members" });
  await matrixStep(async () => {
    await page.getByRole("searchbox", { name: "Search members" }).fill("nobody");
    await page.getByText("No member matches").waitFor();
    await page.getByRole("searchbox", { name: "Search members" }).fill("grac");
    await members.getByRole("row").filter({ hasText: "Grace" }).waitFor();
    await members.getByText(owner.email).waitFor({ state: "detached" });
  });

  await button("Invite").click();
  await page.getByRole("textbox", { name: "Email" }).fill("hopper@example.com");
  await page.getByRole("group", { name: "Teams" }).getByLabel("Café Ada").check();
  await page.getByRole("textbox", { name: "Note" }).fill("Welcome");
  await lookWideAndNarrow(page, "account-organization-invite");
  await inDialog("Invite a member", "Invite").click();
  await page.getByText("Invitation sent.").waitFor();
  await page.getByRole("tab", { name: "Invitations" }).click();
  await matrixStep(() => lookWideAndNarrow(page, "account-organization-invitations"));
  await chooseAction(page, "hopper@example.com", "Cancel");
  await page.getByText("No pending invitations").waitFor();

  await matrixStep(async () => {
    await page.getByRole("tab", { name: "Teams" }).click();
    await button("Create team").click();
    await page.getByRole("textbox", { name: "Name" }).fill("Compilers");
    await page.getByLabel("Color").selectOption("red");
    await inDialog("Create team", "Create team").click();
    await page.getByRole("listitem").filter({ hasText: "Compilers" }).waitFor();
    await chooseAction(page, "Café Ada", "Show members");
    await page.getByRole("dialog", { name: "Café Ada" }).getByText(owner.email).waitFor();
    await page.keyboard.press("Escape");
    const compilers = page.getByRole("dialog", { name: "Compilers" });
    const team = compilers.getByRole("list", { name: "Members", exact: true });
    await chooseAction(page, "Compilers", "Show members");
    for (const { email } of [owner, colleague]) {
      await compilers.getByRole("searchbox", { name: "Search members" }).fill(email);
      await compilers.getByRole("listitem").filter({ hasText: email }).getByText("Add").click();
      await team.getByText(email).waitFor();
    }
    await compilers.getByText("No member matches").waitFor();
    await lookWideAndNarrow(page, "account-organization-team-members");
    await chooseAction(page, "Grace", "Remove from the team");
    await team.getByText(colleague.email).waitFor({ state: "detached" });
    await page.keyboard.press("Escape");

    await page.getByRole("tab", { name: "Roles" }).click();
    await page.getByText("Your organization has no roles of its own").waitFor();
    await button("Create role").click();
    await page.getByRole("textbox", { name: "Name" }).fill("Captain!");
    await inDialog("Create role", "Create role").click();
    await page.getByText("Use 1 to 63 lower-case letters").waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("captain");
    await page.getByRole("group", { name: "Teams" }).getByLabel("Create").check();
    await lookWideAndNarrow(page, "account-organization-role");
    await inDialog("Create role", "Create role").click();
    await page
      .getByRole("listitem")
      .filter({ hasText: "captain" })
      .getByText("Teams: Create")
      .waitFor();
    await lookWideAndNarrow(page, "account-organization-roles");
    await chooseAction(page, "captain", "Change");
    await page.getByRole("textbox", { name: "Name" }).fill("skipper");
    await inDialog("Change captain", "Save").click();
    await chooseAction(page, "skipper", "Delete");
    await inDialog("Delete skipper?", "Delete").click();
    await page.getByText("Your organization has no roles of its own").waitFor();

    await page.getByRole("tab", { name: "API keys" }).click();
    await button("Create API key").click();
    await page.getByRole("textbox", { name: "Name" }).fill("Robot");
    await button("Create key").click();
    await page.getByLabel("API key", { exact: true }).waitFor();
    await button("Done").click();
    await page.getByText("You have not copied it.").waitFor();
    await button("Done").click();
    await page.getByRole("listitem").filter({ hasText: "Robot" }).getByText("Active").waitFor();
    await lookWideAndNarrow(page, "account-organization-keys");
  });

  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Ada and Grace");
  const vatNumber = page.getByRole("textbox", { name: "VAT number" });
  expect(await vatNumber.inputValue()).toBe("DE1");
  await vatNumber.fill("DE2");
  await button("Save").click();
  await page.getByRole("heading", { name: "Ada and Grace" }).waitFor();
  await page.reload();
  await page.getByRole("tab", { name: "Settings" }).click();
  await expect.poll(() => vatNumber.inputValue()).toBe("DE2");
  await page
    .getByRole("list", { name: "Members without a second factor" })
    .getByText("Grace")
    .waitFor();
  await lookWideAndNarrow(page, "account-organization-settings");
  await matrixStep(async () => {
    await button("Leave organization").click();
    await inDialog("Leave Ada and Grace?", "Leave organization").click();
    await page.getByText("The organization needs an owner.").waitFor();
    await page.keyboard.press("Escape");
  });

  await page.getByRole("tab", { name: "Members" }).click();
  await chooseAction(page, "Grace", "Transfer ownership");
  await page.getByLabel("Your role afterwards").selectOption({ label: "Owner" });
  await inDialog("Make Grace the owner?", "Transfer ownership").click();
  await page.getByText("Grace is an owner now.").waitFor();
  await members.getByRole("row").filter({ hasText: "Grace" }).getByText("Owner").waitFor();
  await page.getByRole("tab", { name: "Settings" }).click();
  await button("Delete organization").click();
  await page.getByLabel("Type Ada and Grace to confirm").fill("Ada and Grace");
  await inDialog("Delete Ada and Grace?", "Delete organization").click();
  await page.getByText("No organizations").waitFor();
});

test("an invited user verifies the email by a code, accepts, switches, sees no controls of owners, and leaves", async () => {
  const [owner, guest] = [await signUp(system()), await signUp(system())];
  const { slug } = await createOrganization(owner, { name: "Analytical Engines" });
  const invitation = await inviteMember(owner, guest.email);
  await createOrganization(guest, { name: "Difference Ltd" });
  const page = await openPage();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await signIn(page, system(), guest);
  await page.goto(accountUrl(`/invitation/${invitation.id}`));
  await page.getByText("We send you a code.").waitFor();
  await button("Send code").click();
  const { text } = await system().smtp.waitForMail(
    ({ to, subject }) => to.includes(guest.email) && subject.startsWith("Verify your email"),
  );
  await page.getByLabel("Code").fill(/\b\d{6}\b/.exec(text)?.[0] ?? "");
  await page.getByRole("heading", { name: "Join Analytical Engines" }).waitFor();
  await page.goto(accountUrl("/organizations"));
  await page.getByText("Invitations to you").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-organizations-invited"));
  await button("Accept the invitation to Analytical Engines").click();
  await page.getByText(slug).waitFor();
  await lookWideAndNarrow(page, "account-organizations");
  const switcher = page.getByRole("button", { name: "Active organization" });
  for (const name of ["Difference Ltd", "Analytical Engines"]) {
    await switcher.click();
    await page.getByRole("menuitemradio", { name }).click();
    await page.getByText(`${name} is active now.`).waitFor();
    await switcher.filter({ hasText: name }).waitFor();
  }
  await page.getByRole("link", { name: "Manage Analytical Engines" }).click();
  await page.getByRole("row").filter({ hasText: guest.email }).getByText("You").waitFor();
  expect(await page.getByRole("button", { name: /^Actions for/ }).count()).toBe(0);
  expect(await button("Invite").count()).toBe(0);
  await page.getByRole("tab", { name: "Settings" }).click();
  expect(await button("Delete organization").count()).toBe(0);
  await button("Leave organization").click();
  await page
    .getByRole("dialog", { name: "Leave Analytical Engines?" })
    .getByRole("button", { name: "Leave organization" })
    .click();
  await page.getByText("You left Analytical Engines.").waitFor();
});

matrixTest("a member without a second factor that is required is led to its set-up", async () => {
  const [owner, member] = [await signUp(system()), await signUp(system())];
  const { id: organizationId } = await createOrganization(owner);
  await addMember(system(), member, { organizationId });
  await enableApp(owner);
  await expectOk(
    callOperation(owner, organizationOperations.setTwoFactorPolicy, {
      body: { organizationId, required: true },
    }),
  );
  const page = await openPage();
  await signIn(page, system(), member);
  await page.goto(accountUrl(`/organizations/${organizationId}`));
  await page.getByText("This organization requires a second factor").waitFor();
  await lookWideAndNarrow(page, "account-organization-second-factor");
  await page.getByRole("link", { name: "Set one up" }).click();
  await page.getByRole("button", { name: "Set up an app" }).waitFor();
});
