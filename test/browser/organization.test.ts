import type { LatchkeyConfig } from "@latchkey/contracts";
import { text as readText } from "node:stream/consumers";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { createKeyFor } from "../harness/api-keys.ts";
import {
  addMember,
  createOrganization,
  inviteMember,
  type OrganizationView,
} from "../harness/organizations.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import { signUp, type TestUser } from "../harness/users.ts";
import { hostileText } from "./hostile-text.ts";
import { lookAt } from "./look-at.ts";
import { overflowOf } from "./overflow-of.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const config: LatchkeyConfig = {
  ...webConfig,
  organization: {
    teams: { enabled: true },
    dynamicAccessControl: { enabled: true },
    schema: {
      organization: { additionalFields: { seats: { type: "number", required: false } } },
      member: { additionalFields: { title: { type: "string", input: false, defaultValue: "" } } },
      team: { additionalFields: { color: { type: "string", required: false } } },
    },
  },
  admin: { roles: { ...webConfig.admin.roles, looker: { organization: ["list", "get"] } } },
};
const { system, openPage, url } = webTests({ config });

let rows: Rows;
beforeAll(() => {
  rows = openRows(system());
});
afterAll(() => rows.close());

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const tab = (page: Page, name: RegExp | string) => page.getByRole("tab", { name }).click();
const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

interface Opened {
  page: Page;
  owner: TestUser;
  organization: OrganizationView;
}

const openOrganization = async (own: object = {}, search = ""): Promise<Opened> => {
  const owner = await signUp(system());
  const organization = await createOrganization(owner, own);
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url(`/organizations/${organization.id}${search}`));
  await heading(page, organization.name).waitFor();
  return { page, owner, organization };
};

