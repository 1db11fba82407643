import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "@latchkey/contracts";
import {
  createSecretRing,
  openLegacyKey,
  seal,
  type SealedPlace,
  sealedPlacesOf,
  type SealPurpose,
  unseal,
} from "@latchkey/crypto";
import { until } from "@latchkey/testkit";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { matrix, matrixTest } from "../../harness/matrix.ts";
import { callOperation, expectOk, serviceConfig } from "../../harness/operations.ts";
import { openRows, type Rows } from "../../harness/rows.ts";
import { runLatchkey } from "../../harness/run-latchkey.ts";
import { type App, beginChallenge, prepareApp } from "../../harness/second-factor.ts";
import { type System, startSystem } from "../../harness/start-system.ts";
import { openStores, type Stores } from "../../harness/stores.ts";
import { signInElsewhere, signUp, signUpAs, type TestUser } from "../../harness/users.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../harness/webhook-receiver.ts";

const [older, newer] = [
  "the older secret of an installation",
  "the newer secret of an installation",
];

const places = ["identity", "mailer", "webhooks", "organization", "apikey", "oauth"].flatMap(
  sealedPlacesOf,
);
const nameOf = ({ service, table, column }: SealedPlace) => `${service}.${table}.${column}`;

let folder: string;
let stores: Stores;
let system: System | undefined;
let receiver: WebhookReceiver;
let user: TestUser;
let other: TestUser;
let app: App;
let webhook: Webhook;
let rows: Rows;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-rotation-"));
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await receiver.stop();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await system?.stop();
  system = undefined;
  await rows?.close();
  await stores?.close();
  receiver.received.length = 0;
});

const start = async (secret: string[]): Promise<System> => {
  await system?.stop();
  system = undefined;
  const { databaseUrl, redisUrl, redisKeyPrefix } = stores;
  system = await startSystem({
    stores: { databaseUrl, redisUrl, redisKeyPrefix },
    config: {
      ...serviceConfig,
      secret,
      rateLimit: { enabled: false },
      oauthProvider: { enabled: true },
      // A first code would have to arrive within its step.
      twoFactor: { skipVerificationOnEnable: true },
    },
  });
  return system;
};

/** Starts an installation with everything that outlives a secret: an app with backup codes, a webhook, sessions and keys. */
const fill = async (kind: "own redis" | "postgres"): Promise<void> => {
  stores = await openStores(kind);
  rows = openRows(stores);
  const first = await start([older]);
  const admin = await signUpAs(first, "admin");
  const created = await expectOk(
    callOperation<{ secret: string }>(admin, operations.webhooks.adminCreateWebhook, {
      body: { url: receiver.url, events: ["user.created"] },
    }),
  );
  webhook = new Webhook(created.secret);
  user = await signUp(first);
  app = await prepareApp(user);
  other = await signUp(first);
  // Creates the signing key.
  expect((await user.browser.get("/token")).status).toBe(200);
};

type Query = Rows["query"];

