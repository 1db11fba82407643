import { type Caller, isEmailAddress } from "@latchkey/contracts";
import { takePage } from "@latchkey/service-kit";
import type { Deps } from "../../deps.ts";
import { findMemberById, listMembershipsOfUsers, type MemberRow } from "../../members/queries.ts";
import { showMember } from "../../members/show-member.ts";
import { findUsers } from "../../users/find-users.ts";
import { type MemberWithUser, withUsers } from "../../users/with-users.ts";
import { listFirst, type MembersRange } from "./queries.ts";

type Needs = Pick<Deps, "config" | "db" | "identity">;

/** Up to this many members, the names and addresses of all are searched. */
const lookedThroughMax = 1_000;

/** A page of members with their users, and the total count. */
export interface FoundMembers {
  members: MemberWithUser[];
  nextCursor?: string;
  count: number;
}

/** A range with its search term. */
export interface SearchedRange extends MembersRange {
  term: string;
  caller: Pick<Caller, "requestId">;
}

/** Finds members by exact address or id. Names are stored in identity, which cannot search them within a large organization. */
const findCalled = async (
  deps: Needs,
  { organizationId, term, caller }: SearchedRange,
): Promise<MemberRow[]> => {
  const emails = isEmailAddress(term) ? [term.toLowerCase()] : [];
  const users = await findUsers(deps, caller, { emails });
  const userIds = [term, ...users.map(({ id }) => id)];
  const [member, members] = await Promise.all([
    findMemberById(deps.db, { organizationId, id: term }),
    listMembershipsOfUsers(deps.db, { organizationId, userIds }),
  ]);
  const isFound = members.some(({ id }) => id === member?.id);
  return member && !isFound ? [...members, member] : members;
};

const candidates = async (deps: Needs, range: SearchedRange): Promise<MemberRow[]> => {
  const first = await listFirst(deps.db, range.organizationId, lookedThroughMax + 1);
  return first.length <= lookedThroughMax ? first : findCalled(deps, range);
};

const fits = (
  { id, userId, role, user }: MemberWithUser,
  { term, role: asked }: Pick<SearchedRange, "role" | "term">,
): boolean => {
  const text = term.toLowerCase();
  const isCalledSo =
    id === term ||
    userId === term ||
    [user.name, user.email].some((part) => part.toLowerCase().includes(text));
  return isCalledSo && (asked === undefined || role.split(",").includes(asked));
};

type Place = Pick<MemberWithUser, "createdAt" | "id">;

const comesBefore = (one: Place, other: Place): boolean =>
  one.createdAt < other.createdAt ||
  (one.createdAt.getTime() === other.createdAt.getTime() && one.id < other.id);

/** Returns the rows of a page, plus one if there are more. */
const cut = (
  members: readonly MemberWithUser[],
  { order: { direction }, after, offset, limit }: SearchedRange["page"],
): MemberWithUser[] => {
  const isFurther = (one: Place, other: Place) =>
    direction === "asc" ? comesBefore(other, one) : comesBefore(one, other);
  const place = after && { createdAt: new Date(after.key), id: after.id };
  return members
    .filter((member) => place === undefined || isFurther(member, place))
    .toSorted((one, other) => (isFurther(one, other) ? 1 : -1))
    .slice(offset, offset + limit + 1);
};

/** Returns a page of the members of a range that match its term. */
export const searchMembers = async (deps: Needs, range: SearchedRange): Promise<FoundMembers> => {
  const { page, caller } = range;
  const rows = await candidates(deps, range);
  const members = rows.map((row) => showMember(deps.config, row));
  const fitting = (await withUsers(deps, caller, members)).filter((member) => fits(member, range));
  const { shown, ...next } = takePage(page, cut(fitting, page), ({ createdAt }) => createdAt);
  return { members: shown, ...next, count: fitting.length };
};
