import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { openRows, refusal, type Rows, takeOver } from "./identity-people.ts";
import { callings } from "./organization-calls.ts";
import {
  dumpOrganizations,
  found,
  hire,
  ofOrganizations,
  organizationConfig,
  send,
  type Staff,
  type TenantIds,
} from "./organization-people.ts";

expectNoLeaks("file");

let stack: Stack;
let rows: Rows;
let staff: Staff;
let ids: TenantIds;
beforeAll(async () => {
  const config = organizationConfig({ teams: { enabled: true } });
  stack = await startStack({ stores: "postgres", config });
  rows = openRows(stack);
  staff = await hire(stack);
  ids = await found({ stack, rows }, staff);
});
afterAll(async () => {
  await rows.close();
  await stack.stop();
});

/** Attack: an admin who impersonates an owner gives their second account a membership that outlasts the impersonation. */
test.each(["inviteMember", "resendInvitation", "updateMemberRole"] as const)(
  "%s rejects admins who impersonate a member",
  async (name) => {
    await takeOver(stack, rows, staff.owner.user.id);
    const [call] = callings[name].calls;
    const before = await dumpOrganizations(rows);
    expect(await send(staff.owner, ofOrganizations[name], call?.(ids))).toEqual(
      refusal(403, "FORBIDDEN", "Forbidden"),
    );
    expect(await dumpOrganizations(rows)).toEqual(before);
  },
);