/** Returns values for the columns that a row of a table needs. No process acts on such a row before tomorrow. */
const requiredValues = async (query: Query, { service, table }: SealedPlace) => {
  const columns = await query(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = $1 and table_name = $2 and column_name <> 'published_at'
       and is_nullable = 'NO' and column_default is null and is_identity = 'NO' and is_generated = 'NEVER'
     union all
     select column_name, 'past' from information_schema.columns
     where table_schema = $1 and table_name = $2 and column_name = 'published_at'`,
    service,
    table,
  );
  const valueOf = (name: unknown, type: unknown): unknown => {
    if (name === "user_id") return user.user.id;
    if (type === "past") return new Date();
    if (type === "timestamp with time zone") return new Date(Date.now() + 86_400_000);
    if (type === "boolean") return false;
    return type === "text" ? randomUUID() : 0;
  };
  return Object.fromEntries(columns.map(({ name, type }) => [String(name), valueOf(name, type)]));
};

/** Seals a value in a row that has none in this column yet, or else in a new row. */
const sealInto = async (query: Query, place: SealedPlace, purpose: SealPurpose): Promise<void> => {
  const [table, { key, column, subject }] = [`${place.service}.${place.table}`, place];
  const sealFor = (id: unknown) =>
    seal(
      createSecretRing([older]),
      subject === undefined ? purpose : { purpose, subject: String(id) },
      "a value that must survive",
    );
  const [empty] = await query(
    `select ${key} as key, ${subject ?? key} as subject from ${table} where ${column} is null limit 1`,
  );
  if (empty) {
    const sealed = sealFor(empty["subject"]);
    await query(`update ${table} set ${column} = $1 where ${key} = $2`, sealed, empty["key"]);
    return;
  }
  const values = await requiredValues(query, place);
  values[column] = sealFor(values[subject ?? key]);
  const names = Object.keys(values);
  await query(
    `insert into ${table} (${names.join()}) values (${names.map((_, index) => `$${index + 1}`).join()})`,
    ...Object.values(values),
  );
};

/** Returns the values of a place, each with whether the secret opens it. Values without a secret are left out. */
const openAll = async (query: Query, place: SealedPlace, secret: string): Promise<boolean[]> => {
  const { service, table, column, subject, purposes } = place;
  const rows = await query(
    `select ${column} as value, ${subject ?? "null"} as subject from ${service}.${table}
     where ${column} ~ '^(v1[.][A-Za-z0-9_-]{38,}|"[0-9a-f]{80,}")$'`,
  );
  const ring = createSecretRing([secret]);
  return rows.map(
    ({ value, subject: id }) =>
      openLegacyKey(ring, String(value)) !== undefined ||
      purposes.some((purpose) =>
        unseal(ring, typeof id === "string" ? { purpose, subject: id } : purpose, String(value)),
      ),
  );
};

/** Returns the places without a sealed value, and those with one that the secret alone does not open. */
const lostPlaces = async (query: Query, secret: string): Promise<string[]> => {
  const lost: string[] = [];
  for (const place of places) {
    const opened = await openAll(query, place, secret);
    if (opened.length === 0 || opened.includes(false)) lost.push(nameOf(place));
  }
  return lost;
};

/** Stops the services, and lets each declared place hold a value of each of its purposes. */
const fillPlaces = async (query: Query): Promise<void> => {
  await system?.stop();
  system = undefined;
  for (const place of places) {
    const [purpose, ...others] = place.purposes;
    const isFilled = (await openAll(query, place, older)).length > 0;
    for (const one of isFilled || !purpose ? others : [purpose, ...others])
      await sealInto(query, place, one);
  }
  expect(await lostPlaces(query, older)).toEqual([]);
};

const latchkey = async (args: readonly string[], secret: string) => {
  const { databaseUrl, redisUrl, redisKeyPrefix } = stores;
  const file = join(folder, "latchkey.json");
  await writeFile(file, JSON.stringify({ redisUrl, advanced: { redisKeyPrefix } }));
  const environment = { DATABASE_URL: databaseUrl, AUTH_SECRET: secret, LATCHKEY_CONFIG: file };
  return runLatchkey(args, { folder, environment });
};

/** Expects that everything from before works with the newer secret alone. */
const expectWhole = async (): Promise<void> => {
  const running = await start([newer]);
  const byApp = await beginChallenge(running, user);
  expect((await byApp.post("/two-factor/verify-totp", { code: app.codeAt(0) })).status).toBe(200);
  const byCode = await beginChallenge(running, user);
  const [code = ""] = app.backupCodes;
  expect((await byCode.post("/two-factor/verify-backup-code", { code })).status).toBe(200);
  const elsewhere = await signInElsewhere(running, other);
  const listed = (await (await elsewhere.browser.get("/list-sessions")).json()) as {
    token: string;
  }[];
  expect(listed.map(({ token }) => token)).toContain(other.token);
  receiver.received.length = 0;
  await signUp(running);
  await until(() => receiver.received.length > 0);
  const [{ body, headers } = { body: "", headers: {} }] = receiver.received;
  expect(webhook.verify(body, headers)).toMatchObject({ type: "user.created" });
  const { stdout } = await latchkey(["doctor"], newer);
  expect(stdout).toMatch(/^ok {4}sealed values of identity:/m);
  expect(stdout).toMatch(/^ok {4}sealed values of webhooks:/m);
};

describe.each(matrix("own redis", "postgres"))("with sessions in %s", (kind) => {
  test("the services seal everything again while both secrets are listed, so that the older one can be left out", async () => {
    await fill(kind);
    await fillPlaces(rows.query);
    await start([older, newer]);
    expect(await lostPlaces(rows.query, older)).toEqual([]);
    await start([newer, older]);
    await until(async () => (await lostPlaces(rows.query, newer)).length === 0, {
      timeoutMs: 120_000,
      describe: "everything sealed again",
    });
    for (const command of ["rotate-keys", "reseal"])
      expect((await latchkey([command], `${newer},${older}`)).code).toBe(0);
    expect(await lostPlaces(rows.query, newer)).toEqual([]);
    await expectWhole();
  });

  matrixTest("after a leak, reseal saves everything offline with --from-file", async () => {
    await fill(kind);
    await fillPlaces(rows.query);
    const { code: failed, stdout } = await latchkey(["doctor"], newer);
    expect([failed, stdout]).toEqual([
      1,
      expect.stringMatching(/^fail {2}sealed values of webhooks: .*--from-file/m),
    ]);
    const refused = await latchkey(["reseal"], newer);
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringMatching(/^webhooks\.endpoint\.secret_sealed .* 1 that no given secret opens$/m),
    ]);
    expect(await lostPlaces(rows.query, older)).toEqual([]);
    const file = join(folder, "leaked-secret");
    await writeFile(file, `${older}\n`);
    const resealed = await latchkey(["reseal", "--from-file", file], newer);
    expect([resealed.code, resealed.stdout]).toEqual([
      0,
      expect.stringMatching(/^webhooks\.endpoint\.secret_sealed +1 sealed again, 0 already$/m),
    ]);
    const again = await latchkey(["reseal", "--from-file", file], newer);
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.not.stringMatching(/[1-9]\d* sealed again/),
    ]);
    expect((await latchkey(["rotate-keys"], newer)).code).toBe(0);
    expect(await lostPlaces(rows.query, newer)).toEqual([]);
    await expectWhole();
  });
});

test("every column of sealed values is declared", async () => {
  stores = await openStores("postgres");
  rows = openRows(stores);
  const columns = await rows.query(
    `select table_schema || '.' || table_name || '.' || column_name as name from information_schema.columns
     where data_type = 'text' and table_schema <> 'information_schema'
       and (column_name ~ '(^|_)sealed$|^(access|refresh|id)_token$|^private_key$' or (table_name = 'outbox' and column_name = 'data'))
       -- The answer to a refresh, which is of use for 30 seconds.
       and column_name <> 'answer_sealed'`,
  );
  expect(places.map(nameOf).toSorted()).toEqual(columns.map(({ name }) => name).toSorted());
});
