import { hashToken, randomToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, expect, test } from "vitest";
import { startGrant } from "../engine/commit.ts";
import {
  addClient,
  createUsers,
  isActive,
  openOauthDatabase,
  postForm,
  startEngine,
  type TestClient,
  type Tokens,
  basic,
} from "../engine/engine.fixture.ts";
import { sweepArtifacts } from "../service.ts";
import {
  decideDeviceRequest,
  insertDeviceRequest,
  pollDeviceRequest,
  returnUserCodeTry,
  takeUserCodeTry,
  useDeviceRequest,
} from "./queries.ts";

expectNoLeaks("file");

const callers = 16;
const { db, connect } = await openOauthDatabase(callers);
const otherDb = connect(callers);
const users = createUsers();
const clock = createTestClock();
beforeEach(() => clock.set(Date.now()));
const engine = startEngine(db, { users, clock: clock.now });
const other = startEngine(otherDb, { users, clock: clock.now });
const now = () => new Date(clock.now());

/** Calls sixteen times at once, by turns on two replicas. */
const race = <T>(call: (isFirst: boolean) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: callers }, (_, index) => call(index % 2 === 0)));

const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
const metadata = {
  grant_types: [grant_type, "refresh_token"],
  redirect_uris: [],
  response_types: [],
};

const begin = async (client: TestClient, scope = "openid offline_access") => {
  const answer = await engine.run({
    method: "POST",
    path: "/device/code",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      authorization: basic(client),
    },
    body: new URLSearchParams({ scope }).toString(),
    device: {
      userCodeMac: randomToken(43, "urlSafe"),
      addressMac: client.id,
      deviceSealed: "",
      intervalSeconds: 5,
    },
  });
  return { answer, code: (JSON.parse(answer.body) as { device_code: string }).device_code };
};

const approve = async (client: TestClient, code: string, on = db): Promise<boolean> => {
  const session = users.signIn();
  const { userId, authenticatedAt, amr, acr } = session;
  const granted = ["openid", "offline_access"];
  const start = { clientId: client.id, granted, signedIn: session, accessEpoch: 1 };
  const grant = await engine.grantDevice(start);
  return on.transaction().execute(async (trx) => {
    await startGrant(trx, { clock: clock.now }, grant);
    const authentication = JSON.stringify({ authenticatedAt, amr, acr });
    const by = { userId, accessEpoch: 1, authentication, grantId: grant.id, now: now() };
    return decideDeviceRequest(trx, hashToken(code), { state: "approved", ...by });
  });
};

const poll = (client: TestClient, device_code: string, by = engine) =>
  postForm(by, "/oauth2/token", { client, form: { grant_type, device_code } });

const errorOf = ({ body }: { body: string }) => (JSON.parse(body) as { error?: string }).error;

test("gives one of sixteen concurrent polls the tokens, which end with their grant", async () => {
  const client = await addClient(db, { metadata });
  const { code } = await begin(client);
  expect(await approve(client, code)).toBe(true);
  // An approved device has no token yet, and its grant must not be swept.
  await sweepArtifacts({ db, clock: clock.now });
  const answers = await race((isFirst) => poll(client, code, isFirst ? engine : other));
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(answers.filter((answer) => errorOf(answer) === "invalid_grant")).toHaveLength(15);
  const tokens = JSON.parse(won[0]?.body ?? "") as Tokens;
  expect(await isActive(engine, client, tokens.access_token)).toBe(true);
  const claims = JSON.parse(
    Buffer.from(tokens.id_token.split(".")[1] ?? "", "base64url").toString(),
  ) as object;
  expect(claims).toMatchObject({ amr: ["pwd"], auth_time: expect.any(Number) });
  expect(await db.selectFrom("deviceRequest").select("hash").execute()).toEqual([]);
});

test("lets one of sixteen concurrent decisions count", async () => {
  const client = await addClient(db, { metadata });
  const { code } = await begin(client);
  const decided = await race((isFirst) =>
    isFirst
      ? approve(client, code)
      : decideDeviceRequest(otherDb, hashToken(code), {
          state: "denied",
          userId: "eve",
          accessEpoch: null,
          authentication: null,
          grantId: null,
          now: now(),
        }),
  );
  expect(decided.filter(Boolean)).toHaveLength(1);
});

test("makes the interval longer with each poll that comes too soon, and for no other client", async () => {
  const client = await addClient(db, { metadata });
  const foreign = await addClient(db, { metadata });
  const { code } = await begin(client);
  expect(errorOf(await poll(foreign, code))).toBe("invalid_grant");
  expect(errorOf(await poll(client, code))).toBe("authorization_pending");
  clock.advance(4_000);
  expect(errorOf(await poll(client, code))).toBe("slow_down");
  clock.advance(9_000);
  expect(errorOf(await poll(client, code))).toBe("slow_down");
  clock.advance(15_000);
  expect(errorOf(await poll(client, code))).toBe("authorization_pending");
  clock.set(Date.now()); // the provider reads the real time
  await approve(client, code);
  expect(errorOf(await poll(client, code))).toBeUndefined();
});

test("lets a hundred requests of a client and address wait, of concurrent ones too", async () => {
  const client = await addClient(db, { metadata });
  const row = (index: number) => ({
    hash: hashToken(`${client.id} ${index}`),
    userCodeMac: `${client.id} ${index}`,
    addressMac: client.id,
    clientId: client.id,
    payload: null,
    scope: "",
    deviceSealed: "",
    state: "pending" as const,
    userId: null,
    accessEpoch: null,
    authentication: null,
    grantId: null,
    intervalSeconds: 5,
    polledAt: null,
    createdAt: now(),
    expiresAt: new Date(clock.now() + 600_000),
  });
  for (let index = 0; index < 95; index += 1)
    await db.transaction().execute((trx) => insertDeviceRequest(trx, row(index)));
  let index = 95;
  const stored = await race((isFirst) => {
    const one = row(index++);
    return (isFirst ? db : otherDb).transaction().execute((trx) => insertDeviceRequest(trx, one));
  });
  expect(stored.filter(Boolean)).toHaveLength(5);
  expect((await begin(client)).answer.status).toBe(429);
});

test("gives one of sixteen concurrent polls the request of a session, which tokens never get", async () => {
  const client = await addClient(db, { metadata });
  const { code } = await begin(client);
  await approve(client, code);
  const hash = hashToken(code);
  const polled = { hash, clientIds: [client.id], getsSession: true, now: now() };
  expect(await pollDeviceRequest(db, polled)).toBeUndefined();
  const uses = await race((isFirst) => useDeviceRequest(isFirst ? db : otherDb, hash, now()));
  expect(uses.filter(Boolean)).toHaveLength(1);
});

/** Attack: many guesses of a user's code at the same time. */
test("takes five wrong codes in half an hour, of concurrent ones too", async () => {
  const key = randomToken(43, "urlSafe");
  const takenAt = now();
  const waits = await race((isFirst) => takeUserCodeTry(isFirst ? db : otherDb, key, takenAt));
  expect(waits.filter((nextAt) => nextAt === undefined)).toHaveLength(5);
  await returnUserCodeTry(db, key);
  expect(await takeUserCodeTry(db, key, takenAt)).toBeUndefined();
  expect(await takeUserCodeTry(db, key, takenAt)).toEqual(new Date(takenAt.getTime() + 1_800_000));
  clock.advance(1_800_001);
  expect(await takeUserCodeTry(db, key, now())).toBeUndefined();
});
