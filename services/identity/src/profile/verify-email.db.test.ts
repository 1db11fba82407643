import type { Caller } from "@latchkey/contracts";
import { verifyVerificationToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { changeUser } from "../users/change-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { proposeVerificationLink } from "../email-verification/request-verification.ts";
import { verifyEmail } from "./verify-email.ts";

expectNoLeaks("file");

const clock = createTestClock();
const config = identityConfig({ emailVerification: { autoSignInAfterVerification: true } });
const caller: Caller = {
  requestId: "request-1",
  operation: "verifyEmail",
  baseUrl: "http://localhost/api/auth",
  address: "192.0.2.1",
  userAgent: "A browser/1.0",
  opening: "call",
};

const { db, connect } = await openIdentityDatabase();
const dbs = [db, connect()] as const;

/** Returns two replicas of identity on one database. */
const replicas = () => dbs.map((db) => createTestDeps({ config, db, clock: clock.now }));
type Replica = ReturnType<typeof replicas>[number];

const mail = async (deps: Replica): Promise<{ user: UserRow; token: string }> => {
  const user = await seedUser(deps.db);
  const link = { userId: user.id, email: user.email, callbackURL: undefined, caller };
  const { url, store } = await proposeVerificationLink(deps, link);
  await deps.db.transaction().execute(store);
  return { user, token: new URL(url).searchParams.get("token") ?? "" };
};

const open = (deps: Replica, token: string) =>
  verifyEmail(deps, {
    caller,
    query: { token },
    body: undefined,
    params: undefined,
    session: undefined,
  });

/** Opens a link 16 times concurrently, half of them at each replica. */
const openAtOnce = (of: Replica[], token: string) =>
  Promise.all(Array.from({ length: 8 }, () => of.map((deps) => open(deps, token))).flat());

test("verifies the address and signs in once in 16 concurrent uses at two replicas", async () => {
  const both = replicas();
  const [one] = both;
  if (!one) throw new Error("there is no replica");
  const { user, token } = await mail(one);
  const answers = await openAtOnce(both, token);
  expect(answers).toHaveLength(16);
  expect(answers.filter(({ effect }) => effect?.kind === "issue")).toHaveLength(1);
  const sessions = one.db.selectFrom("session").select("id").where("userId", "=", user.id);
  expect(await sessions.execute()).toHaveLength(1);
  const audit = one.db
    .selectFrom("audit")
    .select("id")
    .where("subjectId", "=", user.id)
    .where("action", "=", "user.email-verified");
  expect(await audit.execute()).toHaveLength(1);
});

test("a used link verifies nothing again, even after the address became unverified", async () => {
  const [one, two] = replicas();
  if (!one || !two) throw new Error("there is no replica");
  const { user, token } = await mail(one);
  await open(one, token);
  const change = { emailVerified: false };
  await changeUser(one, { user, change, action: "user.updated", caller });
  await expect(open(two, token)).rejects.toThrow("invalid_token");
});

test("a link names its row, and the row names its user", async () => {
  const [one] = replicas();
  if (!one) throw new Error("there is no replica");
  const { user, token } = await mail(one);
  const claims = await verifyVerificationToken(one.ring, token, new Date(clock.now()));
  expect(claims).toMatchObject({ ok: true, email: user.email, id: expect.any(String) });
  const rows = one.db.selectFrom("verification").selectAll().where("value", "=", user.id);
  const [row, ...others] = await rows.execute();
  expect([row?.identifier, others]).toEqual([
    expect.stringMatching(/^verify-email:[0-9a-f]{64}$/),
    [],
  ]);
});
