import { readFile } from "node:fs/promises";
import { z } from "zod";
import { Refusal } from "../terminal/refusal.ts";

/** The other application's names of tables and columns that differ from the defaults. */
export type SourceNames = Readonly<
  Record<string, { table?: string | undefined; fields?: Record<string, string> | undefined }>
>;

const namesSchema = z.record(
  z.string(),
  z.strictObject({
    table: z.string().min(1).optional(),
    fields: z.record(z.string(), z.string().min(1)).optional(),
  }),
);

/** Reads a file such as `{"user": {"table": "people", "fields": {"image": "avatar"}}}`. */
export const readSourceNames = async (path: string | undefined): Promise<SourceNames> => {
  if (path === undefined) return {};
  const refuse = (problem: string) =>
    new Refusal(
      `${path} ${problem}. It maps models to their tables and columns: {"user": {"table": "people", "fields": {"image": "avatar"}}}.`,
    );
  const text = await readFile(path, "utf8").catch(() => {
    throw refuse("cannot be read");
  });
  try {
    return namesSchema.parse(JSON.parse(text));
  } catch {
    throw refuse("is not valid JSON of this form");
  }
};
