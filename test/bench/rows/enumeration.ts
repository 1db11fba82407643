import { Client } from "pg";
import { interleave, type Interleaved } from "../harness/interleave.ts";
import { connectKeepAlive, type KeepAliveClient } from "../harness/keep-alive-client.ts";
import type { Line, Row } from "../harness/row.ts";
import { emailOf, seededCount } from "../harness/seed.ts";
import { seededNumberSql } from "../harness/seeded-id.ts";
import { seedSignIns } from "../harness/sign-in-load.ts";
import { median } from "../harness/statistics.ts";
import { stackModule, withChildren } from "../harness/with-children.ts";

interface Budget {
  min: number;
  max: number;
}

const ratioBudget: Budget = { min: 0.9, max: 1.1 };
const rankBudget: Budget = { min: 0.4, max: 0.6 };
/** Enough that random variation stays within the budget of ranks. */
const samplesMin = 300;

/** The first half of the seeded users have passwords. The first half of these have verified their address. */
const half = seededCount / 2;
const groups = {
  verified: { from: 1, to: half / 2 },
  unverified: { from: half / 2 + 1, to: half },
  withoutPassword: { from: half + 1, to: seededCount },
  unknown: { from: seededCount + 1, to: 2 * seededCount },
} as const;
type Group = keyof typeof groups;

const makeGroups = `
update identity."user" set username = split_part(email, '@', 1), email_verified = ${seededNumberSql("user", "id")} <= ${groups.verified.to};
delete from identity.account where ${seededNumberSql("user", "user_id")} > ${half};
vacuum analyze identity."user", identity.account`;

const seed = async (databaseUrl: string): Promise<void> => {
  await seedSignIns(databaseUrl);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of makeGroups.split(";")) await client.query(statement);
  } finally {
    await client.end();
  }
};

interface Question {
  path: string;
  /** The group of existing users that is compared with unknown ones. */
  about: Exclude<Group, "unknown">;
  status: number;
  body: (index: number) => object;
}

const password = "no password of anybody";
const byEmail = (index: number) => ({ email: emailOf(index), password });
const byUsername = (index: number) => ({ username: `user${index}`, password });
const byAddress = (index: number) => ({ email: emailOf(index) });

const questions: readonly Question[] = [
  { path: "/sign-in/email", about: "verified", status: 401, body: byEmail },
  { path: "/sign-in/email", about: "withoutPassword", status: 401, body: byEmail },
  { path: "/sign-in/username", about: "verified", status: 401, body: byUsername },
  { path: "/sign-in/username", about: "withoutPassword", status: 401, body: byUsername },
  { path: "/request-password-reset", about: "verified", status: 200, body: byAddress },
  { path: "/forget-password", about: "verified", status: 200, body: byAddress },
  { path: "/send-verification-email", about: "unverified", status: 200, body: byAddress },
  { path: "/send-verification-email", about: "verified", status: 200, body: byAddress },
];

const oneOf = ({ from, to }: { from: number; to: number }): number =>
  from + Math.floor(Math.random() * (to - from + 1));

const requestFor = ({ path, body }: Question, group: Group): Buffer => {
  const text = JSON.stringify(body(oneOf(groups[group])));
  const head = [
    `POST /api/auth${path} HTTP/1.1`,
    "host: localhost",
    "user-agent: bench",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  return Buffer.from([...head, "", text].join("\r\n"));
};

/** Sends a request about a user of a group, and fails on any unexpected answer. */
const sendQuestion = async (
  client: KeepAliveClient,
  question: Question,
  group: Group,
): Promise<void> => {
  const { status, body } = await client.send(requestFor(question, group));
  if (status !== question.status)
    throw new Error(`unexpected answer ${status}: ${body.toString()}`);
};

const describe: Record<Question["about"], string> = {
  verified: "known",
  unverified: "unverified",
  withoutPassword: "no password",
};

const linesOf = ({ path, about }: Question, { samples, ratio, rank }: Interleaved): Line[] => {
  const name = `POST ${path}, ${describe[about]} by unknown`;
  const line = (path: string, value: number, { min, max }: Budget) => ({
    path,
    ratio: value.toFixed(3),
    budget: `${min} to ${max}`,
    met: value >= min && value <= max,
  });
  return [
    {
      ...line(`${name}: median`, ratio, ratioBudget),
      ours: `${median(samples.first).toFixed(2)} ms`,
      floor: `${median(samples.second).toFixed(2)} ms`,
    },
    {
      ...line(`${name}: slower`, rank, rankBudget),
      ours: `${samples.first.length} samples`,
      floor: `${samples.second.length} samples`,
    },
  ];
};

/** Measures whether response time reveals who has an account. Requests about unknown users are the floor. */
export const enumeration: Row = {
  name: "enumeration",
  measure: (bench) =>
    bench.withStores(async (stores) => {
      await seed(stores.databaseUrl);
      return withChildren({ stack: stackModule }, async ({ stack }) => {
        const url = await stack.call<string>("start", stores.stackInput("postgres"));
        const { warmUpSeconds, roundSeconds, rounds } = bench.options;
        const client = await connectKeepAlive(new URL(url));
        try {
          const lines: Line[] = [];
          for (const question of questions) {
            const run = (kind: "first" | "second") =>
              sendQuestion(client, question, kind === "first" ? question.about : "unknown");
            await interleave(run, { seconds: warmUpSeconds, samplesMin: 0 });
            const seconds = roundSeconds * rounds;
            lines.push(...linesOf(question, await interleave(run, { seconds, samplesMin })));
          }
          return lines;
        } finally {
          client.close();
        }
      });
    }),
};
