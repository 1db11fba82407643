import { randomUUID } from "node:crypto";
import {
  type AccessKind,
  accessKinds,
  endsOf,
  type FactName,
  facts,
  secretTokens,
} from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { expectNoLeaks, newCaller } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { subjectsOf } from "../email-codes/mailed-code.ts";
import { linkSubjects } from "../secrets/magic-link.ts";
import { mailUndoLink } from "../profile/undo-email-change.ts";
import { findAccessEpoch } from "../rows/access-epochs.ts";
import { insertChallenge } from "../rows/challenges.ts";
import { insertTrustedDevice } from "../rows/trusted-devices.ts";
import { endAccess } from "./end-access.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase(4);
const deps = createTestDeps({ config: identityConfig(), db, clock: Date.now });
const caller = newCaller();
const [now, later] = [new Date(), new Date(Date.now() + 600_000)];
const ending = (Object.keys(facts) as FactName[]).filter(
  (fact) => Object.keys(endsOf(fact)).length > 0,
);

type User = Awaited<ReturnType<typeof seedUser>>;

const addVerification = (value: string, prefix = "") =>
  db
    .insertInto("verification")
    .values({
      id: randomUUID(),
      identifier: prefix + randomUUID(),
      value,
      expiresAt: later,
      createdAt: now,
      updatedAt: now,
    })
    .execute();

/** Gives a user every kind of access that identity stores, but sessions. Returns the hash of the waiting sign-in's token. */
const prepare = async (user: User): Promise<Buffer> => {
  const { id: userId, email } = user;
  const tokenHash = hashToken(randomUUID());
  const times = { createdAt: now, expiresAt: later };
  await insertChallenge(db, {
    tokenHash,
    userId,
    purpose: "verify",
    method: "password",
    remember: true,
    passedAt: null,
    ...times,
  });
  await db
    .insertInto("twoFactor")
    .values({ userId, pendingSealed: "sealed", pendingExpiresAt: later })
    .execute();
  await insertTrustedDevice(db, {
    id: randomUUID(),
    userId,
    tokenHash: hashToken(randomUUID()),
    ipAddress: "",
    userAgent: "",
    passedAt: now,
    lastUsedAt: now,
    ...times,
  });
  const browserHash = hashToken(randomUUID());
  await db
    .insertInto("knownBrowser")
    .values({ userId, browserHash, createdAt: now, lastSeenAt: now })
    .execute();
  const [subject = ""] = subjectsOf(deps.ring, { purpose: "sign-in", name: email });
  const code = { id: randomUUID(), purpose: "sign-in", subject, browser: "", code: "", sealed: "" };
  await db
    .insertInto("mailedCode")
    .values({ ...code, isMailed: true, ...times })
    .execute();
  await addVerification(linkSubjects(deps.ring, email)[0] ?? "", secretTokens.magicLink.prefix);
  await addVerification(userId, secretTokens.passwordReset.prefix);
  await addVerification(userId, secretTokens.accountDeletion.prefix);
  await mailUndoLink(deps, db, { user, hadSecondFactor: false, newEmail: "new@b.test", caller });
  return tokenHash;
};

/** Names the kinds of access that a user still has. Sessions count until an event announces their end. */
const readRemaining = async ({ id: userId, email }: User): Promise<Set<AccessKind>> => {
  const has = async (query: { execute(): Promise<unknown[]> }) =>
    (await query.execute()).length > 0;
  const valueIs = (value: string, prefix = "") =>
    has(
      db
        .selectFrom("verification")
        .select("id")
        .where("value", "=", value)
        .where("identifier", "like", `${prefix}%`),
    );
  const events = await db.selectFrom("outbox").select(["name", "data"]).execute();
  const announced = new Set(
    events.filter(({ data }) => data.includes(userId)).map(({ name }) => name),
  );
  const [subject = ""] = subjectsOf(deps.ring, { purpose: "sign-in", name: email });
  const remaining: Record<Exclude<AccessKind, "apiKeys" | "keySessions">, boolean> = {
    sessions: !announced.has("session.revoked-all"),
    waiting:
      (await has(
        db.selectFrom("signInChallenge").select("tokenHash").where("userId", "=", userId),
      )) ||
      (await has(
        db
          .selectFrom("twoFactor")
          .select("userId")
          .where("userId", "=", userId)
          .where("pendingSealed", "is not", null),
      )),
    trust:
      (await has(db.selectFrom("trustedDevice").select("id").where("userId", "=", userId))) ||
      (await has(db.selectFrom("knownBrowser").select("userId").where("userId", "=", userId))),
    mailedSignIns:
      (await has(db.selectFrom("mailedCode").select("id").where("subject", "=", subject))) ||
      (await valueIs(linkSubjects(deps.ring, email)[0] ?? "")),
    passwordLinks: await valueIs(userId, secretTokens.passwordReset.prefix),
    otherLinks: await valueIs(userId, secretTokens.accountDeletion.prefix),
    undoLinks: await valueIs(`undo-email:${userId}`),
    grants: (await findAccessEpoch(db, userId)) === 0,
  };
  return new Set(
    (Object.keys(remaining) as (keyof typeof remaining)[]).filter((kind) => remaining[kind]),
  );
};

const stored = (Object.keys(accessKinds) as AccessKind[]).filter(
  (kind) => kind !== "apiKeys" && kind !== "keySessions",
);

describe.each(ending)("%s", (fact) => {
  test("ends what its declaration names, of its user only, and nothing else", async () => {
    const [user, other] = [await seedUser(db), await seedUser(db)];
    await prepare(user);
    await prepare(other);
    const end = { userId: user.id, fact, sessions: { except: undefined } };
    await db.transaction().execute((trx) => endAccess(trx, deps, end));
    const ends = endsOf(fact);
    const remaining = stored.filter((kind) => !ends[kind]);
    expect([...(await readRemaining(user))].toSorted()).toEqual(remaining.toSorted());
    expect([...(await readRemaining(other))].toSorted()).toEqual(stored.toSorted());
  });
});

test("the waiting sign-in of the fact itself and chosen sessions stay", async () => {
  const user = await seedUser(db);
  const exceptChallenge = await prepare(user);
  const end = { userId: user.id, fact: "two-factor.enabled", exceptChallenge } as const;
  await db.transaction().execute((trx) => endAccess(trx, deps, end));
  expect([...(await readRemaining(user))].toSorted()).toEqual([
    "grants",
    "mailedSignIns",
    "otherLinks",
    "passwordLinks",
    "sessions",
    "undoLinks",
    "waiting",
  ]);
});
