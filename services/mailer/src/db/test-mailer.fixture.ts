import type { Operation } from "@latchkey/contracts";
import { createSecretRing, randomToken } from "@latchkey/crypto";
import type { Answer, Call } from "@latchkey/service-kit/http";
import { createLogger } from "@latchkey/service-kit/observe";
import { createTestClock, serviceFixture, testSecret } from "@latchkey/testkit";
import { type MailerConfig, readMailerConfig } from "../config.ts";
import { type AttemptNeeds, attemptMail, sealContent } from "../deliveries/attempt-delivery.ts";
import { claimDeliveries, type MailOutcome, settleAttempt } from "../deliveries/queries.ts";
import { createDispatch } from "../deps.ts";
import type { Kysely } from "kysely";
import { migrations } from "./migrations.ts";
import { type DeliveryState, schema, type Tables } from "./tables.ts";

const fixture = serviceFixture<Tables, MailerConfig>({
  schema,
  folder: import.meta.dirname,
  migrations,
  readConfig: readMailerConfig,
});
const newTextId = () => randomToken(32, "alphanumeric");

/** Properties of a test mail. */
export interface GivenDelivery {
  id: string;
  recipient: string;
  state: DeliveryState;
  attempts: number;
  createdAt: Date;
  settledAt: Date | null;
  lastError: string | null;
  invitationId: string;
  /** A mail without a link. */
  isNotice: boolean;
}

export const link = "https://auth.example.com/reset?token=hush.hush.hush";
export const notice = "An account was linked.";
const linkContent = { text: `Go to ${link}`, html: `<p>${link}</p>`, link };
const noticeContent = { text: notice, html: `<p>${notice}</p>` };

/** Claims all due messages. */
export const claimAll = async (db: Kysely<Tables>) => {
  const claim = { limit: 100, repeatedLimit: 100, leaseSeconds: 120 };
  const mails = await claimDeliveries(db, { ...claim, channel: "mail" });
  return [...mails, ...(await claimDeliveries(db, { ...claim, channel: "text" }))];
};

/** Attempts each waiting mail once, also one whose delay has not ended. Returns the outcomes. */
export const attemptAll = async (
  deps: Omit<AttemptNeeds, "texts"> & Partial<Pick<AttemptNeeds, "texts">> & { db: Kysely<Tables> },
): Promise<MailOutcome[]> => {
  await deps.db
    .updateTable("delivery")
    .set({ leaseUntil: null })
    .where("state", "=", "retrying")
    .execute();
  const attempts = (await claimAll(deps.db)).map(async (claimed) => {
    const outcome = await attemptMail({ texts: undefined, ...deps }, claimed);
    await settleAttempt(deps.db, outcome);
    return outcome;
  });
  return Promise.all(attempts);
};

/** Opens a database with sixteen connections and the dependencies of the admin features, without a bus and an SMTP server. */
export const openMailer = async () => {
  const { db, url } = await fixture.open(20);
  const clock = createTestClock();
  const deps = {
    config: fixture.configOf(),
    db,
    clock: clock.now,
    ring: createSecretRing([testSecret]),
    dispatch: createDispatch(),
    logger: createLogger({ service: schema, level: "silent" }),
    newId: newTextId,
    tracing: undefined,
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
  return { url, db, clock, deps, seed, auditOf };
};

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
