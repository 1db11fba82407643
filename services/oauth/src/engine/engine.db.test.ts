import { createTestClock, expectNoLeaks, until } from "@latchkey/testkit";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { deleteConsent, lockConsent } from "../consents/queries.ts";
import { sweepArtifacts } from "../service.ts";
import { endGrants } from "./queries.ts";
import {
  addClient,
  authorizeSearch,
  createUsers,
  exchange,
  interactionOf,
  isActive,
  obtainCode,
  obtainTokens,
  openOauthDatabase,
  placeOf,
  postForm,
  redirectUri,
  refresh,
  startEngine,
  type Tokens,
  userinfo,
} from "./engine.fixture.ts";

expectNoLeaks("file");

const callers = 16;
const { db, connect } = await openOauthDatabase(callers);
const users = createUsers();
const clock = createTestClock();
// The provider reads the real time, so each test begins at it.
beforeEach(() => clock.set(Date.now()));
const engine = startEngine(db, { users, clock: clock.now });
const replicas = [engine, startEngine(connect(callers), { users, clock: clock.now })] as const;

/** Calls sixteen times at once, by turns on the two replicas. */
const race = <T>(call: (replica: typeof engine) => Promise<T>): Promise<T[]> =>
  Promise.all(
    Array.from({ length: callers }, (_, index) => call(replicas[index % 2 === 0 ? 0 : 1])),
  );

const statuses = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);
const oneWins = [200, ...Array.from({ length: callers - 1 }, () => 400)];

test("lets one of sixteen concurrent uses of a code win, whose tokens work", async () => {
  const client = await addClient(db);
  const code = await obtainCode(engine, client, { session: users.signIn() });
  const answers = await race((replica) => exchange(replica, client, code));
  expect(statuses(answers)).toEqual(oneWins);
  const won = answers.find(({ status }) => status === 200);
  const tokens = JSON.parse(won?.body ?? "") as Tokens;
  expect(await isActive(engine, client, tokens.access_token)).toBe(true);
  expect(statuses(await race(() => refresh(engine, client, tokens)))[0]).toBe(200);
});

test("ends the grant of a code that is used again later", async () => {
  const client = await addClient(db);
  const code = await obtainCode(engine, client, { session: users.signIn() });
  const tokens = JSON.parse((await exchange(engine, client, code)).body) as Tokens;
  clock.advance(2_500);
  expect((await exchange(engine, client, code)).status).toBe(400);
  expect(await isActive(engine, client, tokens.access_token)).toBe(false);
});

/** All users of a client share its row, so a token that waited for it would wait for all of them. */
test("records the last use of a client to the minute, without waiting for its row", async () => {
  const client = await addClient(db, { machineScopes: "reports" });
  const form = { grant_type: "client_credentials" };
  const useAt = async (seconds: number): Promise<number | undefined> => {
    clock.advance(seconds * 1_000);
    expect((await postForm(engine, "/oauth2/token", { client, form })).status).toBe(200);
    const rows = db.selectFrom("client").select("lastUsedAt").where("id", "=", client.id);
    return (await rows.executeTakeFirstOrThrow()).lastUsedAt?.getTime();
  };
  const locked = await db.transaction().execute(async (trx) => {
    await trx.selectFrom("client").select("id").where("id", "=", client.id).forUpdate().execute();
    return useAt(0);
  });
  expect(locked).toBeUndefined();
  const first = clock.now();
  expect(await useAt(0)).toBe(first);
  expect(await useAt(30)).toBe(first);
  expect(await useAt(31)).toBe(first + 61_000);
});

test("leaves a code unused after a wrong secret", async () => {
  const client = await addClient(db);
  const code = await obtainCode(engine, client, { session: users.signIn() });
  const wrong = await exchange(engine, { ...client, secret: "wrong" }, code);
  expect([wrong.status, wrong.headers["www-authenticate"]]).toEqual([
    401,
    expect.stringContaining("Basic"),
  ]);
  expect((await exchange(engine, client, code)).status).toBe(200);
});

test("answers sixteen concurrent refreshes alike, by one new token", async () => {
  const client = await addClient(db);
  const tokens = await obtainTokens(engine, client, { session: users.signIn() });
  const answers = await race((replica) => refresh(replica, client, tokens));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
  const { refresh_token } = JSON.parse(answers[0]?.body ?? "") as Tokens;
  expect((await refresh(engine, client, { refresh_token })).status).toBe(200);
});

test("answers a retry within thirty seconds alike, and ends the grant at a later one", async () => {
  const client = await addClient(db);
  const session = users.signIn();
  const other = await obtainTokens(engine, client, { session });
  const tokens = await obtainTokens(engine, client, { session });
  const first = await refresh(engine, client, tokens);
  clock.advance(29_000);
  expect(await refresh(replicas[1], client, tokens)).toMatchObject({
    status: 200,
    body: first.body,
  });
  clock.advance(2_000);
  expect((await refresh(engine, client, tokens)).status).toBe(400);
  const { access_token, refresh_token } = JSON.parse(first.body) as Tokens;
  expect(await isActive(engine, client, access_token)).toBe(false);
  expect((await refresh(engine, client, { refresh_token })).status).toBe(400);
  // Another sign-in of the same user at the same client is a grant of its own.
  expect((await refresh(engine, client, other)).status).toBe(200);
});