const choose = async (page: Page, menu: string, item: string) => {
  await page.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

describe("members", () => {
  test("are shown with their roles, searched, and linked to their users", async () => {
    const { page, owner, organization } = await openOrganization();
    const member = await signUp(system());
    await addMember(system(), member, { organizationId: organization.id, role: "member,admin" });
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("2 members", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Members (2)" }).waitFor();
    await rowOf(page, member.email).getByText("admin", { exact: true }).waitFor();
    await lookAt(page, "organization-members");
    await matrixStep(async () => {
      await page.getByRole("combobox", { name: "Role" }).click();
      await page.getByRole("option", { name: "owner" }).click();
      await page.getByText("1 member", { exact: true }).waitFor();
      await rowOf(page, owner.email).waitFor();
      await page.getByRole("combobox", { name: "Role" }).click();
      await page.getByRole("option", { name: "Any role" }).click();
    });
    await page.getByText("2 members", { exact: true }).waitFor();
    await page.getByRole("searchbox", { name: "Search members" }).fill(owner.email);
    await page.getByText("1 member", { exact: true }).waitFor();
    await page.getByRole("link", { name: owner.email }).click();
    await page.waitForURL(url(`/users/${owner.user.id}`));
  });

  matrixTest("are exported as CSV, only those that match", async () => {
    const { page, owner, organization } = await openOrganization({}, "?role=owner");
    const member = await signUp(system());
    await addMember(system(), member, { organizationId: organization.id, role: "member" });
    await page.getByRole("button", { name: "Export" }).click();
    const dialog = page.getByRole("dialog", { name: "Export members" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Export" }).click(),
    ]);
    const lines = (await readText(await download.createReadStream())).split("\r\n");
    expect(lines[0]).toBe("id,userId,email,name,role,createdAt");
    expect(lines.slice(1, -1).map((line) => line.split(",")[2])).toEqual([owner.email]);
  });

  matrixTest("are added immediately, with the chosen roles", async () => {
    const { page, organization } = await openOrganization();
    const person = await signUp(system());
    await page.getByRole("button", { name: "Add member" }).click();
    const dialog = page.getByRole("dialog", { name: "Add member" });
    await dialog.getByRole("button", { name: "Add member" }).click();
    await dialog.getByText("Choose a user.").waitFor();
    await dialog.getByLabel("User").fill(person.email);
    await page.getByRole("option", { name: person.email }).click();
    await dialog.getByRole("checkbox", { name: "admin" }).click();
    await lookAt(page, "organization-add-member");
    await dialog.getByRole("button", { name: "Add member" }).click();
    await page.getByText(`Ada (${person.email}) joined ${organization.name}.`).first().waitFor();
    await rowOf(page, person.email).getByText("admin", { exact: true }).waitFor();
    await rowOf(page, person.email).getByText("member", { exact: true }).waitFor();
  });

  matrixTest("are rejected at the field if they are members already", async () => {
    const { page, owner } = await openOrganization();
    await page.getByRole("button", { name: "Add member" }).click();
    const dialog = page.getByRole("dialog", { name: "Add member" });
    await dialog.getByLabel("User").fill(owner.email);
    await page.getByRole("option", { name: owner.email }).click();
    await dialog.getByRole("button", { name: "Add member" }).click();
    await dialog.getByText("User is already a member of this organization.").waitFor();
  });

  matrixTest("get other roles, but the only owner stays an owner", async () => {
    const { page, owner, organization } = await openOrganization();
    const member = await signUp(system());
    await addMember(system(), member, { organizationId: organization.id });
    await page.reload();
    await choose(page, `Actions on ${member.email}`, "Change roles…");
    const dialog = page.getByRole("dialog", { name: "Change roles" });
    await dialog.getByRole("checkbox", { name: "member" }).click();
    await dialog.getByText("Choose at least one role.").waitFor();
    await dialog.getByRole("checkbox", { name: "admin" }).click();
    await dialog.getByRole("button", { name: "Change roles" }).click();
    await page.getByText(`Roles of ${member.email}: admin.`).first().waitFor();
    await rowOf(page, member.email).getByText("admin", { exact: true }).waitFor();
    await choose(page, `Actions on ${owner.email}`, "Change roles…");
    await dialog.getByRole("checkbox", { name: "owner" }).click();
    await dialog.getByRole("checkbox", { name: "member" }).click();
    await dialog.getByRole("button", { name: "Change roles" }).click();
    await dialog.getByText(/only owner/).waitFor();
  });

  matrixTest("become owners in the place of the present ones", async () => {
    const { page, owner, organization } = await openOrganization();
    const person = await signUp(system());
    await addMember(system(), person, { organizationId: organization.id });
    await page.reload();
    await choose(page, `Actions on ${person.email}`, "Make owner…");
    const dialog = page.getByRole("dialog", { name: "Make owner" });
    await dialog.getByText("They keep their roles.").waitFor();
    await dialog.getByRole("combobox", { name: "Present owners" }).click();
    await page.getByRole("option", { name: "Become admin" }).click();
    await lookAt(page, "organization-make-owner");
    await dialog.getByRole("button", { name: "Make owner" }).click();
    await page.getByText(`${person.email} is now an owner.`).waitFor();
    await rowOf(page, person.email).getByText("owner", { exact: true }).waitFor();
    await rowOf(page, owner.email).getByText("admin", { exact: true }).waitFor();
  });

  matrixTest("are removed after a confirmation, one or several", async () => {
    const { page, organization } = await openOrganization();
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => signUp(system())));
    for (const person of [one, two, three])
      if (person) await addMember(system(), person, { organizationId: organization.id });
    await page.reload();
    await page.getByText("4 members", { exact: true }).waitFor();
    await choose(page, `Actions on ${one?.email}`, "Remove…");
    const dialog = page.getByRole("alertdialog", { name: `Remove ${one?.email}?` });
    await dialog.getByText("The user account is kept").waitFor();
    await lookAt(page, "organization-remove-member");
    await dialog.getByRole("button", { name: "Remove member" }).click();
    await page.getByText("3 members", { exact: true }).waitFor();
    for (const person of [two, three])
      await page.getByRole("checkbox", { name: `Select ${person?.email}` }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("2 of 2 done").waitFor();
  });
});

describe("invitations", () => {
  test("are shown with their state, sent again, and canceled", async () => {
    const { page, owner, organization } = await openOrganization();
    const first = await inviteMember(owner, "first@example.com", {
      organizationId: organization.id,
    });
    const late = await inviteMember(owner, "late@example.com", { organizationId: organization.id });
    const aged = "update organization.invitation set expires_at = now() - interval '1 hour'";
    await rows.query(`${aged} where email = $1`, late.email);
    const mailed = "update organization.invitation set mailed_at = now() - interval '1 hour'";
    await rows.query(`${mailed} where email = $1`, first.email);
    await page.reload();
    await tab(page, "Invitations (2)");
    await rowOf(page, late.email).getByText("Expired").waitFor();
    await rowOf(page, first.email).getByText("Pending").waitFor();
    await lookAt(page, "organization-invitations");
    const menu = `Actions on the invitation of ${first.email}`;
    await matrixStep(async () => {
      await choose(page, menu, "Resend");
      await page.getByText(`Invitation resent to ${first.email}.`).first().waitFor();
      await choose(page, menu, "Resend");
      await page.getByText("Too many requests. Please try again later.").first().waitFor();
    });
    await choose(page, menu, "Cancel…");
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("The link in the email stops working.").waitFor();
    await dialog.getByRole("button", { name: "Cancel invitation" }).click();
    await rowOf(page, first.email).getByText("Canceled").waitFor();
    expect(await page.getByRole("button", { name: menu }).count()).toBe(0);
  });

  matrixTest("show why their mail was not delivered, and are sent again", async () => {
    const { page, owner, organization } = await openOrganization();
    const organizationId = organization.id;
    system().smtp.refuse("permanent");
    const { email } = await inviteMember(owner, "nobody@example.com", { organizationId });
    const invited = await inviteMember(owner, "somebody@example.com", { organizationId });
    await page.goto(url(`/organizations/${organizationId}?tab=invitations`));
    await rowOf(page, email).getByText("Not delivered").waitFor();
    await rowOf(page, email).getByText("550").waitFor();
    await lookAt(page, "organization-undelivered");
    await page.setViewportSize({ width: 400, height: 800 });
    await rowOf(page, email).getByText("Not delivered").waitFor();
    expect(await overflowOf(page)).toBe(0);
    system().smtp.refuse("none");
    const mailed = "update organization.invitation set mailed_at = now() - interval '1 hour'";
    await rows.query(`${mailed} where email = $1`, email);
    await page.getByRole("button", { name: `Resend the invitation of ${email}` }).click();
    await system().smtp.waitForMail(email);
    await rowOf(page, email).getByText("Not delivered").waitFor({ state: "detached" });
    await rowOf(page, invited.email).getByText("Not delivered").waitFor();
  });

  matrixTest("are explained by the tab if there are none", async () => {
    const { page } = await openOrganization({}, "?tab=invitations");
    await page.getByText("No invitations").waitFor();
  });
});

describe("settings", () => {
  test("are changed, validated by the form and then by the server", async () => {
    const { page, owner } = await openOrganization({}, "?tab=settings");
    await createOrganization(owner, { slug: "taken-slug" });
    await page.getByLabel("Name").fill("");
    await page.getByLabel("Metadata").fill("[1]");
    await page.getByLabel("seats").fill("three");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Enter a name.").waitFor();
    await page.getByText("Enter a JSON object").waitFor();
    await page.getByText("Enter a number.").waitFor();
    await page.getByLabel("seats").fill("3");
    await page.getByLabel("Name").fill("Acme & Sons");
    await page.getByLabel("Metadata").fill('{"plan": "gold"}');
    await page.getByLabel("Slug").fill("taken-slug");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Organization already exists.").waitFor();
    await lookAt(page, "organization-settings");
    await page.getByLabel("Slug").fill(`free-${Date.now()}`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Settings saved.").first().waitFor();
    await heading(page, "Acme & Sons").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await tab(page, "JSON");
    await page
      .getByRole("region", { name: /as JSON$/ })
      .getByText('\\"plan\\"')
      .waitFor();
    await page
      .getByRole("region", { name: /as JSON$/ })
      .getByText('"seats": 3')
      .waitFor();
  });

  test("delete an organization after its slug has been typed", async () => {
    const { page, organization } = await openOrganization({}, "?tab=settings");
    await page.getByRole("button", { name: "Delete organization" }).click();
    const dialog = page.getByRole("alertdialog");
    const confirm = dialog.getByRole("button", { name: "Delete organization" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${organization.slug} to confirm`).fill(organization.slug);
    await confirm.click();
    await page.getByText(`${organization.name} deleted.`).first().waitFor();
    await page.waitForURL(url("/organizations"));
    await page.goto(url(`/organizations/${organization.id}`));
    await page.getByText("Organization not found.").waitFor();
    await page.getByText(/^It may have been deleted/).waitFor();
    await matrixStep(() => lookAt(page, "organization-missing"));
  });
});

describe("the other parts of an organization", () => {
  matrixTest("show its teams and link to its audit entries", async () => {
    const { page, organization } = await openOrganization({ name: "With a team" });
    await tab(page, /^Teams/);
    await page.getByRole("table", { name: "teams" }).getByText("With a team").waitFor();
    await lookAt(page, "organization-teams");
    const more =
      "insert into organization.team (id, name, organization_id, created_at) select $1 || n, 'T', $1, now() from generate_series(1, 101) n";
    await rows.query(more, organization.id);
    await page.reload();
    await page.getByRole("tab", { name: "Teams (102)" }).waitFor();
    await page.getByText("The 100 first teams are shown, of 102.").waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.waitForURL((there) => there.searchParams.get("subject") === organization.id);
  });

  test("create, change and delete a role, and set the fields of a member", async () => {
    const { page, owner, organization } = await openOrganization({ name: "Roles" });
    await choose(page, `Actions on ${owner.email}`, "Additional fields…");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("title").fill("Captain");
    await lookAt(page, "organization-member-fields");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Additional fields saved.").waitFor();
    await tab(page, /^Roles/);
    await page.getByText("No roles").waitFor();
    await page.getByRole("button", { name: "Create role" }).click();
    await dialog.getByLabel("Name").fill("Captain!");
    await dialog.getByRole("button", { name: "Create role" }).click();
    await dialog.getByText("Use 1 to 63 lower-case letters").waitFor();
    await dialog.getByLabel("Name").fill("captain");
    await dialog.getByRole("group", { name: "team" }).getByLabel("create").check();
    await lookAt(page, "organization-role");
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await dialog.getByRole("button", { name: "Create role" }).click();
    await page.getByText("captain created.").waitFor();
    await rowOf(page, "captain").getByText("team:create").waitFor();
    await lookAt(page, "organization-roles");
    await page.getByRole("button", { name: "Change captain" }).click();
    await dialog.getByLabel("Name").fill("skipper");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Role skipper changed.").waitFor();
    await page.getByRole("button", { name: "Delete skipper" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete role" }).click();
    await page.getByText("skipper deleted.").waitFor();
    const actions = await rows.query(
      "select action from organization.audit where subject_id = $1 and action like any('{organization-role.%,member.updated}') order by id",
      organization.id,
    );
    expect(actions.map(({ action }) => action)).toEqual([
      "member.updated",
      "organization-role.created",
      "organization-role.updated",
      "organization-role.deleted",
    ]);
  });

  matrixTest("create, rename and remove a team, and change its members", async () => {
    const { page, organization } = await openOrganization({ name: "Teamwork" });
    const person = await signUp(system());
    await addMember(system(), person, { organizationId: organization.id });
    await tab(page, /^Teams/);
    const teams = page.getByRole("table", { name: "teams" });
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Create team" }).click();
    await dialog.getByRole("button", { name: "Create team" }).click();
    await dialog.getByText("Enter a name.").waitFor();
    await dialog.getByLabel("Name").fill("Crew");
    await dialog.getByLabel("color").fill("red");
    await dialog.getByRole("button", { name: "Create team" }).click();
    await page.getByText("Crew created.").waitFor();
    await choose(page, "Actions on Crew", "Rename…");
    expect(await dialog.getByLabel("color").inputValue()).toBe("red");
    await dialog.getByLabel("Name").fill("Deck");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await page.getByText("Team renamed to Deck.").waitFor();
    await choose(page, "Actions on Deck", "Members…");
    await dialog.getByText("Nobody is in this team.").waitFor();
    await dialog.getByLabel("Add a member").fill(person.email);
    await page.getByRole("option", { name: person.email }).click();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByRole("link", { name: person.email }).waitFor();
    await lookAt(page, "organization-team-members");
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await dialog.getByRole("button", { name: `Remove ${person.email} from the team` }).click();
    await dialog.getByText("Nobody is in this team.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await choose(page, "Actions on Deck", "Remove…");
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove team" }).click();
    await page.getByText("Deck removed.").waitFor();
    await teams.getByText("Deck").waitFor({ state: "detached" });
    const actions = await rows.query(
      "select action from organization.audit where subject_id = $1 and action like any('{team.%,member.team-changed}') order by id",
      organization.id,
    );
    expect(actions.map(({ action }) => action)).toEqual([
      "team.created",
      "team.updated",
      "member.team-changed",
      "member.team-changed",
      "team.removed",
    ]);
  });

  matrixTest("show hostile data as text without breaking the layout", async () => {
    const { page } = await openOrganization({
      name: hostileText,
      slug: `x${hostileText}`.slice(0, 255),
      metadata: { [hostileText]: hostileText.repeat(40) },
    });
    expect(await page.locator("main img, main script").count()).toBe(0);
    await lookAt(page, "organization-hostile");
    await tab(page, "JSON");
    await page.getByRole("region", { name: /as JSON$/ }).waitFor();
    await lookAt(page, "organization-json");
  });

  test("offer no changes to an admin who may only read", async () => {
    const owner = await signUp(system());
    const { id } = await createOrganization(owner);
    const page = await openPage();
    await signInAs(page, system(), "looker");
    await page.goto(url(`/organizations/${id}`));
    await page.getByRole("link", { name: owner.email }).waitFor();
    expect(await page.getByRole("button", { name: /Actions|Add member/ }).count()).toBe(0);
    await tab(page, "Settings");
    await page.getByText("You do not have permission to change this organization").waitFor();
    expect(await page.getByText("Danger zone").count()).toBe(0);
  });
});

matrixTest("no list makes the page wider than a phone", async () => {
  const { page, owner, organization } = await openOrganization();
  await createKeyFor(system(), owner);
  await page.setViewportSize({ width: 400, height: 800 });
  const lists = ["/users", "/organizations", "/api-keys", "/audit"];
  const ofOrganization = ["members", "teams"].map(
    (name) => `/organizations/${organization.id}?tab=${name}`,
  );
  const ofUser = ["security", "access"].map((name) => `/users/${owner.user.id}?tab=${name}`);
  for (const path of [...lists, ...ofOrganization, ...ofUser]) {
    await page.goto(url(path));
    // Text for screen readers only, which is positioned out of the flow of its cell.
    await page.locator("td .sr-only").first().waitFor({ state: "attached" });
    expect(await overflowOf(page), path).toBe(0);
  }
});
