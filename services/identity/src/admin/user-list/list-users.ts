import {
  hasPermissions,
  mayActOnEverybody,
  type OperationInput,
  type operations,
} from "@latchkey/contracts";
import { canonicalAddress } from "@latchkey/service-kit/http";
import {
  type PageQuery,
  readAmounts,
  refuseQuery,
  searchTerm,
  wordsOf,
  readList,
} from "@latchkey/service-kit/lists";
import { type Column, type Columns, userColumnsWith } from "../../users/search/columns.ts";
import { type Condition, readCondition, type Operator } from "../../users/search/read-condition.ts";
import { keyLength } from "../../users/search/queries.ts";
import type { CallOf, Deps, Handler } from "../../deps.ts";
import { findLastSignInTimes } from "../../refused-sign-ins/queries.ts";
import { hasSecondFactor } from "../../db/has-second-factor.ts";
import { userListOf } from "./queries.ts";

export type ListQuery = OperationInput<typeof operations.identity.adminListUsers>["query"];

/** Zero and invalid numbers count as missing. */
const readGivenAmounts = (query: ListQuery): { limit?: number; offset?: number } => {
  const amountOf = (text: string | undefined) => Number(text) || 0;
  const { limit, offset } = readAmounts({
    limit: amountOf(query.limit),
    offset: amountOf(query.offset),
  });
  return { ...(limit && { limit }), ...(offset && { offset }) };
};

/** Returns the value that a text represents in the column's JSON type, or undefined. */
const valueOf = ({ type }: Column, text: string): unknown => {
  if (type === "boolean") return { true: true, false: false }[text];
  if (type !== "number" && type !== "numbers") return text;
  return text.trim() === "" ? undefined : Number(text);
};

const readFilter = (query: ListQuery, column: Column): Condition[] => {
  const { filterOperator = "eq", filterValue } = query;
  if (!filterValue) return [];
  const isList = filterOperator === "in";
  if (Array.isArray(filterValue) && !isList) refuseQuery("filterValue", "is more than one value");
  const [first, ...others] = [filterValue].flat().map((text) => valueOf(column, text));
  return [
    readCondition({
      column,
      operator: filterOperator,
      value: isList ? [first, ...others] : first,
      refuse: (problem) => refuseQuery("filterValue", problem),
    }),
  ];
};

const readRole = (columns: Columns, { role: value }: ListQuery): Condition | undefined => {
  const column = columns.get("role");
  const refuse = (problem: string) => refuseQuery("role", problem);
  return value && column ? readCondition({ column, operator: "has", value, refuse }) : undefined;
};

const dayOnly = /^\d{4}-\d{2}-\d{2}$/;

/** The last moment of a day, and any other moment as it is. */
const endOf = (moment: string): string =>
  dayOnly.test(moment) ? `${moment}T23:59:59.999Z` : moment;

/** Reads the filters that have parameters of their own, so that they can be combined. */
const readNamedFilters = (columns: Columns, query: ListQuery): Condition[] => {
  const { createdFrom, createdTo } = query;
  const comparisons: [column: string, operator: Operator, text: string | undefined][] = [
    ["banned", "eq", query.banned],
    ["emailVerified", "eq", query.emailVerified],
    ["hasSecondFactor", "eq", query.hasSecondFactor],
    ["isAnonymous", "eq", query.isAnonymous],
    ["createdAt", "gte", createdFrom && new Date(createdFrom).toISOString()],
    ["createdAt", "lte", createdTo && new Date(endOf(createdTo)).toISOString()],
  ];
  return comparisons.flatMap(([name, operator, text]) => {
    const column = columns.get(name);
    if (text === undefined || !column) return [];
    const refuse = (problem: string) => refuseQuery(name, problem);
    return [readCondition({ column, operator, value: valueOf(column, text), refuse })];
  });
};

/** A list query with its conditions. */
interface ReadListQuery extends PageQuery {
  sortBy: string;
  sortDirection: "asc" | "desc";
  conditions: Condition[];
  /** A role that users have beside the other conditions. */
  role: Condition | undefined;
  /** At least one of each group holds. */
  alternatives: Condition[][];
  /** A way in that users have beside the other conditions. */
  wayIn: string | undefined;
  /** The amounts in the query itself. */
  given: { limit?: number; offset?: number };
}

/** Parses a list query. Returns undefined if it refers to an unknown column. */
export const readListQuery = (columns: Columns, query: ListQuery): ReadListQuery | undefined => {
  const amounts = readGivenAmounts(query);
  const sortBy = query.sortBy || "createdAt";
  const filtered = columns.get((query.filterValue && query.filterField) || "email");
  if (!columns.has(sortBy) || !filtered) return undefined;
  const search = readSearch(columns, query);
  return {
    given: amounts,
    sortBy,
    sortDirection: (query.sortBy && query.sortDirection) || "asc",
    cursor: query.cursor,
    conditions: [
      ...search.conditions,
      ...readFilter(query, filtered),
      ...readNamedFilters(columns, query),
    ],
    role: readRole(columns, query),
    alternatives: search.alternatives,
    wayIn: query.signsInWith || undefined,
  };
};

type AskedSearch = Pick<
  OperationInput<typeof operations.identity.adminListUsers>["query"],
  "searchField" | "searchOperator" | "searchValue"
>;

/** The conditions of a search. A user matches if all of `conditions` hold, and one of each group of `alternatives`. */
interface ReadSearch {
  conditions: Condition[];
  alternatives: Condition[][];
}

