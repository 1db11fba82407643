import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import {
  apiKeyOperations,
  clientWithKey,
  type CreatedKey,
  createKey,
  createKeyFor,
  getSession,
  keySessionConfig,
  verificationCode,
} from "../harness/api-keys.ts";
import { keyRefusals } from "../harness/api-key-errors.ts";
import { callOperation, expectOk } from "../harness/operations.ts";
import { addMember, createOrganization } from "../harness/organizations.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { enableApp } from "../harness/second-factor.ts";
import { useSystem } from "../harness/use-system.ts";
import { password, setRole, signUp, type TestUser } from "../harness/users.ts";
import { verifyAddress } from "../harness/rows.ts";

expectNoLeaks("file");

const newPassword = "another horse battery";
const needsFactor = errorResponse(403, "TWO_FACTOR_REQUIRED", "A second factor is required");

let ada: TestUser;
const { system, rows } = useSystem({
  stores: "postgres",
  config: keySessionConfig(
    {},
    {
      session: { cookieCache: { enabled: true } },
      twoFactor: { required: { roles: ["auditor"] } },
      admin: { roles: { auditor: {}, admin: {}, user: {} }, adminRoles: ["admin"] },
    },
  ),
});
beforeEach(async () => {
  ada = await signUp(system);
  await verifyAddress(rows, ada.user.id);
});

const use = (key: string) => getSession(clientWithKey(system, key));
const statusOf = async (key: string) => (await use(key)).status;
const reroll = (owner: TestUser, keyId: string): Promise<CreatedKey> =>
  expectOk(callOperation<CreatedKey>(owner, apiKeyOperations.rerollApiKey, { body: { keyId } }));
const mailsOf = ({ email }: TestUser) =>
  system.smtp.mails.filter(({ to, subject }) => to.includes(email) && /API key/.test(subject));

/** Makes a session as old as one that was stolen long after its sign-in. */
const age = ({ user }: TestUser) =>
  rows.query(
    `update identity.session set authenticated_at = now() - interval '2 days',
    second_factor_at = second_factor_at - interval '2 days' where user_id = $1`,
    user.id,
  );

describe("a second factor that the installation requires", () => {
  test("is required of keys too, tokens included, and services still verify the keys", async () => {
    const keys = [await createKey(ada), await createKeyFor(system, ada)];
    for (const { key } of keys) expect(await statusOf(key)).toBe(200);
    await setRole(system, ada.user.id, "auditor");
    for (const { key } of keys) {
      expect(await use(key)).toEqual(needsFactor);
      const token = await clientWithKey(system, key).browser.get("/token");
      expect(await readResponse(token)).toEqual(needsFactor);
      expect(await verificationCode(system, key)).toBeNull();
    }
  });

  test("is fulfilled by a key whose creator has shown one", async () => {
    await enableApp(ada);
    const { key } = await createKey(ada);
    await setRole(system, ada.user.id, "auditor");
    expect(await statusOf(key)).toBe(200);
  });
});

test("a user's own second factor ends the use of earlier keys until they are re-rolled", async () => {
  const [earlier, ofService] = [await createKey(ada), await createKeyFor(system, ada)];
  await enableApp(ada);
  expect(await use(earlier.key)).toEqual(needsFactor);
  expect(await statusOf(ofService.key)).toBe(200);
  const successor = await reroll(ada, earlier.id);
  expect(await statusOf(successor.key)).toBe(200);
  expect(await use(earlier.key)).toEqual(needsFactor);
});

test("an organization that requires a second factor refuses other keys of its members", async () => {
  await enableApp(ada);
  const member = await signUp(system);
  const { id: organizationId } = await createOrganization(ada);
  await addMember(system, member, { organizationId });
  const [ofOwner, ofMember] = [await createKey(ada), await createKey(member)];
  const read = async ({ key }: CreatedKey) =>
    readResponse(
      await clientWithKey(system, key).browser.get(
        `/organization/get-full-organization?organizationId=${organizationId}`,
      ),
    );
  for (const key of [ofOwner, ofMember]) expect((await read(key)).status).toBe(200);
  const policy = { organizationId, required: true };
  const set = await ada.browser.post("/organization/set-two-factor-policy", policy);
  expect(set.status).toBe(200);
  expect((await read(ofOwner)).status).toBe(200);
  expect(await read(ofMember)).toEqual(needsFactor);
});

describe("a key that can stand for a session", () => {
  const notFresh = (requires: string) => ({
    status: 403,
    body: { code: "SESSION_IS_NOT_FRESH", details: { requires } },
  });

  /** Attack: the thief of an old session makes itself a key that stays when the session ends. */
  test("is created and re-rolled only in a session with a recent proof", async () => {
    const { id } = await createKey(ada);
    const attempt = async () => [
      await callOperation(ada, apiKeyOperations.createApiKey, { body: {} }),
      await callOperation(ada, apiKeyOperations.rerollApiKey, { body: { keyId: id } }),
    ];
    await age(ada);
    for (const answer of await attempt()) expect(answer).toMatchObject(notFresh("sign-in"));
    const elsewhere = await signUp(system);
    await enableApp(elsewhere);
    await age(elsewhere);
    const refused = await callOperation(elsewhere, apiKeyOperations.createApiKey, { body: {} });
    expect(refused).toMatchObject(notFresh("second-factor"));
  });

  test("ends with a reset of the password, and keys for services only stay", async () => {
    const key = await createKey(ada);
    const invoices = await createKeyFor(system, ada, { permissions: { invoice: ["read"] } });
    await ada.browser.post("/request-password-reset", { email: ada.email });
    const link = await until(() =>
      system.smtp.mails.find(
        ({ to, links }) => to.includes(ada.email) && /reset/.test(links[0] ?? ""),
      ),
    );
    const token = new URL(link.links[0] ?? "").pathname.split("/").at(-1);
    expect((await ada.browser.post("/reset-password", { token, newPassword })).status).toBe(200);
    expect(await use(key.key)).toEqual(keyRefusals.unknown);
    expect(await verificationCode(system, invoices.key)).toBeNull();
  });

  test("ends with a change of the password only if the other sessions end", async () => {
    const key = await createKey(ada);
    const change = async (currentPassword: string, next: string, revokeOtherSessions: boolean) => {
      const body = { currentPassword, newPassword: next, revokeOtherSessions };
      expect((await ada.browser.post("/change-password", body)).status).toBe(200);
    };
    await change(password, newPassword, false);
    expect(await statusOf(key.key)).toBe(200);
    await change(newPassword, password, true);
    expect(await use(key.key)).toEqual(keyRefusals.unknown);
    expect(await statusOf((await createKey(ada)).key)).toBe(200);
  });
});

test("a mail tells the user of a key that is created or re-rolled, and not of a service's", async () => {
  const { id } = await createKey(ada, { name: "Till" });
  const mail = await until(() => mailsOf(ada)[0]);
  expect(mail.text).toContain("An API key “Till” was created for your account");
  await createKeyFor(system, ada);
  await reroll(ada, id);
  expect(await until(() => mailsOf(ada).length === 2)).toBe(true);
});