test("lets one of sixteen concurrent uses of a pushed request get a code", async () => {
  const client = await addClient(db);
  const session = users.signIn();
  await db
    .insertInto("consent")
    .values({
      id: client.id,
      clientId: client.id,
      userId: session.userId,
      scopes: "openid profile email offline_access",
      createdAt: new Date(),
      updatedAt: new Date(),
    })
    .execute();
  const form = Object.fromEntries(new URLSearchParams(authorizeSearch(client)));
  const pushed = await postForm(engine, "/oauth2/par", { client, form });
  expect(pushed.status).toBe(201);
  const { request_uri } = JSON.parse(pushed.body) as { request_uri: string };
  const search = `?${new URLSearchParams({ client_id: client.id, request_uri }).toString()}`;
  const answers = await race((replica) =>
    replica.run({ method: "GET", path: "/oauth2/authorize", search, session }),
  );
  const codes = answers.flatMap((answer) =>
    answer.headers["location"]?.startsWith(redirectUri) ? [placeOf(answer).searchParams] : [],
  );
  const [code] = codes.flatMap((params) => params.getAll("code"));
  expect(codes.filter((params) => params.has("code"))).toHaveLength(1);
  expect((await exchange(engine, client, code ?? "")).status).toBe(200);
});

test("lets one of sixteen concurrent answers to a consent page get a code", async () => {
  const client = await addClient(db);
  const session = users.signIn();
  const search = authorizeSearch(client);
  const page = await engine.run({ method: "GET", path: "/oauth2/authorize", search, session });
  const answers = await race((replica) =>
    replica.resume(interactionOf(page), { session, result: { consent: { scopes: ["openid"] } } }),
  );
  const redirects = answers.filter(({ headers }) => headers["location"]?.includes("code="));
  expect(redirects).toHaveLength(1);
});

test("follows the session of Latchkey: another user in the browser gets no grant of the first", async () => {
  const client = await addClient(db);
  const [ada, eve] = [users.signIn(), users.signIn()];
  await obtainTokens(engine, client, { session: ada });
  const search = authorizeSearch(client);
  const signedOut = await engine.run({ method: "GET", path: "/oauth2/authorize", search });
  expect(placeOf(signedOut).pathname).toBe("/account/login");
  const page = await engine.run({
    method: "GET",
    path: "/oauth2/authorize",
    search,
    session: eve,
  });
  expect(placeOf(page).pathname).toBe("/account/consent");
  const tokens = await obtainTokens(engine, client, { session: eve });
  const claims = JSON.parse((await userinfo(engine, tokens.access_token)).body) as { sub: string };
  expect(claims.sub).toBe(eve.userId);
});

test("ends tokens without offline_access with their session", async () => {
  const client = await addClient(db);
  const session = users.signIn();
  const more = { scope: "openid" };
  const tokens = await obtainTokens(engine, client, { session, more });
  expect(tokens.refresh_token).toBeUndefined();
  expect(await isActive(engine, client, tokens.access_token)).toBe(true);
  users.of(session.userId).sessions.clear();
  expect(await isActive(engine, client, tokens.access_token)).toBe(false);
  expect((await userinfo(engine, tokens.access_token)).status).toBe(401);
});

test.each([
  ["a ban", ({ userId }: { userId: string }) => void (users.of(userId).isBanned = true)],
  ["a deletion", ({ userId }: { userId: string }) => void users.delete(userId)],
  [
    "the end of all access",
    ({ userId }: { userId: string }) => void (users.of(userId).accessEpoch += 1),
  ],
])("refuses every token at once after %s", async (_, end) => {
  const client = await addClient(db);
  const session = users.signIn();
  const tokens = await obtainTokens(engine, client, { session });
  const code = await obtainCode(engine, client, { session, more: { prompt: "consent" } });
  end(session);
  expect(await isActive(engine, client, tokens.access_token)).toBe(false);
  expect(await isActive(engine, client, tokens.refresh_token)).toBe(false);
  expect((await userinfo(engine, tokens.access_token)).status).toBe(401);
  expect((await refresh(engine, client, tokens)).status).toBe(400);
  expect((await exchange(engine, client, code)).status).toBe(400);
});

test("ends all grants of a user or client by one statement", async () => {
  const client = await addClient(db);
  const session = users.signIn();
  const tokens = await obtainTokens(engine, client, { session });
  const code = await obtainCode(engine, client, { session, more: { prompt: "consent" } });
  const { userId } = session;
  const end = { now: new Date(clock.now()), reason: "consent-withdrawn" } as const;
  expect(await endGrants(db, { userId, clientId: client.id }, end)).toHaveLength(2);
  expect(await isActive(engine, client, tokens.access_token)).toBe(false);
  expect((await refresh(engine, client, tokens)).status).toBe(400);
  expect((await exchange(engine, client, code)).status).toBe(400);
});

