import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedUser,
} from "../../db/test-identity.fixture.ts";
import { adminListDuplicates } from "./list-duplicates.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const deps = createTestDeps({ config: identityConfig({}), db, clock: createTestClock().now });

const list = async (id: string) => {
  // The handler reads nothing else of a call.
  const call = { params: { id } } as Parameters<typeof adminListDuplicates>[1];
  const answer = await adminListDuplicates(deps, call);
  const { duplicates } = "reply" in answer ? answer.reply : { duplicates: [] };
  return duplicates.map(({ user, reasons }) => [user.id, reasons.join(" ")]);
};

const user = (email: string, name: string) => seedUser(db, { email, name });

test("finds the users whose addresses differ by a tag only", async () => {
  const ada = await user("ada+shop@example.com", "Ada L");
  const plain = await user("ada@example.com", "Countess");
  const tagged = await user("ada+a%_b@example.com", "Lovelace");
  await user("ada@example.org", "Elsewhere");
  await user("ada+x@sub.example.com", "Below");
  await user("adam@example.com", "Adam");
  expect(await list(ada.id)).toEqual([
    [tagged.id, "same-mailbox"],
    [plain.id, "same-mailbox"],
  ]);
  expect(await list(plain.id)).toEqual([
    [tagged.id, "same-mailbox"],
    [ada.id, "same-mailbox"],
  ]);
});

test("finds no mailbox behind an address that receives no mail", async () => {
  const grace = await user("grace+1@github.invalid", "Grace");
  await user("grace@github.invalid", "Hopper");
  expect(await list(grace.id)).toEqual([]);
});

test("finds users of the same name in any case, unless many share it", async () => {
  const one = await user("one@example.com", "Mary Somerville");
  const two = await user("one+2@example.com", "mary SOMERVILLE");
  await user("three@example.com", "Mary Somerville II");
  expect(await list(one.id)).toEqual([[two.id, "same-mailbox same-name"]]);
  await Promise.all(
    Array.from({ length: 5 }, (_, number) => user(`other${number}@example.com`, "Mary Somerville")),
  );
  expect(await list(one.id)).toEqual([[two.id, "same-mailbox"]]);
  const nameless = await user("nameless@example.com", "");
  await user("nameless2@example.com", "");
  expect(await list(nameless.id)).toEqual([]);
});

test("refuses an unknown user", async () => {
  await expect(list("nobody")).rejects.toMatchObject({ code: "USER_NOT_FOUND" });
});
