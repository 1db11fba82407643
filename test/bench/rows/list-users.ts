import type { Bench } from "../harness/bench.ts";
import { compareSizes } from "../harness/compare-sizes.ts";
import { cursorAfter, type ListQuery, staffRequest } from "../harness/list-requests.ts";
import type { Line, Row } from "../harness/row.ts";
import { type Person, seedUsers } from "../harness/seed-users.ts";
import { type Side, withSizes } from "../harness/with-sizes.ts";

/** One kind of list request, about another user each time. */
interface Kind {
  what: string;
  query: (person: Person, index: number) => ListQuery;
  countsMore?: boolean;
}

const either = <T>(index: number, choices: readonly T[]): T => choices[index % choices.length] as T; // the lists are never empty

const directions = ["asc", "desc"] as const;
const firstName = ({ name }: Person) => name.split(" ")[0] ?? "";
const surname = ({ name }: Person) => name.split(" ")[1] ?? "";

const filters = (person: Person): ListQuery[] => [
  { filterField: "role", filterValue: "user,support" },
  { filterField: "banned", filterValue: "true" },
  { filterField: "emailVerified", filterValue: "false" },
  {
    filterField: "createdAt",
    filterOperator: "gte",
    filterValue: new Date(person.createdAt).toISOString(),
  },
];

const hasRole = (filterValue: string): ListQuery => ({
  filterField: "role",
  filterOperator: "has",
  filterValue,
});

const kinds: readonly Kind[] = [
  { what: "the oldest", query: () => ({}) },
  {
    what: "sorted by one of four columns",
    query: (_, index) => ({
      sortBy: either(index, ["email", "name", "createdAt", "updatedAt"]),
      sortDirection: either(index >> 2, directions),
    }),
  },
  { what: "a page anywhere, by cursor", query: (person) => ({ cursor: cursorAfter(person) }) },
  {
    what: "filtered by one of four columns",
    query: (person, index) => either(index, filters(person)),
  },
  { what: "has a role that few have", query: () => hasRole("admin") },
  { what: "has a role that nearly all have", query: () => hasRole("user") },
  { what: "contains an address", query: ({ email }) => ({ searchValue: email }) },
  {
    what: "contains a surname that twenty have",
    query: (person) => ({ searchField: "name", searchValue: surname(person) }),
  },
  {
    what: "contains a first name that one in twenty has",
    query: (person, index) => ({
      searchField: either(index, ["name", "email"]),
      searchValue: firstName(person),
    }),
  },
  {
    what: "contains a provider that half of them have",
    query: () => ({ searchValue: "mail.example" }),
  },
  {
    what: "contains two letters of a first name",
    query: (person) => ({ searchField: "name", searchValue: firstName(person).slice(0, 2) }),
  },
  {
    what: "contains a surname, an address, two letters or an id anywhere",
    query: (person, index) => ({
      searchField: "any",
      searchValue: either(index, [
        surname(person),
        person.email,
        firstName(person).slice(0, 2),
        person.id,
      ]),
    }),
  },
  {
    what: "starts with a whole name",
    query: ({ name }) => ({
      searchField: "name",
      searchOperator: "starts_with",
      searchValue: name,
    }),
  },
  {
    what: "starts with a first name that one in twenty has",
    query: (person, index) => ({
      searchField: either(index, ["name", "email"]),
      searchOperator: "starts_with",
      searchValue: firstName(person),
    }),
  },
  {
    what: "contains a firm that one in two hundred has",
    query: (_, index) => ({ searchValue: `@firm${(2 * index + 1) % 200}.` }),
    countsMore: true,
  },
  {
    what: "has a role that one in fifty has",
    query: () => hasRole("support"),
    countsMore: true,
  },
  {
    what: "has a role that one in fifty has, by name",
    query: (_, index) => ({
      ...hasRole("support"),
      sortBy: "name",
      sortDirection: either(index, directions),
    }),
    countsMore: true,
  },
  {
    what: "contains three letters of a surname",
    query: (person) => ({ searchField: "name", searchValue: surname(person).slice(2, 5) }),
    countsMore: true,
  },
  {
    what: "starts with a first name and a letter",
    query: ({ name }) => ({
      searchField: "name",
      searchOperator: "starts_with",
      searchValue: name.slice(0, name.indexOf(" ") + 2),
    }),
    countsMore: true,
  },
];

const measureKind = (
  bench: Bench,
  { what, query, countsMore = false }: Kind,
  { many, few }: { many: Side<Person[]>; few: Side<Person[]> },
): Promise<Line> => {
  const sized = ({ url, seeded }: Side<Person[]>) => ({
    url,
    requests: seeded.map((person, index) =>
      staffRequest("/admin/list-users", query(person, index)),
    ),
  });
  return compareSizes(bench, {
    path: `GET /admin/list-users: ${what}`,
    many: sized(many),
    few: sized(few),
    judgedShare: 0.95,
    countsMore,
  });
};

/** Latency of user lists with a million users, compared with ten thousand. */
export const listUsers: Row = {
  name: "list-users",
  measure: (bench) =>
    withSizes(
      bench,
      { what: "users", context: "people", few: 10_000, many: 1_000_000, seed: seedUsers },
      async (sides) => {
        const lines: Line[] = [];
        for (const kind of kinds)
          if (bench.options.measures(kind.what)) lines.push(await measureKind(bench, kind, sides));
        return lines;
      },
    ),
};
