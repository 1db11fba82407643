import { createHash, randomBytes } from "node:crypto";
import { createSecretRing, seal } from "@latchkey/crypto";
import { migrateSchema } from "@latchkey/service-kit/database";
import {
  type CheckedTransfer,
  checkTransfer,
  importSchema,
  TransferError,
} from "@latchkey/service-kit/transfer";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { carriedSchemas } from "../../apps/cli/src/installation/services.ts";
import { pendingAll } from "../../apps/cli/src/installation/migrate-all.ts";
import { openRows, openPool } from "../harness/rows.ts";
import { openPlace, type Place, ring } from "./place.ts";

expectNoLeaks("file");

const timeout = 120_000;
const smtpUrl = "smtp://127.0.0.1:1";
const opened: Place[] = [];
/** Migrating takes longer than all else here. Only an import of an earlier version needs an empty place. */
const newPlace = async (isMigrated = true): Promise<Place> => {
  const place = await openPlace({ stores: "postgres", smtpUrl, isMigrated });
  opened.push(place);
  return place;
};

async function* iterate(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
const check = (lines: readonly string[], under = ring) => checkTransfer(iterate(lines), under);

const addUser = async (place: Place) => {
  const rows = openRows(place);
  await rows.query(
    `insert into identity."user" (id, name, email, email_verified, created_at, updated_at)
     values ('u1', 'Ada', 'ada@example.com', true, now(), now())`,
  );
  await rows.close();
};

let source: Place;
let lines: string[];
beforeAll(async () => {
  source = await newPlace();
  await addUser(source);
  lines = await source.exportHere();
}, timeout);
afterAll(async () => {
  for (const place of opened) await place.close();
});

/** Imports lines as from a file: only those of one schema at a time. */
const bringIn = async (place: Place, from: readonly string[], transfer: CheckedTransfer) => {
  const done: Record<string, boolean> = {};
  for (const schema of carriedSchemas(place.settings, "owner")) {
    const section = transfer.sections.get(schema.name);
    const own = from.filter(
      (line) => /^\{"(?:table|sequence)":"(\w+)\./.exec(line)?.[1] === schema.name,
    );
    done[schema.name] = await importSchema({
      schema,
      migrations: transfer.header.schemas[schema.name] ?? [],
      section,
      lines: iterate(own),
      sha256: transfer.sha256,
      actor: { kind: "system" },
      clock: Date.now,
    });
  }
  return done;
};

describe("an export file", () => {
  test("is complete if unchanged, and incomplete if truncated anywhere", async () => {
    const { header, sections } = await check(lines);
    expect(Object.keys(header.schemas)).toEqual([
      "identity",
      "organization",
      "apikey",
      "mailer",
      "webhooks",
      "oauth",
    ]);
    expect(sections.get("identity")).toMatchObject({ rows: 1 });
    for (let count = 0; count < lines.length; count += 1)
      await expect(check(lines.slice(0, count))).rejects.toThrow(/the file is torn/);
    const last = lines.at(-1) ?? "";
    const cut = [...lines.slice(0, -1), last.slice(0, -10)];
    await expect(check(cut)).rejects.toThrow(/torn or was changed/);
  });

  /** Attack: someone with write access to a backup grants a user a role, or a password that they know. */
  test("is refused if any character is changed", async () => {
    const text = lines.join("\n");
    const seed = randomBytes(4).readUInt32BE();
    for (let index = 0; index < 60; index += 1) {
      const at = (seed + index * 38971) % text.length;
      const other = text[at] === "x" ? "y" : "x";
      const changed = text.slice(0, at) + other + text.slice(at + 1);
      await expect(check(changed.split("\n")), `position ${at}`).rejects.toThrow(TransferError);
    }
  });

  /** Attack: the digest is no secret, so the attacker computes it again. */
  test("is refused if its digest was computed without the secret", async () => {
    const changed = lines.map((line) => line.replace("ada@example.com", "eve@example.com"));
    expect(changed).not.toEqual(lines);
    const forger = createSecretRing(["a secret of somebody else"]);
    const before = changed.slice(0, -1).map((line) => `${line}\n`);
    const sha256 = createHash("sha256").update(before.join("")).digest("hex");
    const end = JSON.parse(changed.at(-1) ?? "") as object;
    const forged = { ...end, sha256, seal: seal(forger, "installation export digest", sha256) };
    await expect(check([...changed.slice(0, -1), JSON.stringify(forged)])).rejects.toThrow(
      "the file was changed since it was written",
    );
  });

  test("is refused with another secret, and accepted if that secret is configured as an older one", async () => {
    const other = "a secret of another installation";
    await expect(check(lines, createSecretRing([other]))).rejects.toThrow(/another AUTH_SECRET/);
    const both = createSecretRing([other, ...ring.all]);
    expect((await check(lines, both)).sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test("is refused by the number of its format if that is newer", async () => {
    const later = lines.with(0, (lines[0] ?? "").replace('"format":1', '"format":2'));
    await expect(check(later)).rejects.toThrow("of format 2, and this version of Latchkey reads 1");
  });
});

describe("an import", () => {
  test(
    "is refused with the reason if the installation is not empty, and skips schemas that the same file has filled",
    async () => {
      const place = await newPlace();
      const transfer = await check(lines);
      const schemas = Object.keys(transfer.header.schemas).length;
      expect(Object.values(await bringIn(place, lines, transfer))).toEqual(
        Array(schemas).fill(true),
      );
      expect(Object.values(await bringIn(place, lines, transfer))).toEqual(
        Array(schemas).fill(false),
      );
      const again = await source.exportHere();
      await expect(bringIn(place, again, await check(again))).rejects.toThrow(
        "identity is not empty (audit, user)",
      );
      await expect(bringIn(source, lines, transfer)).rejects.toThrow(
        /identity is not empty \(user\)/,
      );
      const rows = openRows(place);
      expect(await rows.query(`select count(*) from identity."user"`)).toEqual([{ count: 1 }]);
      await rows.close();
    },
    timeout,
  );

  test(
    "is refused with the reason while the tables are in use",
    async () => {
      const place = await newPlace();
      const pool = openPool(place.databaseUrl);
      const client = await pool.connect();
      try {
        await client.query("begin");
        await client.query("select 1 from mailer.outbox for update");
        await expect(bringIn(place, lines, await check(lines))).rejects.toThrow(
          "somebody uses mailer: stop all services",
        );
      } finally {
        client.release(true);
        await pool.end();
      }
    },
    timeout,
  );

  test("keeps nothing of lines that changed after they were checked", async () => {
    const place = await newPlace();
    const transfer = await check(lines);
    const changed = lines.map((line) => line.replace("ada@example.com", "eve@example.com"));
    await expect(bringIn(place, changed, transfer)).rejects.toThrow(/changed while it was read/);
    const rows = openRows(place);
    expect(await rows.query(`select 1 from identity."user"`)).toEqual([]);
    await rows.close();
  });

  test("is refused for a schema with migrations that are unknown here", async () => {
    const place = await newPlace();
    const transfer = await check(lines);
    const { schemas } = transfer.header;
    const later = {
      ...transfer.header,
      schemas: { ...schemas, mailer: [...(schemas["mailer"] ?? []), "9999_later"] },
    };
    await expect(bringIn(place, lines, { ...transfer, header: later })).rejects.toThrow(
      /mailer was migrated further when it was exported/,
    );
  });

  test(
    "migrates rows of an earlier version after importing them, and is refused if the schema is migrated already",
    async () => {
      const earlier = await newPlace(false);
      for (const { name, portable, settings } of carriedSchemas(earlier.settings, "owner")) {
        const [first] = Object.entries(portable.migrations);
        await migrateSchema(settings, name, Object.fromEntries(first ? [first] : []));
      }
      await addUser(earlier);
      const old = await earlier.exportHere("owner");
      const transfer = await check(old);
      const place = await newPlace(false);
      await bringIn(place, old, transfer);
      // One service suffices, and takes less than all.
      const [identity] = carriedSchemas(place.settings, "owner");
      const { name, portable, settings } = identity!;
      await migrateSchema(settings, name, portable.migrations);
      expect((await pendingAll(place.settings, ["identity"]))["identity"]).toEqual([]);
      const rows = openRows(place);
      expect(await rows.query(`select id, banned, email_key from identity."user"`)).toEqual([
        { id: "u1", banned: false, email_key: "ada@example.com" },
      ]);
      await rows.close();
      const migrated = await newPlace();
      await expect(bringIn(migrated, old, transfer)).rejects.toThrow(
        /identity is migrated further than it was when it was exported/,
      );
    },
    timeout,
  );
});
