import { writeCursor } from "@latchkey/service-kit/lists";
import type { Bench } from "../harness/bench.ts";
import { compareSizes } from "../harness/compare-sizes.ts";
import { type ListQuery, staffRequest } from "../harness/list-requests.ts";
import type { Line, Row } from "../harness/row.ts";
import { type Listed, seedLists } from "../harness/seed-lists.ts";
import { type Side, withSizes } from "../harness/with-sizes.ts";

const oldest = { by: "createdAt", direction: "asc" } as const;
const latest = { by: "createdAt", direction: "desc" } as const;
const latestAudit = { by: "occurredAt", direction: "desc" } as const;

/** Page size of the admin web. */
const limit = "25";

/** More rows match if there are more rows, and an exact total counts up to ten thousand of them. */
const countingMore: ReadonlySet<string> = new Set([
  "by a prefix that one in two hundred has",
  "disabled",
  "failed, which one in a hundred is",
]);

type Kinds = Readonly<Record<string, (row: Listed) => ListQuery>>;

const kindsOf: Readonly<Record<string, Kinds>> = {
  "/admin/api-keys": {
    "the oldest": () => ({}),
    "a page anywhere, by cursor": ({ keyId: id, keyAt: key }) => ({
      cursor: writeCursor(oldest, { key, id }),
    }),
    "of an owner": ({ userId }) => ({ userId }),
    "by first characters": ({ keyStart: start }) => ({ start }),
    "by a prefix that one in two hundred has": () => ({ prefix: "app22" }),
    disabled: () => ({ state: "disabled" }),
    enabled: () => ({ state: "enabled", sortDirection: "desc" }),
  },
  "/admin/deliveries": {
    "the last": () => ({}),
    "a page anywhere, by cursor": ({ deliveryId: id, deliveryAt: key }) => ({
      cursor: writeCursor(latest, { key, id }),
    }),
    "to an address": ({ recipient }) => ({ recipient }),
    "to an address alone": ({ recipient: recipientIs }) => ({ recipientIs }),
    "to a provider that half of them have": () => ({ recipient: "mail.example" }),
    "captured, of which there are a hundred": () => ({ state: "captured" }),
    "failed, which one in a hundred is": () => ({ state: "failed" }),
    sent: () => ({ state: "sent" }),
  },
  "/admin/audit/identity": {
    "the last": () => ({}),
    "a page anywhere, by cursor": ({ auditId: id, auditAt: key }) => ({
      cursor: writeCursor(latestAudit, { key, id }),
    }),
    "by somebody": ({ actorId }) => ({ actorId }),
    "about somebody": ({ subjectId }) => ({ subjectId }),
    "of an action": ({ action }) => ({ action }),
    "of actions that begin alike": ({ action }) => ({ action: action.slice(0, 4) }),
    "refused ones": () => ({ outcome: "refused" }),
    "until a moment": ({ auditAt }) => ({ to: auditAt.toISOString() }),
  },
};

const measureKind = (
  bench: Bench,
  { path, what, queryOf }: { path: string; what: string; queryOf: (row: Listed) => ListQuery },
  { many, few }: { many: Side<Listed[]>; few: Side<Listed[]> },
): Promise<Line> => {
  const sized = ({ url, seeded }: Side<Listed[]>) => ({
    url,
    requests: seeded.map((row) => staffRequest(path, { limit, ...queryOf(row) })),
  });
  return compareSizes(bench, {
    path: `GET ${path}: ${what}`,
    many: sized(many),
    few: sized(few),
    judgedShare: 0.95,
    countsMore: countingMore.has(what),
  });
};

/** Latency of admin lists with a million keys, mails and audit rows, compared with ten thousand. */
export const adminLists: Row = {
  name: "admin-lists",
  measure: (bench) =>
    withSizes(
      bench,
      {
        what: "keys, mails and audit rows",
        context: "lists",
        few: 10_000,
        many: 1_000_000,
        seed: seedLists,
      },
      async (sides) => {
        const lines: Line[] = [];
        for (const [path, kinds] of Object.entries(kindsOf))
          for (const [what, queryOf] of Object.entries(kinds))
            lines.push(await measureKind(bench, { path, what, queryOf }, sides));
        return lines;
      },
    ),
};
