import { createSecretRing, signValue } from "@latchkey/crypto";
import type { Bench, Stores } from "../harness/bench.ts";
import { compareSizes } from "../harness/compare-sizes.ts";
import type { Line, Row } from "../harness/row.ts";
import { type Asker, seedOrganizationsOfTen } from "../harness/seed-organizations.ts";
import { benchSecret } from "../harness/stack-settings.ts";
import { stackModule, withChildren } from "../harness/with-children.ts";

const fewOrganizations = 1_000;
const manyOrganizations = 100_000;

const ring = createSecretRing([benchSecret]);

/** What members ask about the organization that they work in, and admins about one that they look for. */
const paths = {
  "/organization/get-full-organization": () => "",
  "/organization/list": () => "",
  "/organization/list-members": () => "",
  "/organization/list-members, some of them, by role": ({ organizationId }: Asker) =>
    `?organizationId=${organizationId}&sortBy=role&filterField=role&filterValue=member&limit=5`,
  "/admin/organizations, that contain a slug": ({ slug }: Asker) => `?searchValue=${slug}`,
  "/admin/organizations, that begin with a name, by name": ({ slug }: Asker) =>
    `?searchValue=${slug.slice(0, 7)}&sortBy=name`,
} as const satisfies Record<string, (asker: Asker) => string>;

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

/** A stack over so many organizations. */
interface Side {
  url: string;
  askers: readonly Asker[];
}

const seed = async (bench: Bench, { databaseUrl }: Stores, count: number): Promise<Asker[]> => {
  const begun = performance.now();
  const askers = await seedOrganizationsOfTen(databaseUrl, count);
  bench.say(`  ${count} organizations in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  return askers;
};

const measure = (
  bench: Bench,
  { what, queryOf }: { what: string; queryOf: (asker: Asker) => string },
  { many, few }: { many: Side; few: Side },
): Promise<Line> => {
  const sized = ({ url, askers }: Side) => ({
    url,
    requests: askers.map((asker) => request(what, queryOf(asker), asker)),
  });
  return compareSizes(bench, {
    path: `GET ${what}`,
    many: sized(many),
    few: sized(few),
    judgedShare: 0.5,
  });
};

/** What members wait for with a million of them, against ten thousand. */
export const organizations: Row = {
  name: "organizations",
  measure: (bench) =>
    bench.withStores((fewStores) =>
      bench.withStores(async (manyStores) => {
        const askersOfFew = await seed(bench, fewStores, fewOrganizations);
        const askersOfMany = await seed(bench, manyStores, manyOrganizations);
        const modules = { ofFew: stackModule, ofMany: stackModule };
        return withChildren(modules, async ({ ofFew, ofMany }) => {
          const start = async (child: typeof ofFew, stores: Stores, askers: Asker[]) => ({
            url: await child.ask<string>("start", stores.stackInput("postgres")),
            askers,
          });
          const sides = {
            few: await start(ofFew, fewStores, askersOfFew),
            many: await start(ofMany, manyStores, askersOfMany),
          };
          const lines: Line[] = [];
          for (const [what, queryOf] of Object.entries(paths))
            lines.push(await measure(bench, { what, queryOf }, sides));
          return lines;
        });
      }),
    ),
};
