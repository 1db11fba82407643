import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  openIdentityDatabase,
  newUser,
  createTestDeps,
  identityConfig,
} from "../db/test-identity.fixture.ts";
import { findUsers } from "./find-users.ts";
import { insertUser } from "./queries.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const deps = createTestDeps({ config: identityConfig(), db, clock: Date.now });
const names = ["Ada", "Grace", "Edsger"];
const inserted = await Promise.all(names.map((name) => insertUser(db, newUser({ name }))));
const people = inserted.flatMap((user) => user ?? []);

const find = async (body: {
  ids?: string[];
  emails?: string[];
  withoutSecondFactor?: boolean;
  onlyProven?: boolean;
}) => {
  const caller = {
    requestId: "r",
    operation: "findUsers",
    baseUrl: "",
    address: "",
    userAgent: "",
  };
  const call = { caller, body, params: undefined, query: undefined, session: undefined };
  const answer = await findUsers(deps, call);
  if (!("reply" in answer)) throw new Error("there is no reply");
  return answer.reply.users.toSorted((a, b) => a.name.localeCompare(b.name));
};
const named = (...names: string[]) =>
  people
    .filter(({ name }) => names.includes(name))
    .map(({ id, name, email, image }) => ({ id, name, email, image }))
    .toSorted((a, b) => a.name.localeCompare(b.name));

test("finds users by ids and by addresses in any case, each once, with their public members", async () => {
  const [ada, grace] = people.map(({ id, email }) => ({ id, email }));
  const ids = [ada!.id, "nobody"]; // three users exist
  const emails = [grace!.email.toUpperCase(), ada!.email, "nobody@example.com"];
  expect(await find({ ids })).toEqual(named("Ada"));
  expect(await find({ emails })).toEqual(named("Ada", "Grace"));
  expect(await find({ ids, emails })).toEqual(named("Ada", "Grace"));
});

test.each([{}, { ids: [] }, { emails: [] }, { ids: ["nobody"] }])(
  "finds no user for %j",
  async (body) => {
    expect(await find(body)).toEqual([]);
  },
);

test("leaves out users whose address is unproven on request", async () => {
  const [ada, grace, edsger] = people.map(({ email }) => email);
  const set = (email: string, proof: { emailVerified: boolean; verifiedByLinkAlone: boolean }) =>
    db.updateTable("user").set(proof).where("email", "=", email).execute();
  await set(ada!, { emailVerified: true, verifiedByLinkAlone: false });
  await set(grace!, { emailVerified: true, verifiedByLinkAlone: true });
  await set(edsger!, { emailVerified: false, verifiedByLinkAlone: false });
  const emails = [ada!, grace!, edsger!];
  expect(await find({ emails, onlyProven: true })).toEqual(named("Ada"));
});

test("leaves out users with a second factor on request", async () => {
  const [ada, grace] = people.map(({ id, email }) => ({ id, email }));
  const lacking = { withoutSecondFactor: true };
  await db.updateTable("user").set({ twoFactorEnabled: true }).where("id", "=", ada!.id).execute();
  const ids = [ada!.id, "nobody"];
  const emails = [grace!.email.toUpperCase(), ada!.email];
  expect(await find({ ids, ...lacking })).toEqual([]);
  expect(await find({ emails, ...lacking })).toEqual(named("Grace"));
  expect(await find({ ids, emails, ...lacking })).toEqual(named("Grace"));
  expect(await find({ ids: [], ...lacking })).toEqual([]);
  expect(await find({ ids, emails })).toEqual(named("Ada", "Grace"));
});

test("finds as many users as one call may request", async () => {
  const ids = Array.from({ length: 9_997 }, (_, index) => `nobody-${index}`);
  expect(await find({ ids: [...ids, ...people.map(({ id }) => id)] })).toHaveLength(3);
});
