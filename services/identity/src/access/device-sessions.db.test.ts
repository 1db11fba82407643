import type { Caller } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { identityConfig, seedSession } from "../db/test-identity.fixture.ts";
import {
  callOf,
  outcomeOf,
  secondFactorDeps,
  seedPerson,
} from "../second-factor/test-second-factor.fixture.ts";
import { createTestStore, openSessionStores } from "../sessions/store/session-stores.fixture.ts";
import { findUser } from "../users/find-users.ts";
import { setActiveDeviceSession } from "./device-sessions.ts";

expectNoLeaks("file");

const callers = 16;
const stores = await openSessionStores();
const config = identityConfig({ multiSession: { enabled: true, maximumSessions: 5 } });
const base = secondFactorDeps(config, stores.db);

/** Returns a caller whose browser holds the sessions of two new users. The first one is active. */
const browserOfTwo = async (deps: typeof base): Promise<{ caller: Caller; second: string }> => {
  const people = [await seedPerson(deps), await seedPerson(deps)];
  const tokens: string[] = [];
  for (const { userId } of people) {
    const user = await findUser(deps, { id: userId });
    if (!user) throw new Error("there is no such user");
    tokens.push((await seedSession(deps, user, { caller: newCaller(), remember: true })).token);
  }
  const deviceSessions = tokens.map((token, slot) => ({ slot, token, browserSession: false }));
  const [sessionToken = "", second = ""] = tokens;
  return { caller: { ...newCaller(), sessionToken, deviceSessions }, second };
};

test.each([
  ["rows", false],
  ["Redis", true],
])(
  "a switch at the time of a sign-out succeeds before it or is refused, in %s",
  async (name, usesRedis) => {
    const sessions = createTestStore(stores, {
      name,
      config: config.session,
      usesRedis,
      clock: base.clock,
    });
    const deps = { ...base, sessions };
    const { caller, second } = await browserOfTwo(deps);
    const stored = await sessions.find(hashToken(second));
    if (!stored) throw new Error("there is no session");
    const { session } = stored;
    const end = () =>
      sessions.revoke(session, {
        actor: { kind: "user", id: session.userId },
        subject: { kind: "session", id: session.id },
        action: "session.signed-out",
        caller,
      });
    const [outcomes] = await Promise.all([
      Promise.all(
        Array.from({ length: callers }, () =>
          outcomeOf(setActiveDeviceSession(deps, callOf(caller, { sessionToken: second }))),
        ),
      ),
      end(),
    ]);
    const switched = outcomes.filter((outcome) => outcome === "right").length;
    expect(outcomes.filter((outcome) => outcome === "INVALID_SESSION_TOKEN")).toHaveLength(
      callers - switched,
    );
    const logged = await stores.db
      .selectFrom("audit")
      .select("action")
      .where("subjectId", "=", session.id)
      .where("action", "!=", "session.created")
      .orderBy("id")
      .execute();
    const actions = logged.map(({ action }) => action);
    expect(actions.filter((action) => action === "session.switched")).toHaveLength(switched);
    // With rows, the lock decides which came first. Redis and the log do not commit together.
    if (!usesRedis) expect(actions.at(-1)).toBe("session.signed-out");
    const late = await outcomeOf(
      setActiveDeviceSession(deps, callOf(caller, { sessionToken: second })),
    );
    expect(late).toBe("INVALID_SESSION_TOKEN");
  },
);
