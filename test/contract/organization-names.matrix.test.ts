import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { callOperation, expectOk } from "../harness/operations.ts";
import {
  createOrganization,
  organizationConfig,
  organizationOperations,
} from "../harness/organizations.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp } from "../harness/users.ts";

expectNoLeaks("file");

const schema = {
  organization: { modelName: "companies", fields: { name: "legalName" } },
  member: { modelName: "staff", fields: { organizationId: "company", userId: "person" } },
};
const { system, rows } = useSystem({ stores: "postgres", config: organizationConfig({ schema }) });

test("tables with custom names contain the clients' changes", async () => {
  const ada = await signUp(system);
  const { id, name } = await createOrganization(ada);
  const companies = `select "legalName" from organization.companies where id = $1`;
  expect(await rows.query(companies, id)).toEqual([{ legalName: name }]);
  const staff = "select person, role from organization.staff where company = $1";
  expect(await rows.query(staff, id)).toEqual([{ person: ada.user.id, role: "owner" }]);
});

test("rows written to them have the usual names for clients", async () => {
  const ada = await signUp(system);
  const { id } = await createOrganization(ada);
  await rows.query(`update organization.companies set "legalName" = 'Acme Ltd' where id = $1`, id);
  const list = () =>
    expectOk(callOperation<object[]>(ada, organizationOperations.listOrganizations));
  expect(await list()).toMatchObject([{ id, name: "Acme Ltd" }]);
  await rows.query("delete from organization.staff where company = $1", id);
  expect(await list()).toEqual([]);
});
