import { expect, test } from "vitest";
import { createStatementTracer } from "./create-statement-tracer.ts";
import type { Tracing } from "./tracing.ts";

test.each([
  ['select "id" from "identity"."session" where "id" = $1', "select session"],
  ['/* planned anew */ select 1 from "identity"."user"', "select user"],
  ['insert into "kit"."outbox" ("id") values ($1)', "insert outbox"],
  ['update "mailer"."delivery" set "state" = $1', "update delivery"],
  ['delete from "identity"."session" where "id" = $1', "delete session"],
  [
    'with "gone" as (delete from "identity"."session" returning "id") select * from "gone"',
    "delete session",
  ],
  ['with "seen" as (select "id" from "identity"."user") select * from "seen"', "select user"],
  ["begin", "begin"],
  ["select pg_advisory_xact_lock($1)", "select"],
])("names %s as %s without its values", async (text, summary) => {
  const attributes: unknown[] = [];
  const tracing = {
    span: async (...[name, options, work]: Parameters<Tracing["span"]>) => {
      attributes.push(name, options);
      return work();
    },
  } as unknown as Tracing; // the tracer uses no other members
  const query = async (_text: string, values: unknown[]) => values;
  const traced = createStatementTracer(tracing, "identity")(query);
  expect(await traced(text, ["a secret"])).toEqual(["a secret"]);
  expect(attributes[0]).toBe(summary);
  expect(JSON.stringify(attributes)).toContain(JSON.stringify(text));
  expect(JSON.stringify(attributes)).not.toContain("a secret");
});
