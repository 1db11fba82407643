import { createSecretRing } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  entry,
  openAudit,
  type OpenedAudit,
  schema,
  shortOf,
  testRing,
  verifyLines,
} from "./test-audit.fixture.ts";
import { firstHash } from "./chain-hash.ts";
import { signHead } from "./checkpoint-signature.ts";
import { ExportUnreadableError } from "./verify-export.ts";

expectNoLeaks("file");

const count = 8;
/** The head, five entries, a checkpoint, three more entries and a checkpoint. */
let lines: string[];
let audit: OpenedAudit;
beforeAll(async () => {
  audit = await openAudit();
  await audit.appendMany(5);
  await audit.seal();
  audit.advance(60_000);
  await audit.append([
    entry({ after: { name: 'Ada "é" \u2028 {}', list: [1, 1.5, { b: 1, aa: null }] } }),
    entry({ before: { role: "user" }, after: { role: "admin" } }),
    entry(),
  ]);
  await audit.seal();
  lines = await audit.exportLines();
});
afterAll(() => audit.close());

/** Returns the lines with one line changed. */
const withLine = (index: number, change: (line: string) => string) =>
  lines.with(index, change(lines[index] ?? ""));
const without = (...gone: number[]) => lines.filter((_, index) => !gone.includes(index));
const swapped = (one: number, other: number) =>
  lines.with(one, lines[other] ?? "").with(other, lines[one] ?? "");
const brokenOf = async (given: readonly string[]) => {
  const [verdict] = await verifyLines(given);
  return verdict?.broken;
};

test("writes JSON lines: a head, entries with their seals, and checkpoints", () => {
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(parsed.map(({ kind }) => kind)).toEqual([
    "export",
    ...Array.from({ length: 5 }, () => "entry"),
    "checkpoint",
    ...Array.from({ length: 3 }, () => "entry"),
    "checkpoint",
  ]);
  expect(parsed[0]).toMatchObject({ schema, position: count, hash: parsed.at(-1)?.["hash"] });
  expect(parsed[7]).toMatchObject({
    position: 6,
    auditId: 6,
    entry: { id: 6, action: "session.created", after: { list: [1, 1.5, { aa: null, b: 1 }] } },
  });
});

test("verifies an unchanged export", async () => {
  const [verdict, ...others] = await verifyLines(lines);
  expect(verdict && shortOf(verdict)).toEqual({ entries: count, broken: undefined });
  expect([verdict?.checkpoints, others]).toEqual([2, []]);
});

describe("an export of several logs", () => {
  const schemas = [schema, "other"];
  const empty = (at: Date) => {
    const head = { schema: "other", position: 0, hash: firstHash, at, schemas, start: 0 };
    const signature = signHead(testRing, "export", head).toString("base64url");
    return JSON.stringify({ kind: "export", ...head, hash: firstHash.toString("hex"), signature });
  };

  test("verifies each log and reports the time of the export", async () => {
    const at = new Date(audit.clock());
    const verdicts = await verifyLines([...(await audit.exportLines(schemas)), empty(at)]);
    expect(verdicts.map((verdict) => [shortOf(verdict), verdict.exportedAt])).toEqual([
      [{ entries: count, broken: undefined }, at],
      [{ entries: 0, broken: undefined }, at],
    ]);
  });

  /** Attack: a log is removed from the file. */
  test("reports a missing log, the first or the last", async () => {
    const brokenIn = async (given: readonly string[]) =>
      (await verifyLines(given)).map(({ schema, broken }) => [schema, broken?.kind]);
    expect(await brokenIn(await audit.exportLines(schemas))).toEqual([
      [schema, undefined],
      ["other", "missing"],
    ]);
    expect(await brokenIn([empty(new Date(audit.clock()))])).toEqual([
      [schema, "missing"],
      ["other", undefined],
    ]);
  });

  /** Attack: the list of logs is changed to hide a removed log. */
  test("signs the list of logs", async () => {
    const [head = "", ...rest] = await audit.exportLines(schemas);
    const fewer = head.replace('["kit","other"]', '["kit"]');
    expect(fewer).not.toBe(head);
    expect(await brokenOf([fewer, ...rest])).toMatchObject({ kind: "forged" });
  });

  test.each([
    ["a log that occurs twice", async () => [...lines, ...lines], "repeats the log kit"],
    [
      "one of another time",
      async () => [...(await audit.exportLines(schemas)), empty(new Date(0))],
      "begins a log that is not part of this export",
    ],
    [
      "a log that is not in its list",
      async () => [...lines, empty(new Date(audit.clock()))],
      "begins a log that is not part of this export",
    ],
  ])("rejects %s", async (_what, given, message) => {
    await expect(verifyLines(await given())).rejects.toThrow(message);
  });
});

