import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../../harness/browser-like.ts";
import { followLink } from "../../harness/mailed-links.ts";
import { dumpPostgres, dumpRedis } from "./dump.ts";
import { matrix } from "../../harness/matrix.ts";
import { useSystem } from "../../harness/use-system.ts";
import { openPool } from "../../harness/rows.ts";

const password = "correct horse battery";
const ada = { name: "Ada Lovelace", email: "ada.l@example.com", username: "ada_lovelace" };
const later = { name: "Augusta King", email: "augusta@example.com" };
const texts = [ada.name, later.name, later.email, ada.email, ada.username, "portrait-of-ada"];

/** Returns the places that, according to docs/security.md, keep the id of a deleted user. */
const documentedPlaces = async (): Promise<string[]> => {
  const page = await readFile(join(import.meta.dirname, "../../../docs/security.md"), "utf8");
  const [, section = ""] = page.split("## What stays of a deleted user\n");
  const rows = (section.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  return rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
};

describe.each(matrix("own redis", "postgres"))("with sessions and bus in %s", (stores) => {
  let pool: ReturnType<typeof openPool>;
  const { system } = useSystem({
    topology: "processes",
    stores,
    config: {
      emailVerification: { sendOnSignUp: true },
      rateLimit: { enabled: false },
      username: { enabled: true },
      user: {
        changeEmail: { enabled: true },
        deleteUser: { enabled: true, confirmByMail: false },
        additionalFields: { nickname: { type: "string", required: false } },
      },
    },
  });
  beforeAll(async () => {
    pool = openPool(system.databaseUrl);
  });
  afterAll(async () => {
    await pool?.end();
  });

  const dumpAll = async (): Promise<Map<string, string>> => {
    const places = await dumpPostgres(pool);
    if (system.redis) places.set("Redis", await dumpRedis(system.redis.url));
    return places;
  };
  const placesWith = (places: Map<string, string>, text: string) =>
    [...places].filter(([, held]) => held.includes(text)).map(([place]) => place);
  /** Fills every table of second factors and passkeys for a user, as sign-ins and registrations do. */
  const giveFactors = async (userId: string): Promise<void> => {
    const [at, until] = ["now()", "now() + interval '1 day'"];
    const bytes = `$1::text::bytea`;
    const rows = {
      "two_factor (user_id, secret_sealed, sealed_by, enabled_at)": `$1, 'sealed', 'name', ${at}`,
      "backup_code (id, user_id, code_sealed, sealed_by, is_case_sensitive, created_at)": `'code of ' || $1, $1, 'sealed', 'name', false, ${at}`,
      "trusted_device (id, user_id, token_hash, passed_at, created_at, last_used_at, expires_at, ip_address, user_agent)": `'device of ' || $1, $1, ${bytes}, ${at}, ${at}, ${at}, ${until}, '', ''`,
      "sign_in_challenge (token_hash, user_id, purpose, method, remember, created_at, expires_at)": `${bytes}, $1, 'verify', 'password', true, ${at}, ${until}`,
      "two_factor_code (subject, user_id, code_mac, tries, expires_at)": `'sign-in of ' || $1, $1, 'mac', 0, ${until}`,
      "two_factor_notice (user_id, required_from, notified_at)": `$1, ${until}, ${at}`,
      "passkey (id, user_id, name, credential_id, public_key, counter, device_type, backed_up, aaguid, user_verified, created_at)": `'passkey of ' || $1, $1, '${ada.name}', ${bytes}, ${bytes}, 0, 'singleDevice', false, '', true, ${at}`,
      "passkey_user (user_id, handle)": `$1, ${bytes}`,
      "passkey_challenge (hash, browser_hash, ceremony, user_id, created_at, expires_at)": `${bytes}, ${bytes}, 'registration', $1, ${at}, ${until}`,
    };
    for (const [columns, values] of Object.entries(rows))
      await pool.query(`insert into identity.${columns} select ${values}`, [userId]);
  };
  /** Signs a user up, and makes every service store a reference to them. */
  const live = async (): Promise<string> => {
    const browser = createBrowserLike(system.url);
    const ok = async (answer: Promise<Response>): Promise<unknown> => {
      const [status, body] = [(await answer).status, await (await answer).text()];
      expect(`${status} ${body}`).toMatch(/^200 /);
      return JSON.parse(body);
    };
    const image = "https://example.com/portrait-of-ada.png";
    await ok(browser.post("/sign-up/email", { ...ada, image, nickname: ada.name, password }));
    const mail = await system.smtp.waitForMail(ada.email);
    expect((await followLink(mail.links[0] ?? "", { browser })).status).toBe(302);
    const { user } = (await ok(browser.post("/sign-in/email", { ...ada, password }))) as {
      user: { id: string };
    };
    await ok(browser.post("/update-user", { name: later.name }));
    await ok(browser.post("/change-email", { newEmail: later.email }));
    await ok(browser.post("/request-password-reset", { email: ada.email, redirectTo: "/reset" }));
    const organization = (await ok(
      browser.post("/organization/create", {
        name: "Acme",
        slug: `acme-${stores.replace(" ", "-")}`,
      }),
    )) as { id: string };
    const invite = { role: "member", organizationId: organization.id };
    await ok(browser.post("/organization/invite-member", { ...invite, email: "bob@example.com" }));
    await ok(browser.post("/api-key/create", { name: "build" }));
    const bob = createBrowserLike(system.url);
    await ok(bob.post("/sign-up/email", { name: "Bob", email: "bob@example.com", password }));
    const other = (await ok(
      bob.post("/organization/create", {
        name: "Other",
        slug: `other-${stores.replace(" ", "-")}`,
      }),
    )) as { id: string };
    const toAda = { role: "member", organizationId: other.id, email: ada.email };
    await ok(bob.post("/organization/invite-member", toAda));
    await system.smtp.waitForMail(
      ({ to, subject }) => to.includes(ada.email) && subject.startsWith("Join"),
    );
    await giveFactors(user.id);
    await ok(browser.post("/delete-user", { password }));
    return user.id;
  };

  test("only the event of the deletion names a deleted user, and their id remains only in the documented places", async () => {
    const userId = await live();
    const eventPlaces = ["Redis", "bus.job", "identity.outbox"];
    const naming = async () => {
      const places = await dumpAll();
      for (const place of eventPlaces) places.delete(place);
      return texts.flatMap((text) => placesWith(places, text).map((place) => `${place}: ${text}`));
    };
    await until(async () => (await naming()).length === 0, { timeoutMs: 120_000 }).catch(() => {});
    expect(await naming()).toEqual([]);
    const places = await dumpAll();
    const documented = await documentedPlaces();
    const keeping = placesWith(places, userId).filter(
      (place) => !eventPlaces.includes(place) && !place.endsWith(".outbox"),
    );
    expect(keeping.filter((place) => !documented.includes(place))).toEqual([]);
    expect(documented.filter((place) => !places.has(place))).toEqual([]);
  });
});
