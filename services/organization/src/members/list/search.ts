import { type Caller, emailSearchTerm, normalizeEmail } from "@latchkey/contracts";
import {
  foldText,
  type ListedPage,
  type ListPage,
  type ListQuery,
  readPage,
  takePage,
} from "@latchkey/service-kit/lists";
import type { Deps } from "../../deps.ts";
import {
  findMemberById,
  listMembershipsOfUsers,
  type MemberRow,
  showMember,
} from "../../rows/members.ts";
import { listTeamIds } from "../../rows/team-members.ts";
import { findUsers, type MemberWithUser, withUsers } from "../../users/users.ts";
import { listFirst } from "./queries.ts";

type Needs = Pick<Deps, "config" | "db" | "fields" | "identity" | "lookUpUsers">;

/** Up to this many members, the names and addresses of all are searched. */
const lookedThroughMax = 1_000;

/** A search among the members of an organization, and the range of its page. */
type MemberSearch = ListQuery<{
  organizationId: string;
  /** A role that the member has, possibly among others. */
  role?: string | undefined;
  teamId?: string | undefined;
}> & {
  term: string;
  caller: Pick<Caller, "requestId">;
};

/** Finds members by exact address or id. Names are stored in identity, which cannot search them within a large organization. */
const findCalled = async (
  deps: Needs,
  { organizationId, term, caller }: MemberSearch,
): Promise<MemberRow[]> => {
  const email = normalizeEmail(term);
  const emails = email === undefined ? [] : [email];
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
  const words = foldText(term).split(/\s+/);
  const texts = [foldText(user.name), user.email];
  const isCalledSo =
    id === term ||
    userId === term ||
    words.every((word) => texts.some((text) => text.includes(word))) ||
    user.email.includes(emailSearchTerm(term));
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

/**
 * Returns a page of the members that match a term, in the order of joining. It matches a part of the name or address, and among more than a
 * thousand members a whole address or an id. Throws `VALIDATION_ERROR` for invalid limits and cursors.
 */
export const searchMembers = async (
  deps: Needs,
  search: MemberSearch,
): Promise<Omit<ListedPage<never>, "rows"> & { members: MemberWithUser[] }> => {
  const { teamId, sortDirection: direction = "asc" } = search;
  const page = readPage({ by: "createdAt", direction, type: "time" }, search);
  const rows = await candidates(deps, search);
  const inTeam = teamId
    ? await listTeamIds(
        deps.db,
        rows.map(({ id }) => id),
      )
    : undefined;
  const members = rows
    .filter(({ id }) => !teamId || inTeam?.get(id)?.includes(teamId))
    .map((row) => showMember(deps, row));
  const fitting = (await withUsers(deps, members)).filter((one) => fits(one, search));
  const { rows: shown, ...next } = takePage(page, cut(fitting, page), ({ createdAt, id }) => ({
    key: createdAt,
    id,
  }));
  return { members: shown, total: fitting.length, ...next };
};
