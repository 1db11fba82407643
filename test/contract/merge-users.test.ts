import { type OperationReply, operations, type Wire } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { createKey, verificationCode } from "../harness/api-keys.ts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { createOrganization } from "../harness/organizations.ts";
import { errorResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import { isSessionToken, signUp, signUpAs, type TestUser, trySignIn } from "../harness/users.ts";

expectNoLeaks("file");

const { identity, organization, webhooks } = operations;
type Merge = Wire<OperationReply<typeof identity.adminMergeUsers>>;
type EventList = Wire<OperationReply<typeof webhooks.adminListEvents>>;
type Memberships = Wire<OperationReply<typeof organization.adminListUserOrganizations>>;

const merging = { user: ["list", "merge"] };
const { system, rows, admin } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    admin: {
      roles: {
        admin: {
          ...merging,
          user: ["list", "merge", "ban", "set-role"],
          organization: ["list"],
          apiKey: ["list"],
          webhook: ["list", "read"],
        },
        merger: merging,
        banner: { user: ["list", "ban"] },
        user: {},
      },
    },
  },
});

const signUpVerified = async (role = "user"): Promise<TestUser> => {
  const person = await signUpAs(system, role);
  await rows.query("update identity.user set email_verified = true where id = $1", person.user.id);
  return person;
};

const merge = (user: TestUser, merged: TestUser, by = admin) =>
  callOperation<Merge>(by, identity.adminMergeUsers, {
    body: { userId: user.user.id, mergedUserId: merged.user.id },
  });

const organizationsOf = async ({ user: { id } }: TestUser) => {
  const reply = await expectOk<Memberships>(
    callOperation(admin, organization.adminListUserOrganizations, { params: { id }, query: {} }),
  );
  return reply.organizations.map(({ name, role }) => `${name}: ${role}`);
};

const keyOwner = async (id: string) => {
  const [row] = await rows.query("select user_id from apikey.api_key where id = $1", id);
  return (row as { user_id: string } | undefined)?.user_id;
};

test("a merge moves memberships and keys, closes the merged user, and is undone as a whole", async () => {
  const [user, merged] = [await signUpVerified(), await signUpVerified()];
  await createOrganization(merged, { name: "Acme" });
  const { id, key } = await createKey(merged);
  const { id: mergeId } = await expectOk<Merge>(merge(user, merged));
  expect(await isSessionToken(system, merged.token)).toBe(false);
  expect((await trySignIn(system, merged.email)).status).toBe(403);
  await until(async () => (await keyOwner(id)) === user.user.id);
  await until(async () => (await organizationsOf(user)).includes("Acme: owner"));
  expect(await verificationCode(system, key)).toBeNull();
  expect(await organizationsOf(merged)).toEqual([]);

  await expectOk(callOperation(admin, identity.adminUndoMerge, { body: { id: mergeId } }));
  await until(async () => (await keyOwner(id)) === merged.user.id);
  await until(async () => (await organizationsOf(merged)).includes("Acme: owner"));
  expect(await organizationsOf(user)).toEqual([]);
  expect(await isSessionToken(system, user.token)).toBe(false);
  for (const { email } of [user, merged]) expect((await trySignIn(system, email)).status).toBe(200);
  const types = await until(async () => {
    const { events } = await expectOk<EventList>(
      callOperation(admin, webhooks.adminListEvents, { query: { limit: 100 } }),
    );
    const own = events.filter(({ data }) => data["mergedUserId"] === merged.user.id);
    return own.length === 2 && own.map(({ type }) => type).toSorted();
  });
  expect(types).toEqual(["user.merge-undone", "user.merged"]);
});

/** Attack: a delegate gives a user of theirs the accounts of a user with other permissions, or the other way round. */
test("admins merge only users whose permissions they have, and never themselves", async () => {
  const merger = await signUpVerified("merger");
  const [user, banner] = [await signUpVerified(), await signUpVerified("banner")];
  const refused = errorResponse(
    403,
    "YOU_ARE_NOT_ALLOWED_TO_MERGE_USERS",
    "You are not allowed to merge users",
  );
  expect(await merge(user, banner, merger)).toEqual(refused);
  expect(await merge(banner, user, merger)).toEqual(refused);
  expect(await merge(user, await signUpVerified(), banner)).toEqual(refused);
  for (const answer of [await merge(merger, user, merger), await merge(user, merger, merger)])
    expect(answer).toEqual(
      errorResponse(400, "YOU_CANNOT_MERGE_YOURSELF", "You cannot merge yourself"),
    );
  const merged = await signUpVerified();
  const { id } = await expectOk<Merge>(merge(user, merged));
  const undo = (by: TestUser) => callOperation(by, identity.adminUndoMerge, { body: { id } });
  expect(await undo(banner)).toEqual(refused);
  expect((await undo(merger)).status).toBe(200);
});

test("users whose addresses nobody has proven are not merged", async () => {
  const [user, unproven] = [await signUpVerified(), await signUp(system)];
  expect(await merge(user, unproven)).toMatchObject({
    status: 409,
    body: { code: "USERS_CANNOT_BE_MERGED" },
  });
});
