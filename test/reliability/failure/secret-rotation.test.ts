import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "@latchkey/contracts";
import { sealedPlacesOf } from "@latchkey/crypto";
import { until } from "@latchkey/testkit";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { matrix } from "../../harness/matrix.ts";
import { callOperation, expectOk, serviceConfig } from "../../harness/operations.ts";
import { openPool } from "../../harness/rows.ts";
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

let folder: string;
let stores: Stores;
let system: System | undefined;
let receiver: WebhookReceiver;
let user: TestUser;
let other: TestUser;
let app: App;
let webhook: Webhook;

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
      // A first code would have to arrive within its step.
      twoFactor: { skipVerificationOnEnable: true },
    },
  });
  return system;
};

/** Starts an installation with everything that outlives a secret: an app with backup codes, a webhook, sessions and keys. */
const fill = async (kind: "own redis" | "postgres"): Promise<void> => {
  stores = await openStores(kind);
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
    const pool = openPool(stores.databaseUrl);
    const sealedValues = async () => {
      const { rows } = await pool.query<{ sealed: string }>(
        `select secret_sealed as sealed from webhooks.endpoint union all
         select secret_sealed from identity.two_factor union all
         select code_sealed from identity.backup_code`,
      );
      return new Set(rows.map(({ sealed }) => sealed));
    };
    const before = await sealedValues();
    expect(before.size).toBeGreaterThan(10);
    await start([newer, older]);
    await until(async () => [...(await sealedValues())].every((sealed) => !before.has(sealed)), {
      timeoutMs: 120_000,
      describe: "everything sealed again",
    });
    await pool.end();
    expect((await latchkey(["reseal"], `${newer},${older}`)).code).toBe(0);
    await expectWhole();
  });

  test("after a leak, reseal --from-file saves everything offline, and a second run finds nothing to do", async () => {
    await fill(kind);
    await system?.stop();
    system = undefined;
    const { code: failed, stdout } = await latchkey(["doctor"], newer);
    expect([failed, stdout]).toEqual([
      1,
      expect.stringMatching(/^fail {2}sealed values of webhooks: .*--from-file/m),
    ]);
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
    await expectWhole();
  });

  test("without the secret that sealed them, reseal changes nothing and says which values are lost", async () => {
    await fill(kind);
    const { code, stdout } = await latchkey(["reseal"], newer);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^webhooks\.endpoint\.secret_sealed .* 1 that no given secret opens$/m),
    ]);
    expect((await latchkey(["reseal"], older)).code).toBe(0);
  });
});

test("every column of sealed values is declared", async () => {
  stores = await openStores("postgres");
  const pool = openPool(stores.databaseUrl);
  const { rows } = await pool.query<{ name: string }>(
    `select table_schema || '.' || table_name || '.' || column_name as name from information_schema.columns
     where column_name ~ '(^|_)sealed$' and data_type = 'text' order by 1`,
  );
  await pool.end();
  const declared = ["identity", "mailer", "webhooks", "organization", "apikey"].flatMap((service) =>
    sealedPlacesOf(service).map(({ table, column }) => `${service}.${table}.${column}`),
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(declared).toEqual(expect.arrayContaining(rows.map(({ name }) => name)));
});
