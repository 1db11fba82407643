import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { identityConfig, openIdentityDatabase } from "../db/test-identity.fixture.ts";
import {
  beginSignIn,
  password,
  secondFactorDeps,
} from "../second-factor/test-second-factor.fixture.ts";
import { completeFirstRun, openFirstRun } from "./first-run.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const config = identityConfig({ twoFactor: { required: { roles: ["admin"] } } });
const deps = secondFactorDeps(config, db);

/** Attack: the first-run link gives a session that never showed the required second factor. */
test("the first admin gets no session before a required second factor is set up", async () => {
  const token = await openFirstRun(deps);
  const body = { token: token ?? "", name: "Root", email: "root@example.com", password };
  const call = { body, caller: newCaller() } as Call<typeof operations.identity.completeFirstRun>;
  const answer = await completeFirstRun(deps, call);
  expect(answer).toMatchObject({ reply: { token: null, user: { email: body.email } } });
  expect(answer.effect).toBeUndefined();
  expect(await db.selectFrom("session").select("id").execute()).toEqual([]);
  const userId = "reply" in answer ? answer.reply.user.id : "";
  expect((await beginSignIn(deps, userId)).challenge).toMatchObject({ twoFactorEnrolment: true });
});
