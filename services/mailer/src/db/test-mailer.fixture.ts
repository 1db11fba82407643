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
} from "@latchkey/service-kit";
import { createTestClock, createTestDatabase, type TestDatabase } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { inject } from "vitest";
import { sealContent } from "../deliveries/mail-content.ts";
import { migrations } from "./migrations.ts";
import { schema } from "./schema.ts";
import type { DeliveryState, Tables } from "./tables.ts";

const logger = createLogger({ service: schema, level: "silent" });
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

/** A mail as a test wants it to be. */
export interface GivenDelivery {
  id: string;
  recipient: string;
  state: DeliveryState;
  attempts: number;
  createdAt: Date;
  settledAt: Date | null;
  lastError: string | null;
}

export const link = "https://auth.example.com/reset?token=hush.hush.hush";

/** A database with room for sixteen at once, and what admins' features work with; no bus and no SMTP server. */
export const openMailer = async () => {
  const database = await createDatabaseOfMailer();
  const db = connect(database.url, 20);
  const clock = createTestClock();
  const deps = {
    db,
    clock: clock.now,
    ring: createSecretRing(["a secret of the tests, long enough for all"]),
    newEventId: newTextId,
    wakeRelay: () => {},
  };
  /** Writes a mail around a link; gives its id. */
  const seed = async (given: Partial<GivenDelivery> = {}): Promise<string> => {
    const id = given.id ?? newTextId();
    const subject = "Reset your password";
    const content = { subject, text: `Go to ${link}`, html: `<p>${link}</p>`, link };
    const settledAt = new Date(clock.now());
    await db
      .insertInto("delivery")
      .values({
        id,
        eventId: `event of ${id}`,
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
      .select(["actorKind", "actorId", "subjectKind", "action", "address", "before", "after"])
      .where("subjectId", "=", id)
      .orderBy("id")
      .execute();
  const close = async () => {
    await db.destroy();
    await database.drop();
  };
  return { db, clock, deps, seed, auditOf, close };
};
export type OpenedMailer = Awaited<ReturnType<typeof openMailer>>;

export const adminId = "the-admin";

/** A call of an operation by an admin. */
export const callByAdmin = <O extends Operation>(input: {
  body?: unknown;
  query?: unknown;
  params?: unknown;
}): Call<O> =>
  ({
    caller: { requestId: newTextId(), address: "192.0.2.1" },
    session: { session: { userId: adminId }, user: { id: adminId } },
    ...input,
  }) as unknown as Call<O>; // no more of them is used

export const replyOf = async <Reply>(answer: Promise<Answer<Reply>>): Promise<Reply> => {
  const answered = await answer;
  if ("redirect" in answered) throw new Error("nobody is sent anywhere");
  return answered.reply;
};
