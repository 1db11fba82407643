import { randomUUID } from "node:crypto";
import { type Bench, withShortRounds } from "../harness/bench.ts";
import type { Child } from "../harness/child.ts";
import { compare } from "../harness/compare.ts";
import { runLoad } from "../harness/load.ts";
import {
  getSessionRequests,
  type SessionRequest,
  sessionRequest,
  sessionRequests,
  type UserRange,
} from "../harness/requests.ts";
import type { Line, Row } from "../harness/row.ts";
import { sessionLine } from "../harness/ratio-lines.ts";
import {
  invitationCount,
  invitationIdOf,
  seedWorkspaces,
  usersAlone,
  usersInTeams,
  usersWithOwnRole,
} from "../harness/seed-workspaces.ts";
import { seededCount } from "../harness/seed.ts";
import { stackModule, withChildren } from "../harness/with-children.ts";
import type { Where } from "./against-floor.ts";

/** An operation in a session. */
interface Operation {
  what: string;
  /** Part of every right answer. */
  answer: string;
  /** Largest accepted CPU time of a request, as a multiple of get-session. Without it the ratio is only reported. */
  cpuMax?: number;
  /** Generates requests that can be sent any number of times. */
  requests: () => () => Buffer;
}

const same = (request: SessionRequest, users?: UserRange) => () => sessionRequests(request, users);

/** Generates requests that differ: `requestOf` gets the number of earlier requests. */
const different = (requestOf: (count: number) => SessionRequest) => () => {
  let count = 0;
  return () => {
    const request = sessionRequest(1 + (count % seededCount), requestOf(count));
    count += 1;
    return request;
  };
};

const invitationOf = (count: number): SessionRequest => {
  if (count >= invitationCount) throw new Error("every seeded invitation is accepted");
  return {
    path: "/organization/accept-invitation",
    body: { invitationId: invitationIdOf(count) },
  };
};

const fullOrganization = { path: "/organization/get-full-organization" };
const memberList = { path: "/organization/list-members" };
const question = { permissions: { invitation: ["create"] } };

/**
 * Writes that change what later requests read are last. The bounds of creations and of accepted invitations are 1.3 times the cost when
 * they were set.
 */
const operations: readonly Operation[] = [
  {
    what: "GET /organization/list",
    answer: '"slug":',
    cpuMax: 2,
    requests: same({ path: "/organization/list" }, usersInTeams),
  },
  {
    what: "GET /organization/list-members, one member",
    answer: '"total":1}',
    cpuMax: 2,
    requests: same(memberList, usersAlone),
  },
  {
    what: "GET /organization/list-members, ten members",
    answer: '"total":10',
    cpuMax: 3.5,
    requests: same(memberList, usersInTeams),
  },
  {
    what: "GET /organization/list-members, ten members with a role of their organization",
    answer: '"role":"inviter"',
    cpuMax: 3.5,
    requests: same(memberList, usersWithOwnRole),
  },
  {
    what: "GET /organization/get-active-member",
    answer: '"role":',
    cpuMax: 2,
    requests: same({ path: "/organization/get-active-member" }, usersInTeams),
  },
  {
    what: "POST /organization/has-permission",
    answer: '"success":',
    cpuMax: 2,
    requests: same({ path: "/organization/has-permission", body: question }, usersInTeams),
  },
  {
    what: "POST /organization/has-permission, with a role of the organization",
    answer: '"success":true',
    cpuMax: 2,
    requests: same({ path: "/organization/has-permission", body: question }, usersWithOwnRole),
  },
  {
    what: "GET /organization/list-invitations",
    answer: '"status":"pending"',
    cpuMax: 2,
    requests: same({ path: "/organization/list-invitations" }, usersInTeams),
  },
  {
    what: "GET /organization/get-full-organization, one member",
    answer: '"members":[{',
    cpuMax: 3.5,
    requests: same(fullOrganization, usersAlone),
  },
  {
    what: "GET /organization/get-full-organization, ten members",
    answer: '"members":[{',
    cpuMax: 3.5,
    requests: same(fullOrganization, usersInTeams),
  },
  {
    what: "GET /api-key/list",
    answer: '"start":',
    cpuMax: 2,
    requests: same({ path: "/api-key/list" }),
  },
  {
    what: "GET /list-sessions",
    answer: '"token":"bench',
    cpuMax: 2,
    requests: same({ path: "/list-sessions" }),
  },
  {
    what: "GET /list-accounts",
    answer: '"credential"',
    cpuMax: 2,
    requests: same({ path: "/list-accounts" }),
  },
  {
    what: "POST /update-user",
    answer: '"status":true',
    cpuMax: 6,
    requests: different((count) => ({ path: "/update-user", body: { name: `User ${count}` } })),
  },
  {
    what: "POST /api-key/create",
    answer: '"key":',
    cpuMax: 11,
    requests: different((count) => ({ path: "/api-key/create", body: { name: `Key ${count}` } })),
  },
  {
    what: "POST /organization/accept-invitation",
    answer: '"status":"accepted"',
    cpuMax: 33,
    requests: different(invitationOf),
  },
  {
    what: "POST /organization/create",
    answer: '"slug":',
    cpuMax: 28,
    requests: different(() => ({
      path: "/organization/create",
      body: { name: "Somebody's organization", slug: randomUUID() },
    })),
  },
];

const measureOperation = async (
  bench: Bench,
  { child, url, where }: { child: Child; url: string; where: Where },
  { what, answer, cpuMax, requests }: Operation,
): Promise<Line> => {
  const path = `${what}, ${where}`;
  bench.say(`  ${path}`);
  if (bench.options.profile) bench.profiled.push(path);
  const { connections } = bench.options;
  const sideOf = (next: () => Buffer, part: string) => ({
    child,
    run: (seconds: number) =>
      runLoad(
        {
          url,
          connections,
          next,
          accepts: ({ status, body }) => status === 200 && body.includes(part),
        },
        seconds,
      ),
  });
  const comparison = await compare(bench, {
    ours: sideOf(requests(), answer),
    floor: sideOf(getSessionRequests(), "@example.com"),
  });
  return sessionLine(path, comparison, cpuMax);
};

/** CPU time of operations in a session, compared with get-session in the same process. */
const operationsOn = (where: Where): Row => ({
  name: `operations-${where}`,
  measure: (bench) =>
    bench.withStores(async (stores) => {
      await seedWorkspaces(where, stores);
      return withChildren({ stack: stackModule }, async ({ stack: child }) => {
        const input = { ...stores.stackInput(where), ownRoles: true };
        const url = await child.call<string>("start", input);
        const lines: Line[] = [];
        for (const operation of operations)
          if (bench.options.measures(`${operation.what}, ${where}`))
            lines.push(
              await measureOperation(withShortRounds(bench), { child, url, where }, operation),
            );
        return lines;
      });
    }),
});

export const operationsPostgres = operationsOn("postgres");
export const operationsRedis = operationsOn("redis");
