import type { KeyObject } from "node:crypto";
import { z } from "zod";
import { type ChainBreak, type ChainCheck, type ChainVerdict, checkChain } from "./check-chain.ts";
import { type ChainHead, isSigned } from "./checkpoint-signature.ts";
import type { ChainItem } from "./read-chain.ts";

/** A text that is no export of the audit log. */
export class ExportUnreadableError extends Error {
  override readonly name = "ExportUnreadableError";
}

const signed = {
  schema: z.string(),
  position: z.int().min(0),
  hash: z.hex().length(64),
  signature: z.base64url(),
};
const signedLine = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("export"), ...signed, at: z.iso.datetime() }),
  z.object({ kind: z.literal("checkpoint"), ...signed, sealedAt: z.iso.datetime() }),
]);

const entryForm =
  /^\{"kind":"entry","schema":"([^"\\]+)","position":(\d{1,15}),"hash":"([0-9a-f]{64})","auditId":(\d{1,15}),"entry":(.+)\}$/s;

type Head = ChainHead & { signature: Buffer };
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
  const { kind, schema, position } = data;
  const hash = Buffer.from(data.hash, "hex");
  const signature = Buffer.from(data.signature, "base64url");
  if (kind === "export")
    return { kind: "head", head: { schema, position, hash, at: new Date(data.at), signature } };
  const sealedAt = new Date(data.sealedAt);
  return { kind: "item", schema, item: { kind, position, hash, sealedAt, signature } };
};

/** How an export ends otherwise than it was signed. */
const breakOfExport = (
  { entries, hash }: ChainVerdict,
  head: Head,
  keys: readonly KeyObject[],
): ChainBreak | undefined => {
  const { position } = head;
  if (!isSigned(keys, "export", head)) {
    const reason = "the signature of the export is of no key of this installation";
    return { kind: "forged", position, reason };
  }
  if (entries < position) {
    const reason = "the export ends before its own end, which it has signed";
    return { kind: "truncated", position: entries + 1, reason };
  }
  if (entries > position) {
    const reason = "the export goes on after its own end, which it has signed";
    return { kind: "unsigned", position: position + 1, reason };
  }
  const reason = "the export has signed another hash here: entries up to it were rewritten";
  return hash.equals(head.hash) ? undefined : { kind: "rewritten", position, reason };
};

const judge = (part: { head: Head; check: ChainCheck }, keys: readonly KeyObject[]) => {
  const verdict = part.check.verdict();
  return { ...verdict, broken: verdict.broken ?? breakOfExport(verdict, part.head, keys) };
};

/**
 * Follows the chains of an export, line by line, as it was written; `keys` are those that it may be signed by. Throws
 * `ExportUnreadableError` for a line that no export has.
 */
export const verifyExport = async (
  lines: AsyncIterable<string>,
  keys: readonly KeyObject[],
): Promise<ChainVerdict[]> => {
  const verdicts: ChainVerdict[] = [];
  let part: { head: Head; check: ChainCheck } | undefined;
  let number = 0;
  for await (const text of lines) {
    number += 1;
    const line = readEntry(text) ?? readSigned(text);
    if (line?.kind === "head") {
      if (part) verdicts.push(judge(part, keys));
      part = { head: line.head, check: checkChain({ schema: line.head.schema, keys }) };
    } else if (line && part && line.schema === part.head.schema) part.check.take(line.item);
    else throw new ExportUnreadableError(`line ${number} is not as an export has it there`);
  }
  if (!part) throw new ExportUnreadableError("it is empty");
  return [...verdicts, judge(part, keys)];
};
