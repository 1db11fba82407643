import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { callByAdmin, openMailer, replyOf } from "../db/test-mailer.fixture.ts";
import { adminListDeliveries } from "./deliveries.ts";

expectNoLeaks("file");

type Query = Call<typeof operations.mailer.adminListDeliveries>["query"];

const open = async () => {
  const opened = await openMailer();
  const list = (query: Query) => replyOf(adminListDeliveries(opened.deps, callByAdmin({ query })));
  const idsOf = async (query: Query) => (await list(query)).deliveries.map(({ id }) => id);
  /** Reads all pages in turn, as a client does. */
  const walk = async (query: Query) => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ ...query, ...(cursor && { cursor }) });
      ids.push(...page.deliveries.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    return ids;
  };
  return { ...opened, list, idsOf, walk };
};

const at = (day: number) => new Date(Date.UTC(2030, 0, day));

const few = await open();

describe("among a few", () => {
  const fixture = few;
  beforeAll(async () => {
    const rows = [
      { id: "a", recipient: "Ada@Example.com", state: "sent", createdAt: at(1) },
      { id: "b", recipient: "bob%smith_x@work.example", state: "failed", createdAt: at(2) },
      { id: "c", recipient: "emile@xn--caf-dma.example", state: "captured", createdAt: at(3) },
      { id: "d", recipient: "d\\d@example.com", state: "retrying", createdAt: at(4) },
      { id: "e", recipient: "ada.too@example.com", state: "sent", createdAt: at(4) },
    ] as const;
    for (const one of rows) await fixture.seed(one);
  });

  test("lists all mails, newest first, with their state and without content", async () => {
    const settledAt = at(3);
    await fixture.db
      .updateTable("delivery")
      .set({ lastError: "550 no such user", attempts: 3, settledAt })
      .where("id", "=", "b")
      .execute();
    const { deliveries, ...rest } = await fixture.list({});
    expect(rest).toStrictEqual({ total: 5 });
    expect(deliveries.map(({ id }) => id)).toEqual(["e", "d", "c", "b", "a"]);
    expect(deliveries[3]).toStrictEqual({
      id: "b",
      channel: "mail",
      recipient: "bob%smith_x@work.example",
      subject: "Reset your password",
      event: "password-reset.requested",
      state: "failed",
      attempts: 3,
      lastError: "550 no such user",
      createdAt: at(2),
      settledAt,
    });
  });

  test("returns no event for a mail of an earlier version", async () => {
    await sql`update mailer.delivery set event = null where id = 'a'`.execute(fixture.db);
    expect((await fixture.list({ recipient: "ada@" })).deliveries).toMatchObject([{ event: null }]);
  });

  test("lists mails in both directions, by pages and by offsets", async () => {
    for (const limit of [1, "2", 3, 5]) {
      expect(await fixture.walk({ limit })).toEqual(["e", "d", "c", "b", "a"]);
      expect(await fixture.walk({ limit, sortDirection: "asc" })).toEqual([
        "a",
        "b",
        "c",
        "d",
        "e",
      ]);
      expect(await fixture.walk({ limit, state: "sent" })).toEqual(["e", "a"]);
      expect(await fixture.walk({ limit, recipient: "example" })).toEqual([
        "e",
        "d",
        "c",
        "b",
        "a",
      ]);
    }
    expect(await fixture.idsOf({ offset: "1", limit: 2 })).toEqual(["d", "c"]);
    expect(await fixture.list({ offset: 9, state: "sent" })).toStrictEqual({
      deliveries: [],
      total: 2,
    });
    expect(await fixture.list({ offset: 9, recipient: "ada" })).toStrictEqual({
      deliveries: [],
      total: 2,
    });
  });

  test.each<[Query, string[]]>([
    [{ recipient: "ADA" }, ["e", "a"]],
    [{ recipient: "a@exa" }, ["a"]],
    [{ recipient: "WORK" }, ["b"]],
    [{ recipient: " @CAFÉ.example " }, ["c"]],
    [{ recipient: "emile@café.example" }, ["c"]],
    [{ recipient: "XN--CAF" }, ["c"]],
    [{ recipient: "ad" }, ["e", "a"]],
    [{ recipient: "d" }, ["d"]],
    // Characters with a meaning in LIKE are literal.
    [{ recipient: "bob%s" }, ["b"]],
    [{ recipient: "smith_x" }, ["b"]],
    [{ recipient: "smithXx" }, []],
    [{ recipient: "%" }, []],
    [{ recipient: "_" }, []],
    [{ recipient: "d\\" }, ["d"]],
    [{ recipient: "" }, ["e", "d", "c", "b", "a"]],
    [{ recipient: "x".repeat(320) }, []],
    [{ recipientIs: "ADA@example.COM" }, ["a"]],
    [{ recipientIs: "a@example.com" }, []],
    [{ recipientIs: "too@example.com" }, []],
    [{ recipientIs: "EMILE@café.example" }, ["c"]],
    [{ recipientIs: "bob_smith%x@work.example" }, []],
    [{ recipientIs: "" }, ["e", "d", "c", "b", "a"]],
    [{ recipientIs: "ada.too@example.com", state: "sent" }, ["e"]],
    [{ recipientIs: "ada.too@example.com", state: "failed" }, []],
    [{ recipientIs: "ada.too@example.com", recipient: "too" }, ["e"]],
    [{ recipientIs: "ada.too@example.com", recipient: "bob" }, []],
    [{ recipient: "ada", state: "sent" }, ["e", "a"]],
    [{ recipient: "ada", state: "failed" }, []],
    [{ state: "captured" }, ["c"]],
    [{ state: "queued" }, []],
  ])("%j finds %j", async (query, ids) => {
    const { deliveries, total } = await fixture.list(query);
    expect([deliveries.map(({ id }) => id), total]).toEqual([ids, ids.length]);
  });
});
