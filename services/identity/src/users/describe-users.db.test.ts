import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  newUser,
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
} from "../db/test-identity.fixture.ts";
import { describeUsers } from "./find-users.ts";
import { insertUser, type NewUser } from "./queries.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const deps = createTestDeps({ config: identityConfig(), db, clock: Date.now });
const image = "https://example.com/ada.png";
const newUsers = [
  newUser({ name: 'Ada "Countess" \\ Lovelace', image }),
  newUser({ name: "null", image: null }),
  newUser({ name: "Žofie 🐙\u2028", image: "" }),
];
for (const user of newUsers) await insertUser(db, user);
const [ada, nullNamed, zofie] = newUsers as [NewUser, NewUser, NewUser];

const answerTo = async (ids: string[]) => {
  const caller = {
    requestId: "r",
    operation: "describeUsers",
    baseUrl: "",
    address: "",
    userAgent: "",
  };
  const call = { caller, body: { ids }, params: undefined, query: undefined, session: undefined };
  const answer = await describeUsers(deps, call);
  return "reply" in answer ? answer.reply : undefined;
};
const columnsOf = (
  users: readonly ({ name: string; email: string; image: string | null } | undefined)[],
) => ({
  names: users.map((user) => user?.name ?? null),
  emails: users.map((user) => user?.email ?? null),
  images: users.map((user) => user?.image ?? null),
});

test("returns users in the order of the ids, with nulls for unknown ones", async () => {
  const ids = [zofie.id, "nobody", ada.id, nullNamed.id, ada.id];
  expect(await answerTo(ids)).toEqual(columnsOf([zofie, undefined, ada, nullNamed, ada]));
});

test("returns no user for no ids", async () => {
  expect(await answerTo([])).toEqual(columnsOf([]));
});

test("finds the last of a thousand ids", async () => {
  const ids = Array.from({ length: 999 }, (_, index) => `nobody-${index}`);
  const users = [...ids.map(() => undefined), ada];
  expect(await answerTo([...ids, ada.id])).toEqual(columnsOf(users));
});
