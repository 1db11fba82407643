import { join } from "node:path";
import { readFile, stat } from "node:fs/promises";
import { operations, type PersonExport, personExport } from "@latchkey/contracts";
import { readPersonAudit } from "@latchkey/service-kit/audit";
import { withDatabase } from "@latchkey/service-kit/database";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrateAll } from "../../apps/cli/src/installation/migrate-all.ts";
import { createKey, deleteKey, verify } from "../harness/api-keys.ts";
import {
  addMember,
  ageInvitations,
  createOrganization,
  inviteMember,
} from "../harness/organizations.ts";
import { callOperation, expectOk } from "../harness/operations.ts";
import { tinyPicture } from "../harness/pictures.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import type { System } from "../harness/start-system.ts";
import { password, signUp, type TestUser } from "../harness/users.ts";
import { openPlace, type Place } from "./place.ts";

expectNoLeaks("file");

const agent = "the browser of an admin";

let place: Place;
let running: Awaited<ReturnType<Place["start"]>>;
let rows: Rows;
let ada: TestUser;
let bob: TestUser;
let admin: TestUser;
let key: { id: string; key: string };

/** Gives a user a passkey, a second factor and a browser that is not asked for it. */
const giveFactors = async (userId: string): Promise<void> => {
  await rows.query(
    `insert into identity.refused_sign_in (user_id, day, ip_address, reason, count, first_at, last_at)
    values ($1, '2030-01-02', '192.0.2.7', 'wrong-password', 3, '2030-01-02T01:00Z', '2030-01-02T02:00Z')`,
    userId,
  );
  await rows.query(
    `insert into identity.passkey (id, user_id, name, credential_id, public_key, counter, device_type, backed_up, aaguid,
      user_verified, created_at)
    values ('key-of-ada', $1, 'laptop key', 'a credential', 'a public key', 0, 'multiDevice', true, '', true, now())`,
    userId,
  );
  await rows.query(
    `insert into identity.two_factor (user_id, secret_sealed, sealed_by, enabled_at)
    values ($1, 'a sealed secret', 'name', now())`,
    userId,
  );
  await rows.query(
    `insert into identity.backup_code (id, user_id, code_sealed, sealed_by, is_pending, is_case_sensitive, created_at)
    values ('code-1', $1, 'a sealed code', 'name', false, false, now()),
      ('code-2', $1, 'a prepared code', 'name', true, false, now())`,
    userId,
  );
  await rows.query(
    `insert into identity.trusted_device (id, user_id, token_hash, passed_at, created_at, last_used_at, expires_at,
      ip_address, user_agent)
    values ('device', $1, 'a hash', now(), now(), now(), now() + interval '1 day', '192.0.2.9', 'Firefox')`,
    userId,
  );
};

/** Creates Ada with all kinds of data, and other users. */
const settle = async (system: System): Promise<void> => {
  [ada, bob, admin] = [await signUp(system), await signUp(system), await signUp(system)];
  await rows.query("update identity.user set role = 'admin' where id = $1", admin.user.id);
  await rows.query("update identity.user set name = 'Bob the other' where id = $1", bob.user.id);
  await giveFactors(ada.user.id);
  await expectOk(
    callOperation(ada, operations.identity.uploadPicture, { body: { picture: tinyPicture } }),
  );
  const own = await createOrganization(ada, { name: "Own" });
  await addMember(system, bob, { organizationId: own.id });
  await inviteMember(ada, "guest@example.com");
  const others = await createOrganization(bob, { name: "Of others" });
  await ageInvitations(rows);
  await bob.browser.post("/organization/set-active", { organizationId: others.id });
  await inviteMember(bob, ada.email);
  key = await createKey(ada, { name: "laptop" });
  const gone = await createKey(ada, {});
  for (const { key: text } of [key, gone]) expect((await verify(system, text)).valid).toBe(true);
  await until(async () => (await rows.query("select 1 from apikey.key_usage")).length === 2);
  await deleteKey(ada, gone.id);
  const act = { "user-agent": agent };
  const about = { userId: ada.user.id };
  const banned = await admin.browser.post("/admin/set-role", { ...about, role: "user" }, act);
  expect(banned.status).toBe(200);
  expect((await admin.browser.post("/admin/impersonate-user", about, act)).status).toBe(200);
  await until(
    async () =>
      (await rows.query("select 1 from mailer.delivery where settled_at is not null")).length > 1,
  );
};

beforeAll(async () => {
  place = await openPlace({ stores: "postgres", smtpUrl: "" });
  await migrateAll(place.settings);
  rows = openRows(place);
  running = await place.start();
  await settle(running);
});
afterAll(async () => {
  await running?.stop();
  await rows?.close();
  await place?.close();
});

