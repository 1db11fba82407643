import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  expectNoLeaks,
  freePort,
  type SmtpCatcher,
  startSmtpCatcher,
  until,
} from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { readLines } from "../../apps/cli/src/terminal/read-lines.ts";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { type CreatedKey, createKey, verify } from "../harness/api-keys.ts";
import {
  acceptInvitation,
  createOrganization,
  type InvitationView,
  inviteMember,
} from "../harness/organizations.ts";
import { openRows } from "../harness/rows.ts";
import type { System } from "../harness/start-system.ts";
import { password, signUp, type TestUser } from "../harness/users.ts";
import { openPlace, type Place } from "./place.ts";
import { contentOf } from "./read-export.ts";

expectNoLeaks("file");

/** Characters that often break formats. */
const hostileName = 'Zoë 🔑 "\\" \u2028 \u0001 </script> \\u0000 {"table":"x"}';
/** Has more digits than a JavaScript number can represent exactly. */
const manyDigits = "9007199254740993";

let smtp: SmtpCatcher;
let places: [postgres: Place, redis: Place, back: Place];
let owner: TestUser;
let invitee: TestUser;
let key: CreatedKey;
let invitation: InvitationView;
let organizationId: string;
let kid: string;

/** Returns the same browser with its cookies for another installation. */
const moved = (cookies: ReadonlyMap<string, string>, { url }: System): BrowserLike => {
  const browser = createBrowserLike(url);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
};

const firstKid = async ({ url }: System): Promise<string> => {
  const { keys } = (await (await fetch(`${url}/jwks`)).json()) as { keys: { kid: string }[] };
  return keys[0]?.kid ?? "";
};

/** Creates users and their data in an installation that delivers no mails. */
const settle = async (place: Place): Promise<void> => {
  const system = await place.start();
  const rows = openRows(place);
  try {
    owner = await signUp(system);
    invitee = await signUp(system);
    const organization = await createOrganization(owner);
    organizationId = organization.id;
    const metadata = JSON.stringify({ text: "x\u0000y".repeat(20_000) });
    await rows.query("update organization.organization set metadata = $1", metadata);
    invitation = await inviteMember(owner, invitee.email);
    key = await createKey(owner, {});
    await rows.query("update apikey.api_key set remaining = 5 where id = $1", key.id);
    expect((await verify(system, key.key)).valid).toBe(true);
    await owner.browser.post("/update-user", { name: hostileName });
    const other = await signUp(system);
    await rows.query(
      `update identity."user" set revision = $1::bigint, name = E'a\\tb\\r\\nc' where id = $2`,
      manyDigits,
      other.user.id,
    );
    kid = await firstKid(system);
    await until(async () => (await rows.query("select 1 from mailer.delivery")).length === 2);
  } finally {
    await rows.close();
    await system.stop();
  }
};

const exported = async (place: Place, name: string): Promise<string> => {
  const file = join(place.folder, name);
  const { code, stderr } = await place.run(["export", "all", "--out", file]);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Exported \d+ rows of \d+ tables/)]);
  return file;
};

const imported = async (place: Place, file: string): Promise<void> => {
  const { code, stdout, stderr } = await place.run(["import", "latchkey", "--from", file]);
  expect([code, stderr, stdout]).toEqual([0, "", expect.stringContaining("Services may start")]);
};

beforeAll(async () => {
  smtp = await startSmtpCatcher({});
  const nowhere = `smtp://127.0.0.1:${await freePort()}`;
  places = [
    await openPlace({ stores: "postgres", smtpUrl: nowhere, isMigrated: true }),
    await openPlace({ stores: "redis", smtpUrl: smtp.url }),
    await openPlace({ stores: "postgres", smtpUrl: smtp.url }),
  ];
  await settle(places[0]);
});
afterAll(async () => {
  for (const place of places ?? []) await place.close();
  await smtp?.stop();
});

/** Checks that everything still works in an installation. Uses a key once. */
const expectToWork = async (running: System, remaining: number): Promise<void> => {
  const browser = moved(owner.browser.cookies, running);
  expect(await (await browser.get("/get-session")).json()).toMatchObject({
    user: { id: owner.user.id, name: hostileName },
    session: { activeOrganizationId: organizationId },
  });
  const fresh = createBrowserLike(running.url);
  const { email } = owner;
  expect((await fresh.post("/sign-in/email", { email, password })).status).toBe(200);
  expect(await verify(running, key.key)).toMatchObject({
    valid: true,
    key: { id: key.id, remaining },
  });
  expect(await firstKid(running)).toBe(kid);
};

/** Generous, because commands and services start many times. */
const timeout = 240_000;
let onward: string;

test(
  "an export of Postgres, imported with Redis, is exported again unchanged",
  async () => {
    const [first, second] = places;
    const file = await exported(first, "first.jsonl");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toContain(`"revision":"${manyDigits}"`);
    await imported(second, file);
    expect(await contentOf(await second.exportHere())).toEqual(await contentOf(readLines(file)));
  },
  timeout,
);

test(
  "passwords, live sessions, keys, signing keys and invitations work after the import, and pending mails are delivered once",
  async () => {
    const [, second] = places;
    const there = await second.start();
    const rows = openRows(second);
    try {
      await expectToWork(there, 3);
      // The invitation's mail had not been sent when the export was made, so its event was pending.
      await smtp.waitForMail(invitee.email, { timeoutMs: 120_000 });
      const guest = moved(invitee.browser.cookies, there);
      expect(await acceptInvitation({ browser: guest }, invitation.id)).toMatchObject({
        invitation: { status: "accepted" },
      });
    } finally {
      await rows.close();
      await there.stop();
    }
    onward = await exported(second, "onward.jsonl");
  },
  timeout,
);

matrixTest(
  "an import from Redis back to Postgres works completely, and its audit log is intact",
  async () => {
    const [, , third] = places;
    await imported(third, onward);
    expect(await contentOf(await third.exportHere())).toEqual(await contentOf(readLines(onward)));
    const back = await third.start();
    try {
      await expectToWork(back, 2);
    } finally {
      await back.stop();
    }
    const { code, stdout } = await third.run(["audit", "verify"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^identity: whole/m)]);
    expect(smtp.mails.filter(({ to }) => to.includes(invitee.email)).length).toBe(1);
  },
  timeout,
);
