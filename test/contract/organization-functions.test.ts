import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { seen, type SignedUp, signUp } from "./identity-people.ts";
import {
  create,
  done,
  newSlug,
  ofOrganizations,
  organizationConfig,
  send,
  sendInside,
  worksIn,
} from "./organization-people.ts";

expectNoLeaks("file");

const bornAt = "1815-12-10T00:00:00.000Z";
const told: unknown[] = [];
const thrower = () => {
  throw new Error("no");
};
const organization: LatchkeyConfig["organization"] = {
  organizationCreation: {
    beforeCreate: ({ user }) => void told.push((user as { bornAt?: unknown }).bornAt),
    afterCreate: ({ organization: { name } }) => {
      if (name === "Cursed") thrower();
    },
  },
  organizationDeletion: { afterDelete: thrower },
};

let stack: Stack;
let ada: SignedUp;
beforeAll(async () => {
  const user = { additionalFields: { bornAt: { type: "date", required: false } } } as const;
  stack = await startStack({
    stores: "postgres",
    config: organizationConfig(organization, { user }),
  });
});
afterAll(() => stack.stop());
beforeEach(async () => {
  ada = await signUp(stack);
  told.length = 0;
});

const failed = { status: 500, body: undefined, cookies: [] };

test("a hook that throws after an organization is created is a failure, and the session works there", async () => {
  const body = { name: "Cursed", slug: newSlug() };
  expect(await send(ada, ofOrganizations.createOrganization, { body })).toEqual(failed);
  const [created] = await done(send<{ id: string }[]>(ada, ofOrganizations.listOrganizations));
  expect(await worksIn(ada.browser)).toBe(created?.id);
});

test("a hook that throws after an organization is deleted is a failure, and the session no longer works there", async () => {
  const { id: organizationId } = await create(ada);
  const body = { organizationId };
  expect(await send(ada, ofOrganizations.deleteOrganization, { body })).toEqual(failed);
  expect(await worksIn(ada.browser)).toBeNull();
});

test("functions get an additional field of type date as a Date, for any caller", async () => {
  expect((await seen(await ada.browser.post("/update-user", { bornAt }))).status).toBe(200);
  await create(ada);
  const body = { name: "Acme", slug: newSlug(), userId: ada.user.id };
  await done(sendInside(stack, ofOrganizations.createOrganizationFor, { body }));
  expect(told).toEqual([new Date(bornAt), new Date(bornAt)]);
});