const exported = async (
  who: string,
  file: string,
): Promise<{ text: string; person: PersonExport }> => {
  const out = join(place.folder, file);
  const { code, stdout, stderr } = await place.run(["export", "person", who, "--out", out]);
  expect([code, stdout, stderr]).toEqual([0, "", ""]);
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  const text = await readFile(out, "utf8");
  return { text, person: personExport.parse(JSON.parse(text)) };
};

test("the export of a user contains all of the user's data, none of others and no secrets", async () => {
  const { text, person } = await exported(ada.email.toUpperCase(), "ada.json");
  expect(person.user).toMatchObject({ id: ada.user.id, email: ada.email, role: "user" });
  expect(person.accounts).toMatchObject([{ providerId: "credential", hasPassword: true }]);
  expect(person.sessions).toMatchObject([
    { isImpersonated: true, ipAddress: null, userAgent: null },
    { isImpersonated: false, ipAddress: "127.0.0.1" },
  ]);
  expect(person.pictures).toEqual([{ contentType: "image/png", base64: tinyPicture }]);
  expect(person.passkeys).toMatchObject([{ name: "laptop key", lastUsedAt: null }]);
  expect(person.secondFactors).toMatchObject([
    { hasApp: true, backupCodesLeft: 1, lockedUntil: null },
  ]);
  expect(person.trustedDevices).toMatchObject([{ ipAddress: "192.0.2.9", userAgent: "Firefox" }]);
  expect(person.refusedSignIns).toMatchObject([
    { day: "2030-01-02", ipAddress: "192.0.2.7", reason: "wrong-password", count: 3 },
  ]);
  expect(person.lastSignIns).toMatchObject([{ methods: "password", ipAddress: "127.0.0.1" }]);
  expect(person.memberships).toMatchObject([{ organization: { name: "Own" }, role: "owner" }]);
  expect(person.invitationsReceived).toMatchObject([{ organization: { name: "Of others" } }]);
  expect(person.invitationsSent).toMatchObject([{ email: "guest@example.com" }]);
  expect(person.apiKeys).toMatchObject([{ id: key.id, name: "laptop" }]);
  expect(person.apiKeyUsage.map(({ valid }) => valid)).toEqual([1, 1]);
  expect(person.organizationApiKeys).toEqual([]);
  const mails = person.mails.map(({ event, recipient }) => [event, recipient]);
  expect(mails.toSorted()).toEqual([
    ["api-key.added", ada.email],
    ["api-key.added", ada.email],
    ["invitation.sent", ada.email],
  ]);
  const actions = person.audit.map(({ action, byPerson }) => `${action} ${byPerson}`);
  expect(actions).toEqual(
    expect.arrayContaining([
      "user.created true",
      "user.role-changed false",
      "user.exported false",
      "organization.created true",
      "api-key.deleted true",
    ]),
  );
  const secrets = await rows.query(
    `select password as value from identity.account
     union all select token_sealed from identity.session
     union all select encode(token_hash, 'hex') from identity.session
     union all select key from apikey.api_key
     union all select secret_sealed from identity.two_factor
     union all select code_sealed from identity.backup_code
     union all select unnest(array[encode(token_hash, 'hex'), encode(token_hash, 'base64')]) from identity.trusted_device
     union all select unnest(array[encode(public_key, 'hex'), encode(public_key, 'base64')]) from identity.passkey`,
  );
  const others = [bob, admin].flatMap(({ user, email, token }) => [user.id, email, token]);
  const absent = [...others, "Bob the other", agent, key.key, ada.token, password];
  for (const value of [...absent, ...secrets.map((row) => String(row["value"]))])
    expect(text, value).not.toContain(value);
});

test("an admin's entries do not name the users on whom the admin acted", async () => {
  const entries: PersonExport["audit"] = [];
  const service = "identity";
  await withDatabase<unknown, void>(place.settings, service, (db) =>
    readPersonAudit(db, { service, userId: admin.user.id }, async (entry) => {
      entries.push(entry);
    }),
  );
  const changed = entries.find(({ action }) => action === "user.role-changed");
  expect(changed).toMatchObject({ byPerson: true, subject: { kind: "user", id: null } });
  for (const value of [ada.user.id, ada.email])
    expect(JSON.stringify(entries)).not.toContain(value);
});

test("without such a user there is no export and no file", async () => {
  const out = join(place.folder, "nobody.json");
  const nobody = await place.run(["export", "person", "nobody@example.com", "--out", out]);
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining("nobody has that")]);
  await expect(stat(out)).rejects.toThrow("ENOENT");
});
