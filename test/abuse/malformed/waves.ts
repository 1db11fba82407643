import { createBySchema } from "./by-schema.ts";
import { byBytes } from "./by-bytes.ts";
import { byHeaders } from "./by-headers.ts";
import type { Chance } from "./chance.ts";
import type { House } from "../house/open-house.ts";
import type { People } from "./people.ts";
import { pipelined } from "./pipelined.ts";
import { slow } from "./slow.ts";
import { toBytes } from "./http-text.ts";
import { validBytes, validRequests } from "./valid-requests.ts";
import type { Attack, Wave } from "./wave.ts";

/**
 * A wave, and whether all of it is to be refused, or read only, so that nothing may be left behind; "unless accepted" where some
 * may be right by now.
 */
export interface PlannedWave extends Wave {
  leavesNothing: boolean | "unless accepted";
}

interface Ground {
  house: House;
  people: People;
  chance: Chance;
  count: number;
}

/** How the requests are shared among the ways to be wrong; what is left is by schema. */
const shares = {
  bytes: 0.25,
  headers: 0.2,
  inside: 0.12,
  pipelined: 0.04,
  oversized: 0.005,
  slow: 0.01,
};
const concurrency = 48;
const slowTogetherMax = 1_000;
const boundMs = 60_000;
/** A whole request is answered; of one that was spoilt a server may wait for more, which the slow ones are for. */
const timing = { until: { answers: 1, quietMs: 20_000 }, boundMs };
const spoiltTiming = { until: { answers: 1, quietMs: 700 }, boundMs };

const megabyte = 1024 ** 2;
const refusedFrom = 400;

const bySchema = ({ house, people, chance }: Ground, refused: Buffer[]): (() => Attack) => {
  const next = createBySchema(chance, people);
  const lost = new Set<string>();
  return () => {
    const { bytes, who } = next();
    return {
      sent: { to: house.origin, pieces: [bytes], ...timing },
      after: async ({ answers: [answer] }) => {
        if (answer && answer.status >= refusedFrom && refused.length < 20_000) refused.push(bytes);
        const isLost = answer?.status === 401 || /^set-cookie:/im.test(answer?.head ?? "");
        if (who === "nobody" || !isLost || lost.has(who)) return;
        lost.add(who);
        await people.renew(who);
        lost.delete(who);
      },
    };
  };
};

const oversized = (to: string, chance: Chance): Attack => {
  const size = chance.pick([megabyte + 1, 2 * megabyte, 9 * megabyte]);
  const body = Buffer.alloc(size, 97);
  const headers = [
    ["host", "localhost"],
    ["content-type", "application/json"],
  ] as const;
  const line = "POST /api/auth/sign-in/email HTTP/1.1";
  const chunked = Buffer.concat([
    Buffer.from(`${size.toString(16)}\r\n`),
    body,
    Buffer.from("\r\n0\r\n\r\n"),
  ]);
  const bytes = chance.oneIn(2)
    ? toBytes({ line, headers, body })
    : toBytes({ line, headers: [...headers, ["transfer-encoding", "chunked"]], body: chunked });
  return {
    sent: { to, pieces: [bytes], ...timing },
    check: ({ answers: [answer] }) =>
      answer === undefined || answer.status === 413 ? undefined : `answered with ${answer.status}`,
  };
};

const services = ["identity", "organization", "apikey", "mailer"] as const;

/** All that is tried at the public door, to services themselves, with headers that claim to come from the gateway. */
const inside = ({ house, people, chance }: Ground): (() => Attack) => {
  const next = createBySchema(chance, people);
  const valid = validRequests("");
  return () => {
    const { operation, bytes } = next();
    const own = services.find((name) => name === operation.owner) ?? "identity";
    const to = chance.pick([...services.map((name) => house.originOf(name)), house.internalOrigin]);
    const toOwner = bytes.toString("latin1").replace("/api/auth", chance.pick(["", "/internal"]));
    const attack = chance.below(3);
    const pieces = [
      attack === 0
        ? Buffer.from(toOwner, "latin1")
        : attack === 1
          ? byBytes(valid.map(toBytes), chance)
          : byHeaders(valid, "", chance),
    ];
    return {
      sent: { to: attack === 0 ? house.originOf(own) : to, pieces, ...spoiltTiming },
      // No page of ours and no health is below the paths that are asked for.
      check: ({ answers }) => {
        const open = answers.find(({ status }) => status >= 200 && status < 400);
        return open ? `let in: ${open.status} ${open.body.toString().slice(0, 200)}` : undefined;
      },
    };
  };
};

/** All waves, in order. What the first one was refused is sent once more by the second. */
export const planWaves = (ground: Ground): PlannedWave[] => {
  const { house, people, chance, count } = ground;
  const of = (share: number) => Math.max(8, Math.round(count * share));
  const refused: Buffer[] = [];
  const parts = Object.values(shares).reduce((sum, share) => sum + of(share), 0);
  const replayed = Math.floor((count - parts) / 4);
  const cookie = people.cookieOf("user");
  const valid = validRequests(cookie);
  const bytes = validBytes(cookie);
  const schema = bySchema(ground, refused);
  const quiet = { leavesNothing: true, concurrency };
  const to = house.origin;
  return [
    {
      name: "by schema",
      count: Math.max(8, Math.floor(count - parts - replayed)),
      next: schema,
      concurrency,
      leavesNothing: false,
    },
    {
      name: "refused, again",
      count: replayed,
      next: (index) => ({
        sent: { to, pieces: [refused[index % refused.length] ?? Buffer.from("\r\n")], ...timing },
      }),
      ...quiet,
      leavesNothing: "unless accepted",
    },
    {
      name: "by bytes",
      count: of(shares.bytes),
      next: () => ({ sent: { to, pieces: [byBytes(bytes, chance)], ...spoiltTiming } }),
      ...quiet,
    },
    {
      name: "by headers",
      count: of(shares.headers),
      next: () => ({ sent: { to, pieces: [byHeaders(valid, cookie, chance)], ...timing } }),
      ...quiet,
    },
    { name: "inside", count: of(shares.inside), next: inside(ground), ...quiet },
    {
      name: "pipelined",
      count: of(shares.pipelined),
      next: () => pipelined(to, chance, { boundMs }),
      ...quiet,
    },
    {
      name: "oversized",
      count: of(shares.oversized),
      next: () => oversized(to, chance),
      ...quiet,
      concurrency: 4,
    },
    {
      name: "slow",
      count: of(shares.slow),
      next: () => slow(chance.oneIn(4) ? house.originOf("identity") : to, chance),
      ...quiet,
      concurrency: Math.min(slowTogetherMax, of(shares.slow)),
    },
  ];
};
