import { createSecretRing, signValue } from "@latchkey/crypto";
import { writeCursor } from "@latchkey/service-kit/lists";
import type { Bench } from "../harness/bench.ts";
import { compareSizes } from "../harness/compare-sizes.ts";
import type { Line, Row } from "../harness/row.ts";
import { type Asker, seedOrganizationsOfTen } from "../harness/seed-organizations.ts";
import { benchSecret } from "../harness/stack-settings.ts";
import { type Side, withSizes } from "../harness/with-sizes.ts";

const ring = createSecretRing([benchSecret]);

const byAge = { by: "createdAt", direction: "asc" } as const;

/** Requests of members about the organization that their session works in, and of admins who search for one. */
const paths = {
  "/organization/get-full-organization": () => "",
  "/organization/list": () => "",
  "/organization/list-members": () => "",
  "/organization/list-members, some of them, by role": ({ organizationId }: Asker) =>
    `?organizationId=${organizationId}&sortBy=role&filterField=role&filterValue=member&limit=5`,
  "/admin/organizations, the first": () => "",
  "/admin/organizations, a page anywhere, by cursor": ({ organizationId, createdAt }: Asker) =>
    `?cursor=${writeCursor(byAge, { key: createdAt, id: organizationId })}`,
  "/admin/organizations, that contain a slug": ({ slug }: Asker) => `?searchValue=${slug}`,
  "/admin/organizations, that begin with a name, by name": ({ slug }: Asker) =>
    `?searchValue=${slug.slice(0, 7)}&sortBy=name`,
} as const satisfies Record<string, (asker: Asker) => string>;

/** A thousand organizations are all counted, and ten thousand of a hundred thousand. */
const countingMore: ReadonlySet<string> = new Set([
  "/admin/organizations, the first",
  "/admin/organizations, a page anywhere, by cursor",
]);

const request = (what: string, query: string, { token }: Asker): Buffer => {
  const [path] = what.split(",");
  const lines = [
    `GET /api/auth${path}${query} HTTP/1.1`,
    "host: localhost",
    "user-agent: bench",
    `cookie: auth.session_token=${signValue(ring, token)}`,
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
};

const measure = (
  bench: Bench,
  { what, queryOf }: { what: string; queryOf: (asker: Asker) => string },
  { many, few }: { many: Side<Asker[]>; few: Side<Asker[]> },
): Promise<Line> => {
  const sized = ({ url, seeded }: Side<Asker[]>) => ({
    url,
    requests: seeded.map((asker) => request(what, queryOf(asker), asker)),
  });
  return compareSizes(bench, {
    path: `GET ${what}`,
    many: sized(many),
    few: sized(few),
    judgedShare: what.startsWith("/admin/") ? 0.95 : 0.5,
    countsMore: countingMore.has(what),
  });
};

/** Latency for a million members and for admins of a hundred thousand organizations, compared with a hundredth of that. */
export const organizations: Row = {
  name: "organizations",
  measure: (bench) =>
    withSizes(
      bench,
      {
        what: "organizations",
        context: "organizations",
        few: 1_000,
        many: 100_000,
        seed: seedOrganizationsOfTen,
      },
      async (sides) => {
        const lines: Line[] = [];
        for (const [what, queryOf] of Object.entries(paths))
          lines.push(await measure(bench, { what, queryOf }, sides));
        return lines;
      },
    ),
};