/** A single letter is in nearly every address, and only an index of beginnings finds it. */
const defaultOperator = (term: string): Operator =>
  [...term].length > 1 ? "contains" : "starts_with";

/** Numbers are found by their beginning, with the country code, however they are grouped. Other terms contain letters. */
const phoneAlternative = (term: string): [column: string, Operator][] =>
  /^\+[\d ()./-]{2,30}$/.test(term) ? [["phoneNumber", "starts_with"]] : [];

/** Each alternative has an index of its own, which the planner combines with the others. */
const alternativesOf = (term: string, operator: Operator): [column: string, Operator][] => [
  ["email", operator],
  ["name", operator],
  // Only terms that fit into a key twice use the index of beginnings, because lower case may be longer.
  ["username", term.length * 2 <= keyLength ? "starts_with" : "eq"],
  ...phoneAlternative(term),
  ["id", "eq"],
];

/** Reads the search of a list query. Blanks around the term do not count. An unknown column or an empty term makes no condition. */
const readSearch = (columns: Columns, query: AskedSearch): ReadSearch => {
  const { searchField = "email", searchOperator } = query;
  const term = searchTerm(query.searchValue);
  if (!term) return { conditions: [], alternatives: [] };
  const read = (
    [name, operator]: [string, Operator],
    { word: value, isOneOfWords } = { word: term, isOneOfWords: false },
  ): Condition[] => {
    const column = columns.get(name);
    const refuse = (problem: string) => refuseQuery("searchValue", problem);
    return column ? [{ ...readCondition({ column, operator, value, refuse }), isOneOfWords }] : [];
  };
  if (searchField !== "any")
    return { conditions: read([searchField, searchOperator ?? "contains"]), alternatives: [] };
  // Names hardly ever contain an `@`, and searches of addresses alone use the index of domains.
  if (term.includes("@"))
    return { conditions: read(["email", searchOperator ?? "contains"]), alternatives: [] };
  const isPhone = phoneAlternative(term).length > 0;
  const words = searchOperator === undefined && !isPhone ? wordsOf(term) : [term];
  const isOneOfWords = words.length > 1;
  const operator = isOneOfWords ? "contains" : (searchOperator ?? defaultOperator(term));
  const alternatives = words.map((word) =>
    alternativesOf(word, operator).flatMap((asked) => read(asked, { word, isOneOfWords })),
  );
  return { conditions: [], alternatives };
};

/** Lets admins find the users whose account one factor opens. */
const secondFactorColumn: Column = {
  name: "hasSecondFactor",
  type: "boolean",
  isField: false,
  computed: hasSecondFactor,
};

/** Columns that replies do not show cannot be used in conditions, either. An additional field of the same name takes precedence. */
const shownColumns = ({ config }: Pick<Deps, "config">): Columns => {
  const fields = Object.entries(config.additionalFields.user);
  const shown = userColumnsWith(Object.fromEntries(fields.filter(([, { returned }]) => returned)));
  return new Map([[secondFactorColumn.name, secondFactorColumn], ...shown]);
};

/**
 * Returns the IP address that a search is for, as sign-ins store it, if the caller may know those of everybody. Otherwise its results would
 * tell from where a user signs in. An API key may not, because it lists no sessions either.
 */
const searchedAddress = (
  { config: { admin } }: Pick<Deps, "config">,
  { query, session, caller }: CallOf<"adminListUsers">,
): string | undefined => {
  if (query.searchField !== "any" || caller.apiKeyId !== undefined) return undefined;
  const { user } = session;
  const mayKnow =
    hasPermissions(admin, user, { session: ["list"] }) && mayActOnEverybody(admin, user);
  return mayKnow ? canonicalAddress(searchTerm(query.searchValue)) : undefined;
};

/** Adds the times of the last sign-ins, or nothing without users. */
const addLastSignIns = async <User extends { id: string }>(
  { db }: Pick<Deps, "db">,
  users: readonly User[],
): Promise<(User & { lastSignInAt: Date | null })[]> => {
  const times = await findLastSignInTimes(
    db,
    users.map(({ id }) => id),
  );
  return users.map((user) => ({ ...user, lastSignInAt: times.get(user.id) ?? null }));
};

/** Returns a page of users for admins. An unknown column results in an empty list, as clients of this protocol expect. */
export const adminListUsers: Handler<"adminListUsers"> = async (deps, call) => {
  // Guests are listed on request only.
  const query: ListQuery = {
    ...(deps.config.anonymous.enabled && { isAnonymous: "false" }),
    ...call.query,
  };
  const columns = shownColumns(deps);
  const ipAddress = searchedAddress(deps, call);
  const listQuery = readListQuery(
    columns,
    ipAddress === undefined ? query : { ...query, searchValue: undefined },
  );
  if (!listQuery) return { reply: { users: [], total: 0 } };
  const { given: amounts, ...list } = listQuery;
  const limit = amounts.limit ?? deps.config.database.defaultFindManyLimit;
  const { rows, ...page } = await readList(deps.db, userListOf(columns), {
    ...list,
    ipAddress,
    limit,
    offset: amounts.offset,
  });
  const users = rows.map((row) => Object.assign(deps.showUser(row), { revision: row.revision }));
  const shown = query.withLastSignIn === "true" ? await addLastSignIns(deps, users) : users;
  return { reply: { users: shown, ...amounts, ...page } };
};
