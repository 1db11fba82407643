import { type Bench, withShortRounds } from "../harness/bench.ts";
import { compare, type Side } from "../harness/compare.ts";
import { type Load, runLoad } from "../harness/load.ts";
import { peerLines } from "../harness/ratio-lines.ts";
import {
  getSessionRequests,
  getTokenRequests,
  sessionRequests,
  signInRequests,
} from "../harness/requests.ts";
import type { Line, Row } from "../harness/row.ts";
import { type PeerInput, seedPeer } from "../harness/seed-peer.ts";
import { keyCount, seedWorkspaces, usersAlone, usersInTeams } from "../harness/seed-workspaces.ts";
import { verifyRequest } from "../harness/verify-requests.ts";
import { peerModule, stackModule, withChildren } from "../harness/with-children.ts";
import type { Where } from "./against-floor.ts";

/** A path that both products have. */
interface Shared {
  what: string;
  next: () => () => Buffer;
  /** Part of every right answer. */
  answer: string;
  /** Smallest accepted throughput, as a multiple of the peer's. */
  throughputMin?: number;
  /** Whether the API key service answers, without the gateway. */
  isInternal?: boolean;
}

const fullOrganization = { path: "/organization/get-full-organization" };

const anyVerification = () => verifyRequest(1 + Math.floor(Math.random() * keyCount));

const shared: readonly Shared[] = [
  { what: "GET /get-session", next: getSessionRequests, answer: "@example.com" },
  {
    what: "verify an API key",
    next: () => anyVerification,
    answer: '"valid":true',
    isInternal: true,
  },
  {
    what: "GET /organization/list",
    next: () => sessionRequests({ path: "/organization/list" }, usersInTeams),
    answer: '"slug":',
  },
  {
    what: "GET /organization/get-full-organization, one member",
    next: () => sessionRequests(fullOrganization, usersAlone),
    answer: '"members":[{',
    throughputMin: 5,
  },
  {
    what: "GET /organization/get-full-organization, ten members",
    next: () => sessionRequests(fullOrganization, usersInTeams),
    answer: '"members":[{',
    throughputMin: 5,
  },
  { what: "GET /token", next: getTokenRequests, answer: '"token":"ey' },
  { what: "POST /sign-in/email", next: signInRequests, answer: '"token":' },
];

/** As many connections as all pools of our process together. */
const peerPoolMax = 40;

const peerInputOf = ({
  databaseUrl,
  redis,
}: Pick<PeerInput, "databaseUrl" | "redis">): PeerInput => ({
  databaseUrl,
  poolMax: peerPoolMax,
  ...(redis && { redis: { ...redis, keyPrefix: `${redis.keyPrefix}:peer:` } }),
});

interface Addresses {
  gateway: string;
  apikey: string;
}

const measureShared = async (
  bench: Bench,
  { what, next: createNext, answer, throughputMin, isInternal = false }: Shared,
  {
    ours,
    peer,
    where,
  }: Record<"ours" | "peer", { child: Side["child"]; at: Addresses }> & {
    where: Where;
  },
): Promise<Line[]> => {
  const path = `${what}, ${where}`;
  bench.say(`  ${path}`);
  const accepts: Load["accepts"] = ({ status, body }) => status === 200 && body.includes(answer);
  const next = createNext();
  const sideOf = ({ child, at }: typeof ours): Side => {
    const url = isInternal ? at.apikey : at.gateway;
    const load = { url, connections: bench.options.connections, next, accepts };
    return { child, run: (seconds) => runLoad(load, seconds) };
  };
  const comparison = await compare(bench, { ours: sideOf(ours), floor: sideOf(peer) });
  return peerLines(path, comparison, throughputMin);
};

const memoryLine = async (
  { ours, peer }: Record<"ours" | "peer", Side["child"]>,
  where: Where,
): Promise<Line> => {
  const [megabytes, ofPeer] = [await ours.residentMegabytes(), await peer.residentMegabytes()];
  return {
    path: `memory after these loads, ${where}`,
    ours: `${megabytes.toFixed(0)} MB`,
    floor: `${ofPeer.toFixed(0)} MB`,
    ratio: (megabytes / ofPeer).toFixed(2),
    budget: "-",
    peerIsBetter: megabytes > ofPeer,
  };
};

/** Latchkey and better-auth with the same rows, on the same servers and under the same loads. Each is one process. */
const besidePeerOn = (where: Where): Row => ({
  name: `peer-${where}`,
  measure: (bench) =>
    bench.withStores(async (stores) => {
      await seedWorkspaces(where, stores);
      const input = stores.stackInput(where);
      return withChildren({ ours: stackModule, peer: peerModule }, async ({ ours, peer }) => {
        const gateway = await ours.call<string>("start", input);
        const at = { gateway, apikey: await ours.call<string>("urlOf", "apikey") };
        const peerInput = peerInputOf(input);
        const url = await peer.call<string>("start", peerInput);
        await seedPeer(peerInput);
        const sides = {
          where,
          ours: { child: ours, at },
          peer: { child: peer, at: { gateway: url, apikey: url } },
        };
        const lines: Line[] = [];
        for (const one of shared)
          if (bench.options.measures(`${one.what}, ${where}`))
            lines.push(...(await measureShared(withShortRounds(bench), one, sides)));
        return [...lines, await memoryLine({ ours, peer }, where)];
      });
    }),
});

export const peerPostgres = besidePeerOn("postgres");
export const peerRedis = besidePeerOn("redis");
