import { createBoundedMemo } from "../bounds/bounded-memo.ts";
import type { Tracing } from "./tracing.ts";

type Query<Result> = (text: string, values: unknown[]) => Promise<Result>;

/** Maximum number of cached summaries. Only statements whose text depends on options can exceed it. */
const summariesMax = 1_000;

const verb = /^\s*(?:\/\*.*?\*\/\s*)?(\w+)/s;
/** The action of a statement that begins with `with`. */
const change = /\b(insert|update|delete)\s/i;
const table = /\b(?:from|into|update|join)\s+"?\w+"?\."?(\w+)"?/i;

/** Summarizes a statement by its action and first table, such as `select session`. */
const summarize = (text: string): string => {
  const first = verb.exec(text)?.[1]?.toLowerCase() ?? "statement";
  const action = first === "with" ? (change.exec(text)?.[1]?.toLowerCase() ?? "select") : first;
  const tableName = table.exec(text)?.[1];
  return tableName === undefined ? action : `${action} ${tableName}`;
};

/**
 * Wraps queries so that each statement of a trace becomes a span with its text, in which every value is a parameter, and
 * without the values. A statement shared by several requests belongs to the first of them. Create one tracer for all
 * connections of a pool.
 */
export const createStatementTracer = (
  tracing: Tracing,
  schema: string,
): (<Result>(query: Query<Result>) => Query<Result>) => {
  const summaries = createBoundedMemo<string>({ entriesMax: summariesMax });
  const summaryOf = (text: string): string => {
    const existingSummary = summaries.get(text);
    if (existingSummary !== undefined) return existingSummary;
    const summary = summarize(text);
    summaries.set(text, { entry: summary });
    return summary;
  };
  return (query) => (text, values) => {
    const summary = summaryOf(text);
    const attributes = {
      "db.system.name": "postgresql",
      "db.namespace": schema,
      "db.query.summary": summary,
      "db.query.text": text,
    };
    return tracing.span(summary, { kind: "client", attributes }, () => query(text, values));
  };
};