test("deletes grants of which nothing is left, and no others", async () => {
  const client = await addClient(db);
  const session = users.signIn();
  const tokens = await obtainTokens(engine, client, { session });
  const { userId } = session;
  const grants = () => db.selectFrom("grant").select("id").where("userId", "=", userId).execute();
  await sweepArtifacts({ db, clock: () => clock.now() });
  expect(await grants()).toHaveLength(1);
  expect(await isActive(engine, client, tokens.access_token)).toBe(true);
  await sweepArtifacts({ db, clock: () => clock.now() + 366 * 86_400_000 });
  expect(await grants()).toHaveLength(0);
});

/** Attack: a client that notices the withdrawal of a consent quickly signs the user in once more. */
test("gives no code to an authorization that a withdrawal of its consent overtakes", async () => {
  const client = await addClient(db);
  const session = users.signIn();
  const { userId } = session;
  await db
    .insertInto("consent")
    .values({
      id: client.id,
      clientId: client.id,
      userId,
      scopes: "openid",
      createdAt: new Date(),
      updatedAt: new Date(),
    })
    .execute();
  const search = authorizeSearch(client, { scope: "openid" });
  const authorize = () =>
    replicas[1].run({ method: "GET", path: "/oauth2/authorize", search, session });
  const silent = await db.transaction().execute(async (trx) => {
    await lockConsent(trx, { userId, id: client.id });
    const pending = authorize();
    const waits = sql<{ count: number }>`
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => ((await waits.execute(db)).rows[0]?.count ?? 0) > 0);
    await deleteConsent(trx, client.id);
    const end = { now: new Date(), reason: "consent-withdrawn" } as const;
    await endGrants(trx, { userId, clientId: client.id }, end);
    return { pending };
  });
  expect(placeOf(await silent.pending).pathname).toBe("/account/consent");
  const grants = db.selectFrom("grant").select("id").where("userId", "=", userId);
  expect(await grants.execute()).toEqual([]);
});

test("leaves out a scope that is no longer configured", async () => {
  const client = await addClient(db, { metadata: { scope: "openid email retired" } });
  const code = await obtainCode(engine, client, {
    session: users.signIn(),
    more: { scope: "openid email" },
    scopes: ["openid", "email"],
  });
  expect((await exchange(engine, client, code)).status).toBe(200);
});

test("uses a pushed request up after a user has taken minutes to consent", async () => {
  const client = await addClient(db);
  const session = users.signIn();
  const form = Object.fromEntries(new URLSearchParams(authorizeSearch(client)));
  const pushed = await postForm(engine, "/oauth2/par", { client, form });
  const { request_uri } = JSON.parse(pushed.body) as { request_uri: string };
  const search = `?${new URLSearchParams({ client_id: client.id, request_uri }).toString()}`;
  const page = await engine.run({ method: "GET", path: "/oauth2/authorize", search, session });
  clock.set(Date.now() + 300_000);
  const result = { consent: { scopes: ["openid"] } };
  const answered = await engine.resume(interactionOf(page), { session, result });
  expect(placeOf(answered).searchParams.get("code")).not.toBeNull();
});

test("stores no code, token or secret as it is", async () => {
  const client = await addClient(db);
  const tokens = await obtainTokens(engine, client, { session: users.signIn() });
  const code = await obtainCode(engine, client, { session: users.signIn() });
  const refreshed = JSON.parse((await refresh(engine, client, tokens)).body) as Tokens;
  const tables = ["artifact", "grant", "client", "clientSecret", "audit"] as const;
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  const dump = JSON.stringify(rows);
  for (const secret of [
    code,
    client.secret,
    tokens.access_token,
    tokens.refresh_token,
    refreshed.refresh_token,
  ])
    expect(dump).not.toContain(secret);
});

test("gives a machine only the scopes that it was given", async () => {
  const bare = await addClient(db);
  const form = { grant_type: "client_credentials" };
  const refused = await postForm(engine, "/oauth2/token", { client: bare, form });
  expect([refused.status, JSON.parse(refused.body)]).toMatchObject([
    400,
    { error: "unauthorized_client" },
  ]);
  const client = await addClient(db, { machineScopes: "reports:read" });
  const answer = await postForm(engine, "/oauth2/token", { client, form });
  expect(JSON.parse(answer.body)).toMatchObject({ scope: "reports:read", token_type: "Bearer" });
  const more = { ...form, scope: "openid" };
  const foreign = await postForm(engine, "/oauth2/token", { client, form: more });
  expect(JSON.parse(foreign.body)).toMatchObject({ error: "invalid_scope" });
});
