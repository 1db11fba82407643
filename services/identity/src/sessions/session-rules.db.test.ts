import { hashToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
  newUser,
} from "../db/test-identity.fixture.ts";
import { changeUser } from "../users/change-user.ts";
import { insertUser } from "../users/queries.ts";
import { createSession } from "./create-session.ts";
import { reissueChanged } from "./session-rules.ts";

expectNoLeaks("file");

const clock = createTestClock();
const caller = newCaller("updateUser");

const { db } = await openIdentityDatabase();

const change = async (act: "keep" | "revoke") => {
  const config = identityConfig({ session: { cookieCache: { enabled: true } } });
  const deps = createTestDeps({ config, db, clock: clock.now });
  const user = await insertUser(db, newUser());
  const started =
    user &&
    (await createSession(deps, user, { caller, remember: true, proof: { methods: ["password"] } }));
  if (!user || !started) throw new Error("nobody was signed in");
  const { token, session } = started;
  const audit = {
    actor: { kind: "system" },
    subject: { kind: "session", id: session.id },
    action: "session.revoked",
  } as const;
  if (act === "revoke")
    await deps.sessions.revoke({ tokenHash: hashToken(token), userId: user.id }, audit);
  const action = "user.updated";
  const changed = await changeUser(deps, { user, change: { name: "Grace" }, action, caller });
  if (!changed) throw new Error("the user is gone");
  return { changed, effect: await reissueChanged(deps, { session }, changed) };
};

test("reissues the session to the browser with the user revision of the change", async () => {
  const { changed, effect } = await change("keep");
  expect(effect).toMatchObject({ kind: "issue", cached: { epoch: changed.revision } });
});

/** Attack: a thief of a session changes the user at the moment in which the owner revokes the session. */
test("does not reissue a session that ended before the change of its user", async () => {
  const { effect } = await change("revoke");
  expect(effect.cached).toBeUndefined();
});
