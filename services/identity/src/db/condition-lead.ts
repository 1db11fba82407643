import { type ListLead, looseScan } from "@latchkey/service-kit";
import { sql } from "kysely";
import type { Condition } from "../users/search/read-condition.ts";
import { conditionSql } from "./condition-sql.ts";
import { schema } from "./schema.ts";

const user = sql.id(schema, "user");

/** Must be the expression of the index. Validated addresses have one `@`. */
const domain = sql`(split_part(email, '@', 2) collate "C")`;

/** The distinct role texts that contain a role. They are few, because roles are configured. */
const leadOfRole = (condition: Condition): ListLead => {
  const present = looseScan({ table: user, fixed: [], columns: [sql`role`] });
  return {
    columns: [sql`role`],
    values: sql`
      select role from (select value0 as role from (${present}) as present) as present
      where ${conditionSql(condition)}`,
  };
};

const leadOfDomain = (prefix: string): ListLead => ({
  columns: [domain],
  values: looseScan({ table: user, fixed: [], columns: [domain], prefix }),
});

/** Matches a search for a domain with its first label. Only few domains begin with that. */
const domainTerm = /^@([^@.]+\.[^@]*)$/;

/** Returns the index with which users who match a condition can be read in this order, if there is one. */
export const leadOfCondition = (condition: Condition, sortBy: string): ListLead | undefined => {
  const { column, operator, value } = condition;
  const isRole = column.type === "role" && operator === "has";
  if (isRole && (sortBy === "createdAt" || sortBy === "name")) return leadOfRole(condition);
  if (sortBy !== "createdAt") return undefined;
  const prefix =
    column.type === "email" && operator === "contains" && domainTerm.exec(String(value))?.[1];
  return prefix ? leadOfDomain(prefix) : undefined;
};
