import { createHash } from "node:crypto";
import { z } from "zod";
import { TransferError } from "./transfer-error.ts";

// Format of an exported installation in JSON lines: a header, then per schema the rows of its tables and its sequences, then an
// end. The end has the counts, and an encrypted digest of all lines before it.

/** The current format. Other formats cannot be read. */
export const transferFormat = 1;

/** Purposes for which the header's probe and the end's digest are encrypted. */
export const probePurpose = "installation export probe";
export const digestPurpose = "installation export digest";

const header = z.strictObject({
  kind: z.literal("header"),
  format: z.literal(transferFormat),
  latchkey: z.string(),
  at: z.iso.datetime(),
  /** The applied migrations of each schema. */
  schemas: z.record(z.string(), z.array(z.string())),
  /** Decrypts only with the secret that protects the data in the file. */
  probe: z.string(),
});
const row = z.strictObject({
  table: z.string(),
  row: z.record(z.string(), z.string().nullable()),
});
const sequence = z.strictObject({
  sequence: z.string(),
  last: z.string().regex(/^-?\d{1,19}$/),
  called: z.boolean(),
});
const end = z.strictObject({
  kind: z.literal("end"),
  /** Number of rows by table. */
  rows: z.record(z.string(), z.int().min(1)),
  sha256: z.hex().length(64),
  /** The encrypted digest, which cannot be forged without the secret. */
  seal: z.string(),
});

export type TransferHeader = z.infer<typeof header>;
export type TransferEnd = z.infer<typeof end>;
export type TransferLine =
  | { kind: "header"; value: TransferHeader }
  | { kind: "row"; schema: string; table: string; value: z.infer<typeof row>["row"] }
  | { kind: "sequence"; schema: string; name: string; value: z.infer<typeof sequence> }
  | { kind: "end"; value: TransferEnd };

const damaged = (number: number): TransferError =>
  new TransferError(`line ${number} is damaged: the file is torn or was changed`);

const parseJson = (text: string, number: number): object => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // reported below
  }
  throw damaged(number);
};

const parts = (name: string, number: number): [schema: string, name: string] => {
  const at = name.indexOf(".");
  if (at < 1) throw damaged(number);
  return [name.slice(0, at), name.slice(at + 1)];
};

const readHeader = (value: object, number: number): TransferHeader => {
  const { kind, format } = value as { kind?: unknown; format?: unknown };
  if (kind === "header" && format !== transferFormat)
    throw new TransferError(
      `the file is of format ${String(format)}, and this version of Latchkey reads ${transferFormat}`,
    );
  const read = header.safeParse(value);
  if (!read.success) throw damaged(number);
  return read.data;
};

const readRow = (value: object, number: number): TransferLine => {
  const read = row.safeParse(value);
  if (!read.success) throw damaged(number);
  const [schema, table] = parts(read.data.table, number);
  return { kind: "row", schema, table, value: read.data.row };
};

const readSequence = (value: object, number: number): TransferLine => {
  const read = sequence.safeParse(value);
  if (!read.success) throw damaged(number);
  const [schema, name] = parts(read.data.sequence, number);
  return { kind: "sequence", schema, name, value: read.data };
};

/** Parses line `number`. Throws a `TransferError` if it is invalid. */
export const readTransferLine = (text: string, number: number): TransferLine => {
  const value = parseJson(text, number);
  if (number === 1) return { kind: "header", value: readHeader(value, number) };
  if ("table" in value) return readRow(value, number);
  if ("sequence" in value) return readSequence(value, number);
  const read = end.safeParse(value);
  if (!read.success) throw damaged(number);
  return { kind: "end", value: read.data };
};

/** Computes the SHA-256 of lines, each with its final line feed. */
export const createDigest = () => {
  const hash = createHash("sha256");
  return {
    take: (line: string): void => {
      hash.update(line, "utf8").update("\n");
    },
    /** Returns the digest of the lines so far, in hex. */
    read: (): string => hash.copy().digest("hex"),
  };
};
