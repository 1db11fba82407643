import { randomBytes } from "node:crypto";
import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { listAdminsWithoutSecondFactor } from "../admin/operator.ts";
import { adminListUsers } from "../admin/user-list/list-users.ts";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedUser,
} from "./test-identity.fixture.ts";
import { insertPasskey } from "../rows/passkeys.ts";
import { findUsers } from "../users/find-users.ts";
import { insertAccount } from "../users/queries.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const deps = createTestDeps({ config: identityConfig(), db, clock: Date.now });

interface Ways {
  twoFactorEnabled?: boolean;
  /** Whether the authenticator of each passkey verifies the user. */
  passkeys?: boolean[];
  hasPassword?: boolean;
}

const seed = async ({ twoFactorEnabled = false, passkeys = [], hasPassword = false }: Ways) => {
  const user = await seedUser(db, { role: "admin", twoFactorEnabled });
  const { id: userId, createdAt } = user;
  for (const userVerified of passkeys)
    await insertPasskey(db, {
      id: await deps.newId(),
      userId,
      name: null,
      credentialId: randomBytes(16),
      publicKey: Buffer.of(1),
      counter: 0,
      deviceType: "multiDevice",
      backedUp: true,
      transports: null,
      aaguid: "",
      userVerified,
      createdAt,
      lastUsedAt: null,
    });
  if (hasPassword) {
    const id = await deps.newId();
    const account = { id, userId, accountId: userId, providerId: "credential", password: "hash" };
    await insertAccount(db, { ...account, createdAt, updatedAt: createdAt });
  }
  return user;
};

/** A list that calls a password with a passkey beside it two factors would hide that the password alone opens the account. */
test("lists, the doctor and services agree on who has a second factor", async () => {
  const cases: [Ways, boolean][] = [
    [{}, false],
    [{ hasPassword: true }, false],
    [{ hasPassword: true, passkeys: [true] }, false],
    [{ passkeys: [false] }, false],
    [{ passkeys: [true, false] }, false],
    [{ passkeys: [true, true] }, true],
    [{ hasPassword: true, twoFactorEnabled: true }, true],
  ];
  const users = await Promise.all(cases.map(([ways]) => seed(ways)));
  const having = users.filter((_, index) => cases[index]?.[1]).map(({ id }) => id);
  const lacking = users.filter(({ id }) => !having.includes(id));

  const listed = async (filterValue: string) => {
    const query = { filterField: "hasSecondFactor", filterValue };
    const call = { query } as Call<typeof operations.identity.adminListUsers>;
    const answer = await adminListUsers(deps, call);
    return "reply" in answer ? answer.reply.users.map(({ id }) => id).toSorted() : [];
  };
  expect(await listed("true")).toEqual(having.toSorted());
  expect(await listed("false")).toEqual(lacking.map(({ id }) => id).toSorted());

  const named = await listAdminsWithoutSecondFactor(deps);
  expect(named.toSorted()).toEqual(lacking.map(({ email }) => email).toSorted());

  const body = { ids: users.map(({ id }) => id), withoutSecondFactor: true };
  const none = { params: undefined, query: undefined, session: undefined };
  const response = await findUsers(deps, { ...none, body, caller: newCaller() });
  const shown = "reply" in response ? response.reply.users : [];
  expect(shown.map(({ id }) => id).toSorted()).toEqual(lacking.map(({ id }) => id).toSorted());
});
