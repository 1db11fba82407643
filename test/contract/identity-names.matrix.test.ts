import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { matrix } from "../harness/matrix.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { readResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail, password, signUp } from "../harness/users.ts";

expectNoLeaks("file");

interface Got {
  session: { id: string; userId: string };
  user: { id: string; name: string };
}

/** Starts a system for a group of tests, with access to its rows. */
const withStack = (config: LatchkeyConfig, stores: "postgres" | "redis") => {
  const { system, rows } = useSystem({ stores, config });
  return {
    system: () => system,
    query: (text: string, ...values: unknown[]) => rows.query(text, ...values),
  };
};

describe.each(matrix("postgres", "redis"))("numeric ids, with sessions in %s", (stores) => {
  const { system, query } = withStack({ advanced: { database: { useNumberId: true } } }, stores);

  test("count up from 1 as text, separately for each kind of row", async () => {
    const [ada, grace] = [await signUp(system()), await signUp(system())];
    expect([ada.user.id, grace.user.id]).toEqual(["1", "2"]);
    const got = (await (await grace.browser.get("/get-session")).json()) as Got;
    expect(got).toMatchObject({ session: { id: "2", userId: "2" }, user: { id: "2" } });
    const accounts = await query("select id, user_id from identity.account order by id");
    expect(accounts).toEqual([
      { id: "1", user_id: "1" },
      { id: "2", user_id: "2" },
    ]);
  });

  test("are unique for 16 concurrent sign-ups and their sessions", async () => {
    const people = await Promise.all(Array.from({ length: 16 }, () => signUp(system())));
    const sessions = await Promise.all(
      people.map(async ({ browser }) => (await (await browser.get("/get-session")).json()) as Got),
    );
    expect(new Set(people.map(({ user }) => user.id)).size).toBe(16);
    expect(new Set(sessions.map(({ session }) => session.id)).size).toBe(16);
    for (const id of sessions.map(({ session }) => session.id)) expect(id).toMatch(/^[1-9]\d*$/);
  });

  test("are also the ids of single-use tokens", async () => {
    const { email } = await signUp(system());
    await createBrowserLike(system().url).post("/request-password-reset", { email });
    expect(await query("select id from identity.verification")).toEqual([{ id: "1" }]);
  });

  test("open nothing more than other ids", async () => {
    const [ada, grace] = [await signUp(system()), await signUp(system())];
    await ada.browser.post("/revoke-sessions", { userId: grace.user.id });
    expect(await (await grace.browser.get("/get-session")).json()).not.toBeNull();
  });
});

describe.each(matrix("postgres", "redis"))("custom ids, with sessions in %s", (stores) => {
  let count = 0;
  const { system, query } = withStack(
    {
      advanced: {
        database: { generateId: ({ model, size }) => `${model}-${size}-${(count += 1)}` },
      },
    },
    stores,
  );

  test("are those of users, accounts and sessions, but not of tokens", async () => {
    const { browser, token, user } = await signUp(system());
    expect(user.id).toMatch(/^user-32-\d+$/);
    const got = (await (await browser.get("/get-session")).json()) as Got;
    expect(got.session.id).toMatch(/^session-32-\d+$/);
    expect(token).toMatch(/^[A-Za-z0-9]{32}$/);
    const [account] = await query("select id from identity.account where user_id = $1", user.id);
    expect(account?.["id"]).toMatch(/^account-32-\d+$/);
  });
});

describe.each(matrix("postgres", "redis"))(
  "the default limit of lists, with sessions in %s",
  (stores) => {
    const { system } = withStack({ advanced: { database: { defaultFindManyLimit: 3 } } }, stores);

    test("limits the list of one's sessions, newest first", async () => {
      const { email, browser, token } = await signUp(system());
      const tokens: string[] = [];
      for (let signIns = 0; signIns < 4; signIns += 1) {
        const answer = await createBrowserLike(system().url).post("/sign-in/email", {
          email,
          password,
        });
        tokens.unshift((await readResponse<{ token: string }>(answer)).body.token);
      }
      const listed = (await (await browser.get("/list-sessions")).json()) as { token: string }[];
      expect(listed.map((session) => session.token)).toEqual(tokens.slice(0, 3));
      expect(tokens).not.toContain(token);
    });
  },
);

describe("tables and columns with custom names", () => {
  const { system, query } = withStack(
    {
      user: {
        modelName: "people",
        fields: { name: "fullName", emailVerified: "is_verified", favouriteColour: "colour" },
        additionalFields: { favouriteColour: { type: "string", required: false } },
      },
      session: { modelName: "visits", fields: { userId: "person" } },
      account: { modelName: "ways_in" },
      verification: { modelName: "proofs" },
    },
    "postgres",
  );

  test("contain the clients' changes", async () => {
    const [browser, email] = [createBrowserLike(system().url), newEmail()];
    const body = { name: "Ada", email, password, favouriteColour: "red" };
    const { user } = (await (await browser.post("/sign-up/email", body)).json()) as Got;
    expect(
      await query(
        `select id, "fullName", is_verified, colour from identity.people where email = $1`,
        email,
      ),
    ).toEqual([{ id: user.id, fullName: "Ada", is_verified: false, colour: "red" }]);
    const [visit] = await query("select id from identity.visits where person = $1", user.id);
    const got = (await (await browser.get("/get-session")).json()) as Got;
    expect(visit).toEqual({ id: got.session.id });
    const ways = await query(
      "select provider_id from identity.ways_in where user_id = $1",
      user.id,
    );
    expect(ways).toEqual([{ provider_id: "credential" }]);
  });

  test("can be written to, and clients see the changes", async () => {
    const { browser, user } = await signUp(system());
    await query(`update identity.people set "fullName" = 'Grace' where id = $1`, user.id);
    const got = (await (await browser.get("/get-session")).json()) as Got;
    expect(got.user.name).toBe("Grace");
    await query("delete from identity.people where id = $1", user.id);
    expect(await (await browser.get("/get-session")).json()).toBeNull();
    expect(await query("select 1 from identity.visits where person = $1", user.id)).toEqual([]);
  });
});
