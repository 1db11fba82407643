import type { KeyObject } from "node:crypto";
import { z } from "zod";
import { breakOfEnd } from "./break-of-end.ts";
import { type ChainBreak, type ChainCheck, type ChainVerdict, checkChain } from "./check-chain.ts";
import { type ExportHead, isSigned } from "./checkpoint-signature.ts";
import type { ChainItem } from "./read-chain.ts";

/** The input is not an export of the audit log. */
export class ExportUnreadableError extends Error {
  override readonly name = "ExportUnreadableError";
}

const signed = {
  schema: z.string(),
  position: z.int().min(0),
  hash: z.hex().length(64),
  signature: z.base64url(),
};
const ofExport = {
  at: z.iso.datetime(),
  schemas: z.array(z.string()).min(1),
  start: z.int().min(0),
};
const signedLine = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("export"), ...signed, ...ofExport }),
  z.object({ kind: z.enum(["start", "checkpoint"]), ...signed, sealedAt: z.iso.datetime() }),
]);

const entryForm =
  /^\{"kind":"entry","schema":"([^"\\]+)","position":(\d{1,15}),"hash":"([0-9a-f]{64})","auditId":(\d{1,15}),"entry":(.+)\}$/s;

/** The result of checking one chain of an export. */
export interface ExportVerdict extends ChainVerdict {
  /** The signed time of the export. */
  exportedAt: Date;
}

type Head = ExportHead & { signature: Buffer };
type Line = { kind: "head"; head: Head } | { kind: "item"; schema: string; item: ChainItem };

const readEntry = (line: string): Line | undefined => {
  const [, schema, position, hash, auditId, entry] = entryForm.exec(line) ?? [];
  if (schema === undefined || hash === undefined) return undefined;
  const item = {
    kind: "entry" as const,
    position: Number(position),
    hash: Buffer.from(hash, "hex"),
    auditId: Number(auditId),
    entry: entry === "null" ? undefined : entry,
  };
  return { kind: "item", schema, item };
};

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const readSigned = (line: string): Line | undefined => {
  const { data } = signedLine.safeParse(parseJson(line));
  if (!data) return undefined;
  const { schema, position } = data;
  const hash = Buffer.from(data.hash, "hex");
  const signature = Buffer.from(data.signature, "base64url");
  if (data.kind === "export") {
    const { schemas, start } = data;
    const at = new Date(data.at);
    return { kind: "head", head: { schema, position, hash, at, schemas, start, signature } };
  }
  const sealedAt = new Date(data.sealedAt);
  return { kind: "item", schema, item: { kind: data.kind, position, hash, sealedAt, signature } };
};

/** Returns the break if the end of the export differs from its signed head. */
const breakOfExport = (
  { start, entries, hash }: ChainVerdict,
  head: Head,
  keys: readonly KeyObject[],
): ChainBreak | undefined => {
  const { position } = head;
  if (!isSigned(keys, "export", head)) {
    const reason = "the export is not signed by any key of this installation";
    return { kind: "forged", position, reason };
  }
  if (start !== head.start) {
    const reason = "the export begins at another position than its signed head says";
    return { kind: "removed", position: head.start + 1, reason };
  }
  if (entries < position) {
    const reason = "the export ends before the end that its signed head names";
    return { kind: "truncated", position: entries + 1, reason };
  }
  if (entries > position) {
    const reason = "the export continues after the end that its signed head names";
    return { kind: "unsigned", position: position + 1, reason };
  }
  const reason =
    "the signed head of the export has a different hash here: entries up to it were rewritten";
  return hash.equals(head.hash) ? undefined : { kind: "rewritten", position, reason };
};

interface Part {
  head: Head;
  check: ChainCheck;
}

const judge = ({ head, check }: Part, keys: readonly KeyObject[]): ExportVerdict => {
  const verdict = check.verdict();
  // The export's signature proves only what existed then. Entries that no sealer had signed may come from an attacker.
  const broken =
    verdict.broken ?? breakOfExport(verdict, head, keys) ?? breakOfEnd(verdict, head.at.getTime());
  return { ...verdict, broken, exportedAt: head.at };
};

/** Returns the verdict of a log that the signed head lists but the file lacks. */
const missing = (schema: string, { head }: Part): ExportVerdict => ({
  ...checkChain({ schema, keys: [] }).verdict(),
  broken: {
    kind: "missing",
    position: 1,
    reason: "the signed head lists this log, but the export does not contain it",
  },
  exportedAt: head.at,
});

/** Returns the reason why a log cannot begin here. */
const isOutOfPlace = (
  parts: readonly Part[],
  { schema, schemas, at }: Head,
): string | undefined => {
  if (parts.some(({ head }) => head.schema === schema)) return `repeats the log ${schema}`;
  const [{ head } = {}] = parts;
  const isSame =
    !head || (head.at.getTime() === at.getTime() && head.schemas.join() === schemas.join());
  return isSame && schemas.includes(schema)
    ? undefined
    : "begins a log that is not part of this export";
};

/**
 * Checks the chains of an export line by line. `keys` are the keys that may sign it. Throws `ExportUnreadableError` for a line
 * that an export cannot contain.
 */
export const verifyExport = async (
  lines: AsyncIterable<string>,
  keys: readonly KeyObject[],
): Promise<ExportVerdict[]> => {
  const parts: Part[] = [];
  let number = 0;
  for await (const text of lines) {
    number += 1;
    const line = readEntry(text) ?? readSigned(text);
    const part = parts.at(-1);
    if (line?.kind === "head") {
      const { head } = line;
      const wrong = isOutOfPlace(parts, head);
      if (wrong) throw new ExportUnreadableError(`line ${number} ${wrong}`);
      parts.push({ head, check: checkChain({ schema: head.schema, keys }) });
    } else if (line && part && line.schema === part.head.schema) part.check.take(line.item);
    else throw new ExportUnreadableError(`line ${number} is not valid at this place of an export`);
  }
  const [first] = parts;
  if (!first) throw new ExportUnreadableError("the export is empty");
  const verdicts = parts.map((part) => judge(part, keys));
  return first.head.schemas.map(
    (schema) => verdicts.find((verdict) => verdict.schema === schema) ?? missing(schema, first),
  );
};
