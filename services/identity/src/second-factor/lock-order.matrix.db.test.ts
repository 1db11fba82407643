import { operations } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { expectNoLeaks, newCaller, until } from "@latchkey/testkit";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { resetTwoFactorOf } from "../admin/credentials.ts";
import { identityConfig, openIdentityDatabase } from "../db/test-identity.fixture.ts";
import { readMails } from "../mailed-sign-in/read-mails.fixture.ts";
import { undoEmailChangePost } from "../profile/undo-email-change.ts";
import { changeUser } from "../users/change-user.ts";
import { eraseUser } from "../profile/delete-user.ts";
import { findUser } from "../users/find-users.ts";
import { takeEmail } from "../profile/take-email.ts";
import { takeChallengeTry } from "../rows/challenges.ts";
import { enableTwoFactor } from "./settings.ts";
import { findVerifier } from "./find-verifier.ts";
import { passSecondFactor } from "./pass-second-factor.ts";
import { endChallengesAndTrust } from "../rows/second-factors.ts";
import {
  beginSignIn,
  callOf,
  clock,
  outcomeOf,
  password,
  secondFactorDeps,
  seedApp,
  seedPerson,
} from "./test-second-factor.fixture.ts";

expectNoLeaks("file");

const { db, connect } = await openIdentityDatabase();
const config = identityConfig();
const deps = secondFactorDeps(config, db);
const onReplica = secondFactorDeps(config, connect());

type Person = Awaited<ReturnType<typeof seedApp>>;
type Act = (person: Person) => Promise<unknown>;

const read = async ({ userId }: Pick<Person, "userId">) => {
  const user = await findUser(deps, { id: userId });
  if (!user) throw new Error("there is no such user");
  return user;
};

const erase: Act = ({ userId }) =>
  eraseUser(onReplica, { userId, caller: newCaller(), actor: { kind: "system" } });

const ban: Act = async (person) =>
  changeUser(onReplica, {
    user: await read(person),
    change: { banned: true },
    action: "user.banned",
    caller: newCaller(),
    publish: (trx) => endChallengesAndTrust(trx, person.userId),
  });

const reset: Act = async (person) => resetTwoFactorOf(onReplica, await read(person));

/** Changes the address and returns the undo of it. */
const prepareUndo = async (person: Person): Promise<Act> => {
  await db
    .updateTable("user")
    .set({ emailVerified: true })
    .where("id", "=", person.userId)
    .execute();
  const user = await read(person);
  const [stored] = await deps.sessions.list(user.id, new Date(clock.now()), 1);
  if (!stored) throw new Error("there is no session");
  await takeEmail(deps, {
    user,
    email: `new-${user.email}`,
    callbackURL: undefined,
    caller: newCaller(),
    session: deps.showSession(stored, "a token"),
    isProven: true,
  });
  const [sent] = await readMails(deps, "email.changed", user.email);
  const token = new URL(sent?.url ?? "").searchParams.get("token") ?? "";
  return () => undoEmailChangePost(onReplica, callOf(newCaller("any"), { token }));
};

const acts: [string, (person: Person) => Promise<Act>][] = [
  ["a deletion of the user", async () => erase],
  ["a ban", async () => ban],
  ["a reset by an admin", async () => reset],
  ["an undo of the address", prepareUndo],
];

const isWaiting = async (): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    db,
  );
  return rows.length > 0;
};

/** The code of a deadlock in Postgres. */
const deadlock = "40P01";

describe("a second factor that is passed in a browser to trust during", () => {
  test.each(acts)(
    "%s does not deadlock with it, in four of four overlaps",
    async (_what, prepare) => {
      for (let repetition = 0; repetition < 4; repetition += 1) {
        const person = await seedApp(deps);
        const act = await prepare(person);
        const { caller } = await beginSignIn(deps, person.userId);
        const verifier = await findVerifier(deps, operations.identity.verifyTotp, {
          caller,
          body: {},
        });
        let acting: Promise<string> | undefined;
        const passing = passSecondFactor(deps, verifier, {
          caller,
          method: "totp",
          trustsDevice: true,
          // The act begins under the locks of the second factor and of the sign-in, and ends after them.
          use: async (trx) => {
            await takeChallengeTry(trx, hashToken(caller.kept.twoFactor));
            acting = outcomeOf(act(person));
            await until(isWaiting);
            return true;
          },
        });
        expect(await outcomeOf(passing)).not.toBe(deadlock);
        expect(await acting).toBe("right");
      }
    },
  );
});

test("an app is prepared while its user is deleted, without a deadlock in sixteen overlaps", async () => {
  const people = await Promise.all(Array.from({ length: 16 }, () => seedPerson(deps)));
  const outcomes = await Promise.all(
    people.flatMap((person) => [
      outcomeOf(
        enableTwoFactor(deps, callOf(person.caller, { password, method: "totp" as const })),
      ),
      outcomeOf(erase({ ...person, totpURI: "", backupCodes: [] })),
    ]),
  );
  expect(outcomes).not.toContain(deadlock);
});
