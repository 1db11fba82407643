import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, expect, test } from "vitest";
import { callInternal, callOperation, expectOk } from "../harness/operations.ts";
import {
  activeOrganizationOf,
  createOrganization,
  newSlug,
  organizationConfig,
  organizationOperations,
} from "../harness/organizations.ts";
import { readResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const bornAt = "1815-12-10T00:00:00.000Z";
const received: unknown[] = [];
const thrower = () => {
  throw new Error("no");
};
const organization: LatchkeyConfig["organization"] = {
  organizationCreation: {
    beforeCreate: ({ user }) => void received.push((user as { bornAt?: unknown }).bornAt),
    afterCreate: ({ organization: { name } }) => {
      if (name === "Cursed") thrower();
    },
  },
  organizationDeletion: { afterDelete: thrower },
};

let ada: TestUser;
const user = { additionalFields: { bornAt: { type: "date", required: false } } } as const;
const { system } = useSystem({
  stores: "postgres",
  config: organizationConfig(organization, { user }),
});
beforeEach(async () => {
  ada = await signUp(system);
  received.length = 0;
});

const failed = { status: 500, body: undefined, cookies: [] };

test("a hook that throws after an organization is created is a failure, and the session works there", async () => {
  const body = { name: "Cursed", slug: newSlug() };
  expect(await callOperation(ada, organizationOperations.createOrganization, { body })).toEqual(
    failed,
  );
  const [created] = await expectOk(
    callOperation<{ id: string }[]>(ada, organizationOperations.listOrganizations),
  );
  expect(await activeOrganizationOf(ada.browser)).toBe(created?.id);
});

test("a hook that throws after an organization is deleted is a failure, and the session no longer works there", async () => {
  const { id: organizationId } = await createOrganization(ada);
  const body = { organizationId };
  expect(await callOperation(ada, organizationOperations.deleteOrganization, { body })).toEqual(
    failed,
  );
  expect(await activeOrganizationOf(ada.browser)).toBeNull();
});

test("functions get an additional field of type date as a Date, for any caller", async () => {
  expect((await readResponse(await ada.browser.post("/update-user", { bornAt }))).status).toBe(200);
  await createOrganization(ada);
  const body = { name: "Acme", slug: newSlug(), userId: ada.user.id };
  await expectOk(callInternal(system, organizationOperations.createOrganizationFor, { body }));
  expect(received).toEqual([new Date(bornAt), new Date(bornAt)]);
});
