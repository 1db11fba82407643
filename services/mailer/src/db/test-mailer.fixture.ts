import { createHash } from "node:crypto";
import { glob, readFile } from "node:fs/promises";
import type { Operation } from "@latchkey/contracts";
import { createSecretRing, randomToken } from "@latchkey/crypto";
import {
  type Answer,
  type Call,
  createDatabase,
  createLogger,
  createPostgresPool,
  migrate,
  readSettings,
} from "@latchkey/service-kit";
import { createTestClock, createTestDatabase, type TestDatabase } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { inject } from "vitest";
import { readMailerConfig } from "../config.ts";
import { sealContent } from "../deliveries/mail-content.ts";
import { migrations } from "./migrations.ts";
import { schema } from "./schema.ts";
import type { DeliveryState, Tables } from "./tables.ts";

const logger = createLogger({ service: schema, level: "silent" });
const secret = ["a secret of the tests, long enough for all"];
const newTextId = () => randomToken(32, "alphanumeric");

const connect = (url: string, max: number): Kysely<Tables> => {
  const pool = createPostgresPool({ url, max, logger, applicationName: "test" });
  return createDatabase<Tables>({ pool, schema, preparedStatements: true });
};

const schemaHash = async (): Promise<string> => {
  const hash = createHash("sha256");
  const kitTables = new URL("database/kit-tables.ts", import.meta.resolve("@latchkey/service-kit"));
  hash.update(await readFile(kitTables));
  for await (const file of glob("*migration*.ts", { cwd: import.meta.dirname }))
    hash.update(await readFile(`${import.meta.dirname}/${file}`));
  return hash.digest("hex").slice(0, 16);
};

const createDatabaseOfMailer = async (): Promise<TestDatabase> =>
  createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: {
      name: "mailer",
      hash: await schemaHash(),
      build: async (url) => {
        const db = connect(url, 1);
        await migrate({ db, schema, migrations });
        await db.destroy();
      },
    },
  });

/** Properties of a test mail. */
export interface GivenDelivery {
  id: string;
  recipient: string;
  state: DeliveryState;
  attempts: number;
  createdAt: Date;
  settledAt: Date | null;
  lastError: string | null;
  /** A mail without a link. */
  isNotice: boolean;
}

export const link = "https://auth.example.com/reset?token=hush.hush.hush";
export const notice = "An account was linked.";
const linkContent = { text: `Go to ${link}`, html: `<p>${link}</p>`, link };
const noticeContent = { text: notice, html: `<p>${notice}</p>` };

/** Returns the id of the event that requested a mail. */
export const eventOf = (id: string): string => `event of ${id}`;

/** Opens a database with sixteen connections and the dependencies of the admin features, without a bus and an SMTP server. */
export const openMailer = async () => {
  const database = await createDatabaseOfMailer();
  const db = connect(database.url, 20);
  const clock = createTestClock();
  const deps = {
    config: readMailerConfig(readSettings({ secret, databaseUrl: database.url }, {})),
    db,
    clock: clock.now,
    ring: createSecretRing(secret),
    newEventId: newTextId,
    wakeRelay: () => {},
  };
  /** Inserts a mail, by default with a link, and returns its id. */
  const seed = async ({
    isNotice = false,
    ...given
  }: Partial<GivenDelivery> = {}): Promise<string> => {
    const id = given.id ?? newTextId();
    const subject = "Reset your password";
    const content = { subject, ...(isNotice ? noticeContent : linkContent) };
    const settledAt = new Date(clock.now());
    await db
      .insertInto("delivery")
      .values({
        id,
        eventId: eventOf(id),
        event: "password-reset.requested",
        recipient: "ada@example.com",
        subject,
        contentSealed: sealContent(deps.ring, content),
        state: "sent",
        attempts: 1,
        createdAt: new Date(clock.now()),
        settledAt,
        ...given,
      })
      .execute();
    return id;
  };
  const auditOf = (id: string) =>
    db
      .selectFrom("audit")
      .select([
        "actorKind",
        "actorId",
        "subjectKind",
        "action",
        "outcome",
        "address",
        "before",
        "after",
      ])
      .where("subjectId", "=", id)
      .orderBy("id")
      .execute();
  const close = async () => {
    await db.destroy();
    await database.drop();
  };
  return { url: database.url, db, clock, deps, seed, auditOf, close };
};
export type OpenedMailer = Awaited<ReturnType<typeof openMailer>>;

export const adminId = "the-admin";

/** Builds a call of an operation by an admin. */
export const callByAdmin = <O extends Operation>(input: {
  body?: unknown;
  query?: unknown;
  params?: unknown;
  /** The caller's role, by default admin. */
  role?: string;
}): Call<O> => {
  const { role = "admin", ...sent } = input;
  return {
    caller: { requestId: newTextId(), address: "192.0.2.1" },
    session: { session: { userId: adminId }, user: { id: adminId, role } },
    ...sent,
  } as unknown as Call<O>; // the features use no other members
};

export const replyOf = async <Reply>(answer: Promise<Answer<Reply>>): Promise<Reply> => {
  const answered = await answer;
  if ("redirect" in answered) throw new Error("unexpected redirect");
  return answered.reply;
};
