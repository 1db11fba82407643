import { writeCursor } from "@latchkey/service-kit/lists";
import { compareSizes } from "../harness/compare-sizes.ts";
import { type ListQuery, staffRequest } from "../harness/list-requests.ts";
import type { Line, Row } from "../harness/row.ts";
import { seedMembers, type SeededMember } from "../harness/seed-members.ts";
import { withSizes } from "../harness/with-sizes.ts";

const byJoining = { by: "createdAt", direction: "asc" } as const;

/** Page size of the admin web. */
const limit = "50";

const kinds: Readonly<Record<string, (member: SeededMember) => ListQuery>> = {
  "the first": () => ({}),
  "the last": () => ({ sortDirection: "desc" }),
  "a page anywhere, by cursor": ({ id, createdAt: key }) => ({
    cursor: writeCursor(byJoining, { key, id }),
  }),
  "who have a role that few have": () => ({ role: "owner" }),
  "who have a role that nearly all have": () => ({ role: "member" }),
  "by a whole address": ({ email: searchValue }) => ({ searchValue }),
  "by an id": ({ userId: searchValue }) => ({ searchValue }),
};

/** Latency of member lists in an organization of a million members, compared with ten thousand. */
export const organizationMembers: Row = {
  name: "organization-members",
  measure: (bench) =>
    withSizes(
      bench,
      { what: "members", context: "users", few: 10_000, many: 1_000_000, seed: seedMembers },
      async ({ many, few }) => {
        const lines: Line[] = [];
        for (const [what, queryOf] of Object.entries(kinds)) {
          const sized = ({ url, seeded }: typeof many) => ({
            url,
            requests: seeded.map((member) =>
              staffRequest(`/admin/organizations/${member.organizationId}/members`, {
                limit,
                ...queryOf(member),
              }),
            ),
          });
          const path = `GET /admin/organizations/{id}/members: ${what}`;
          lines.push(
            await compareSizes(bench, {
              path,
              many: sized(many),
              few: sized(few),
              judgedShare: 0.95,
            }),
          );
        }
        return lines;
      },
    ),
};
