import { type Caller, isEmailAddress, WireError } from "@latchkey/contracts";
import {
  type ListedPage,
  type ListPage,
  type ListQuery,
  readPage,
  takePage,
} from "@latchkey/service-kit";
import type { Deps } from "../../deps.ts";
import { findMemberById, listMembershipsOfUsers, type MemberRow } from "../../members/queries.ts";
import { findOrganizationById } from "../../organizations/queries.ts";
import { showMember } from "../../members/show-member.ts";
import { findUsers } from "../../users/find-users.ts";
import { type MemberWithUser, withUsers } from "../../users/with-users.ts";
import { listFirst, type MemberFilter } from "./queries.ts";

type Needs = Pick<Deps, "config" | "db" | "lookUpUsers" | "identity">;

/** Up to this many members, the names and addresses of all are searched. */
const lookedThroughMax = 1_000;

/** The query of a list with its search term. */
type MemberSearch = ListQuery<MemberFilter> & {
  term: string;
  caller: Pick<Caller, "requestId">;
};

/** Finds members by exact address or id. Names are stored in identity, which cannot search them within a large organization. */
const findCalled = async (
  deps: Needs,
  { organizationId, term, caller }: MemberSearch,
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

const candidates = async (deps: Needs, search: MemberSearch): Promise<MemberRow[]> => {
  const first = await listFirst(deps.db, search.organizationId, lookedThroughMax + 1);
  return first.length <= lookedThroughMax ? first : findCalled(deps, search);
};

const fits = (
  { id, userId, role, user }: MemberWithUser,
  { term, role: asked }: Pick<MemberSearch, "role" | "term">,
): boolean => {
  const text = term.toLowerCase();
  const isCalledSo =
    id === term ||
    userId === term ||
    [user.name, user.email].some((part) => part.toLowerCase().includes(text));
  return isCalledSo && (!asked || role.split(",").includes(asked));
};

type Place = Pick<MemberWithUser, "createdAt" | "id">;

const comesBefore = (one: Place, other: Place): boolean =>
  one.createdAt < other.createdAt ||
  (one.createdAt.getTime() === other.createdAt.getTime() && one.id < other.id);

/** Returns the rows of a page, plus one if there are more. */
const cut = (
  members: readonly MemberWithUser[],
  { order: { direction }, after, offset, limit }: ListPage,
): MemberWithUser[] => {
  const isFurther = (one: Place, other: Place) =>
    direction === "asc" ? comesBefore(other, one) : comesBefore(one, other);
  const place = after && { createdAt: new Date(after.key ?? 0), id: after.id };
  return members
    .filter((member) => place === undefined || isFurther(member, place))
    .toSorted((one, other) => (isFurther(one, other) ? 1 : -1))
    .slice(offset, offset + limit + 1);
};

/** Returns a page of the members that match a term. Throws `ORGANIZATION_NOT_FOUND`, and `VALIDATION_ERROR`. */
export const searchMembers = async (
  deps: Needs,
  search: MemberSearch,
): Promise<Omit<ListedPage<never>, "rows"> & { members: MemberWithUser[] }> => {
  const { organizationId, teamId, sortDirection: direction = "asc" } = search;
  const page = readPage({ by: "createdAt", direction, type: "time" }, search);
  const [organization, rows] = await Promise.all([
    findOrganizationById(deps.db, organizationId),
    candidates(deps, search),
  ]);
  if (!organization) throw new WireError("ORGANIZATION_NOT_FOUND");
  const members = rows
    .filter((row) => !teamId || row.teamId === teamId)
    .map((row) => showMember(deps.config, row));
  const fitting = (await withUsers(deps, members)).filter((one) => fits(one, search));
  const { rows: shown, ...next } = takePage(page, cut(fitting, page), ({ createdAt, id }) => ({
    key: createdAt,
    id,
  }));
  return { members: shown, total: fitting.length, ...next };
};
