import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newUser, openIdentityDatabase } from "../db/test-identity.fixture.ts";
import { describeUsers } from "./describe-users.ts";
import { insertUser } from "./queries.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const image = "https://example.com/ada.png";
const given = [
  newUser({ name: 'Ada "Countess" \\ Lovelace', image }),
  newUser({ name: "null", image: null }),
  newUser({ name: "Žofie 🐙\u2028", image: "" }),
];
for (const user of given) await insertUser(db, user);
const [ada, nameless, zofie] = given;

const describe = async (ids: readonly (string | undefined)[]) => {
  const body = { ids: ids.map((id) => id ?? "") };
  const caller = {
    requestId: "r",
    operation: "describeUsers",
    baseUrl: "",
    address: "",
    userAgent: "",
  };
  const call = { caller, body, params: undefined, query: undefined, session: undefined };
  const answer = await describeUsers({ db }, call);
  return "reply" in answer ? answer.reply : undefined;
};
const columnsOf = (
  users: readonly ({ name: string; email: string; image: string | null } | undefined)[],
) => ({
  names: users.map((user) => user?.name ?? null),
  emails: users.map((user) => user?.email ?? null),
  images: users.map((user) => user?.image ?? null),
});

test("describes users in the order of the ids, and an unknown or repeated one in its places", async () => {
  const ids = [zofie?.id, "nobody", ada?.id, nameless?.id, ada?.id];
  expect(await describe(ids)).toEqual(columnsOf([zofie, undefined, ada, nameless, ada]));
});

test("describes no user for no ids", async () => {
  expect(await describe([])).toEqual(columnsOf([]));
});

test("describes as many users as one call may name", async () => {
  const ids = Array.from({ length: 9_999 }, (_, index) => `nobody-${index}`);
  const users = [...ids.map(() => undefined), ada];
  expect(await describe([...ids, ada?.id])).toEqual(columnsOf(users));
});
