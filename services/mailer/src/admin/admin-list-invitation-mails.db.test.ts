import type { operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { callByAdmin, openMailer, replyOf } from "../db/test-mailer.fixture.ts";
import { adminListInvitationMails } from "./deliveries.ts";

expectNoLeaks("file");

const fixture = await openMailer();

const list = async (invitationId: string | string[]) => {
  const call = callByAdmin<typeof operations.mailer.adminListInvitationMails>({
    query: { invitationId },
  });
  const { deliveries } = await replyOf(adminListInvitationMails(fixture.deps, call));
  return deliveries.map(({ id, invitationId: of, state }) => ({ id, of, state }));
};

test("returns the latest mail of each invitation, and none of others", async () => {
  const at = (day: number) => new Date(Date.UTC(2030, 0, day));
  for (const [id, invitationId, state, day] of [
    ["a", "one", "failed", 1],
    ["b", "one", "sent", 2],
    ["c", "two", "failed", 3],
    ["d", "three", "sent", 4],
  ] as const)
    await fixture.seed({ id, invitationId, state, createdAt: at(day) });
  await fixture.seed({ id: "e", createdAt: at(5) });
  expect(await list(["one", "two", "unknown"])).toEqual([
    { id: "b", of: "one", state: "sent" },
    { id: "c", of: "two", state: "failed" },
  ]);
  expect(await list("three")).toEqual([{ id: "d", of: "three", state: "sent" }]);
});