test("leaves out unsealed rows, and exports an empty log", async () => {
  const other = await openAudit();
  const empty = await other.exportLines();
  await other.appendMany(1);
  expect((await other.exportLines()).length).toBe(1);
  expect((await verifyLines(empty)).map(shortOf)).toEqual([{ entries: 0, broken: undefined }]);
  await other.close();
});

describe("a changed file", () => {
  const replaced = (from: string, to: string) => (line: string) => {
    expect(line).toContain(from);
    return line.replace(from, to);
  };

  test.each([
    [
      "an entry",
      () => withLine(3, replaced("session.created", "session.revoked")),
      { kind: "changed", position: 3, auditId: 3 },
    ],
    [
      "a state of an entry",
      () => withLine(8, replaced('"role": "admin"', '"role": "user"')),
      { kind: "changed", position: 7 },
    ],
    [
      "spaces in an entry",
      () => withLine(8, replaced('"role": "admin"', '"role":"admin"')),
      { kind: "changed", position: 7 },
    ],
    [
      "the row id of an entry",
      () => withLine(3, replaced('"auditId":3', '"auditId":9')),
      { kind: "changed", position: 3, auditId: 9 },
    ],
    ["a deleted line", () => without(3), { kind: "removed", position: 3 }],
    ["the first entry deleted", () => without(1), { kind: "removed", position: 1 }],
    [
      "an entry made null",
      () => withLine(3, (line) => line.replace(/"entry":.*$/, '"entry":null}')),
      { kind: "removed", position: 3 },
    ],
    ["lines in another order", () => swapped(3, 4), { kind: "reordered", position: 3 }],
    [
      "lines in another order, around a checkpoint",
      () => swapped(5, 7),
      { kind: "reordered", position: 5 },
    ],
    ["a repeated line", () => [...lines, lines[2] ?? ""], { kind: "reordered", position: 9 }],
    ["the end deleted", () => lines.slice(0, -2), { kind: "truncated", position: 8 }],
    [
      "the end deleted after a checkpoint",
      () => lines.slice(0, 7),
      { kind: "truncated", position: 6 },
    ],
    ["all entries deleted", () => lines.slice(0, 1), { kind: "truncated", position: 1 }],
    [
      "a checkpoint",
      () => withLine(6, (line) => line.replace(/"signature":"../, '"signature":"AA')),
      { kind: "forged", position: 5 },
    ],
    [
      "how far it goes",
      () => withLine(0, replaced(`"position":${count}`, '"position":5')),
      { kind: "forged", position: 5 },
    ],
  ])("is reported: %s", async (_what, touch, broken) => {
    expect(await brokenOf(touch())).toMatchObject(broken);
  });

  /** Attack: the end is deleted, and the signed head of an earlier export replaces the head. */
  test("rejects the head of an earlier export", async () => {
    const other = await openAudit();
    await other.appendMany(2);
    await other.seal();
    const earlier = await other.exportLines();
    await other.appendMany(1);
    await other.seal();
    const later = await other.exportLines();
    expect(await brokenOf([earlier[0] ?? "", ...later.slice(1)])).toMatchObject({
      kind: "unsigned",
      position: 3,
    });
    await other.close();
  });

  /** Attack: checkpoints are deleted and hashes recomputed. An operator then exports the log and signs the result unknowingly. */
  test("reports entries that only the export has signed", async () => {
    const other = await openAudit();
    await other.appendMany(3);
    await other.seal();
    await other.db.deleteFrom("auditCheckpoint").execute();
    expect(await brokenOf(await other.exportLines())).toMatchObject({
      kind: "unsigned",
      position: 1,
    });
    await other.close();
  });

  test("reports an export as forged under another secret", async () => {
    const [verdict] = await verifyLines(
      lines,
      createSecretRing(["another secret, long enough for all"]),
    );
    expect(verdict?.broken).toMatchObject({ kind: "forged", position: 5 });
  });
});

test.each([
  ["nothing", () => [], "the export is empty"],
  ["other text", () => ["hello"], "line 1 is not"],
  ["other JSON", () => [...lines, '{"kind":"note"}'], `line ${count + 4} is not`],
  ["entries before their head", () => lines.slice(1), "line 1 is not"],
  [
    "an entry of another schema",
    () => [...lines, (lines[1] ?? "").replace(`"${schema}"`, '"other"')],
    "is not valid",
  ],
  [
    "an entry that was formatted anew",
    () => withLine(2, (line) => JSON.stringify(JSON.parse(line), null, 1)),
    "line 3 is not",
  ],
])("rejects %s and names the line", async (_what, given, message) => {
  const trial = verifyLines(given());
  await expect(trial).rejects.toThrow(ExportUnreadableError);
  await expect(trial).rejects.toThrow(message);
});
