import { type Column, initialOf, snakeCase } from "@latchkey/service-kit/database";
import type { TextRow } from "@latchkey/service-kit/transfer";
import { sessionColumns } from "../../db/tables.ts";
import type { StoredSession } from "./session-store.ts";

// Converts a session to the row that it would be in Postgres, with each value in Postgres's text form.

const columns = Object.entries<Column<unknown>>(sessionColumns).map(([name, { type }]) => ({
  name,
  type,
  columnName: snakeCase(name),
}));

const toText = (value: unknown): string | null => {
  if (value === null || typeof value === "string") return value;
  if (value instanceof Date)
    return `${value
      .toISOString()
      .replace("T", " ")
      .replace(/\.?0*Z$/, "")}+00`;
  return Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : JSON.stringify(value);
};

const fromText = (type: Column<unknown>["type"], text: string): unknown => {
  if (type === "text") return text;
  if (type === "timestamptz") return new Date(text.replace(" ", "T").replace(/\+00$/, "Z"));
  return type === "bytea" ? Buffer.from(text.slice(2), "hex") : JSON.parse(text);
};

/** Returns the row of a live session. */
export const sessionToTexts = (session: StoredSession): TextRow => {
  const values: Readonly<Record<string, unknown>> = session;
  const texts = columns.map(({ name, columnName }) => [columnName, toText(values[name])]);
  return { ...Object.fromEntries(texts), revoked_at: null };
};

/** Reads a row, which may be of an earlier version and lack later columns. */
export const sessionFromTexts = (row: TextRow): StoredSession => {
  const present = columns.flatMap(({ name, type, columnName }) => {
    const text = row[columnName];
    return typeof text === "string" ? [[name, fromText(type, text)]] : [];
  });
  return { ...initialOf(sessionColumns), ...Object.fromEntries(present) } as StoredSession; // a row has all other columns
};
