import { type SecretRing, unseal } from "@latchkey/crypto";
import { TransferError } from "./transfer-error.ts";
import {
  createDigest,
  digestPurpose,
  probePurpose,
  readTransferLine,
  type TransferEnd,
  type TransferHeader,
  type TransferLine,
} from "./transfer-lines.ts";

/** The lines of one schema: their byte range in the file and their digest. */
export interface TransferSection {
  start: number;
  end: number;
  /** Line number of its first line. */
  line: number;
  digest: string;
  rows: number;
}

/** A complete, unchanged file of a configured secret. */
export interface CheckedTransfer {
  header: TransferHeader;
  sections: ReadonlyMap<string, TransferSection>;
  sha256: string;
}

const torn = "the end is missing: the file is torn. Repeat the export or the copy";

const checkProbe = (ring: SecretRing, { at, probe }: TransferHeader): void => {
  if (unseal(ring, probePurpose, probe) === at) return;
  throw new TransferError(
    "the export was made under another AUTH_SECRET. Its data is encrypted and signed with that secret: configure it here, if necessary as an additional one, and import again",
  );
};

/** Collects the lines between header and end, section by section. */
const createSections = () => {
  const sections = new Map<string, TransferSection>();
  const rows: Record<string, number> = {};
  let current: { schema: string; digest: ReturnType<typeof createDigest> } | undefined;
  const close = (): void => {
    const section = current && sections.get(current.schema);
    if (current && section) section.digest = current.digest.read();
  };
  return {
    sections,
    rows,
    close,
    take: (
      line: string,
      of: TransferLine & { schema: string },
      at: { start: number; line: number },
    ) => {
      const { schema } = of;
      if (current?.schema !== schema) {
        close();
        if (sections.has(schema)) throw new TransferError(`line ${at.line} is out of order`);
        current = { schema, digest: createDigest() };
        sections.set(schema, { ...at, end: at.start, digest: "", rows: 0 });
      }
      const section = sections.get(schema) as TransferSection;
      current.digest.take(line);
      section.end = at.start + Buffer.byteLength(line) + 1;
      if (of.kind !== "row") return;
      section.rows += 1;
      const table = `${schema}.${of.table}`;
      rows[table] = (rows[table] ?? 0) + 1;
    },
  };
};

const isSame = (a: Record<string, number>, b: Record<string, number>): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([table, count]) => b[table] === count);

/**
 * Checks a whole file before any import. Throws a `TransferError` if it is incomplete, was changed, or was made with a secret
 * that is not configured.
 */
export const checkTransfer = async (
  lines: AsyncIterable<string>,
  ring: SecretRing,
): Promise<CheckedTransfer> => {
  const digest = createDigest();
  const between = createSections();
  let header: TransferHeader | undefined;
  let end: TransferEnd | undefined;
  let number = 0;
  let start = 0;
  for await (const line of lines) {
    number += 1;
    if (end) throw new TransferError(`line ${number} comes after the end`);
    const read = readTransferLine(line, number);
    if (read.kind === "end") {
      end = read.value;
      continue;
    }
    if (read.kind === "header") {
      header = read.value;
      checkProbe(ring, header);
    } else between.take(line, read, { start, line: number });
    digest.take(line);
    start += Buffer.byteLength(line) + 1;
  }
  between.close();
  if (!header || !end) throw new TransferError(torn);
  const sha256 = digest.read();
  const isWhole = sha256 === end.sha256 && isSame(between.rows, end.rows);
  if (!isWhole || unseal(ring, digestPurpose, end.seal) !== sha256)
    throw new TransferError("the file was changed since it was written");
  return { header, sections: between.sections, sha256 };
};
