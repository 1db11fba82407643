import type { TablePage } from "../../components/data-table/data-table-props.ts";
import { pageSize, type TableSearch } from "../../components/data-table/table-search.ts";
import type { Member } from "./use-organization.ts";

const keys = {
  email: ({ user }: Member) => user.email.toLowerCase(),
  role: ({ role }: Member) => role,
  joined: ({ createdAt }: Member) => createdAt,
} satisfies Record<string, (member: Member) => string>;

const isKey = (name: string | undefined): name is keyof typeof keys =>
  name !== undefined && Object.hasOwn(keys, name);

const fits = ({ user, role }: Member, text: string): boolean =>
  [user.name, user.email, user.id, role].some((part) => part.toLowerCase().includes(text));

/** A page of the members that came with their organization: searched, sorted and cut here, its cursor a count of rows. */
export const membersPage = (
  members: readonly Member[],
  { q = "", sort, dir, cursor = "0" }: TableSearch,
): TablePage<Member> => {
  const fitting = members.filter((member) => fits(member, q.trim().toLowerCase()));
  const key = keys[isKey(sort) ? sort : "joined"];
  const order = dir === "desc" ? -1 : 1;
  fitting.sort((one, other) => {
    const [first, second] = [key(one), key(other)];
    if (first === second) return 0;
    return first < second ? -order : order;
  });
  const from = /^\d{1,6}$/.test(cursor) ? Number(cursor) : 0;
  const to = from + pageSize;
  return {
    rows: fitting.slice(from, to),
    total: fitting.length,
    nextCursor: to < fitting.length ? String(to) : undefined,
  };
};
