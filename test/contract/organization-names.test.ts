import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { openRows, type Rows, signUp } from "./identity-people.ts";
import { create, done, ofOrganizations, organizationConfig, send } from "./organization-people.ts";

expectNoLeaks("file");

let stack: Stack;
let rows: Rows;
beforeAll(async () => {
  const schema = {
    organization: { modelName: "companies", fields: { name: "legalName" } },
    member: { modelName: "staff", fields: { organizationId: "company", userId: "person" } },
  };
  stack = await startStack({ stores: "postgres", config: organizationConfig({ schema }) });
  rows = openRows(stack);
});
afterAll(async () => {
  await rows.close();
  await stack.stop();
});

test("tables with custom names contain the clients' changes", async () => {
  const ada = await signUp(stack);
  const { id, name } = await create(ada);
  const companies = `select "legalName" from organization.companies where id = $1`;
  expect(await rows.ask(companies, id)).toEqual([{ legalName: name }]);
  const staff = "select person, role from organization.staff where company = $1";
  expect(await rows.ask(staff, id)).toEqual([{ person: ada.user.id, role: "owner" }]);
});

test("rows written to them have the usual names for clients", async () => {
  const ada = await signUp(stack);
  const { id } = await create(ada);
  await rows.ask(`update organization.companies set "legalName" = 'Acme Ltd' where id = $1`, id);
  const list = () => done(send<object[]>(ada, ofOrganizations.listOrganizations));
  expect(await list()).toMatchObject([{ id, name: "Acme Ltd" }]);
  await rows.ask("delete from organization.staff where company = $1", id);
  expect(await list()).toEqual([]);
});
