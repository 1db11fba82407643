import { expectNoLeaks } from "@latchkey/testkit";
import { beforeAll, expect, test } from "vitest";
import { callOperation } from "../harness/operations.ts";
import {
  createStaff,
  createTenant,
  hashOrganizationTables,
  organizationConfig,
  organizationOperations,
  type Staff,
  tenantOptions,
  type TenantIds,
} from "../harness/organizations.ts";
import { errorResponse } from "../harness/responses.ts";
import { impersonateInRows } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { callings } from "./organization-calls.ts";

expectNoLeaks("file");

let staff: Staff;
let ids: TenantIds;
const config = organizationConfig(tenantOptions);
const { system, rows } = useSystem({ stores: "postgres", config });
beforeAll(async () => {
  staff = await createStaff(system);
  ids = await createTenant({ system, rows }, staff);
});

/** Attack: an admin who impersonates an owner gives their second account a membership that outlasts the impersonation. */
test.each([
  "inviteMember",
  "resendInvitation",
  "updateMemberRole",
  "createRole",
  "updateRole",
] as const)("%s rejects admins who impersonate a member", async (name) => {
  await impersonateInRows(system, rows, staff.owner.user.id);
  const [call] = callings[name].calls;
  const before = await hashOrganizationTables(rows);
  expect(await callOperation(staff.owner, organizationOperations[name], call?.(ids))).toEqual(
    errorResponse(403, "FORBIDDEN", "Forbidden"),
  );
  expect(await hashOrganizationTables(rows)).toEqual(before);
});
