import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Event, Operation } from "@latchkey/contracts";
import { createSecretRing, randomToken } from "@latchkey/crypto";
import { createWake } from "@latchkey/service-kit/background";
import type { Answer, Call, ServiceClient } from "@latchkey/service-kit/http";
import { createLogger, createMetrics, registerHistogram } from "@latchkey/service-kit/observe";
import { serviceFixture, testSecret } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterEach } from "vitest";
import { readWebhooksConfig, type WebhooksConfig } from "../config.ts";
import { createReceivers } from "../deliveries/create-receivers.ts";
import { startDispatcher } from "../deliveries/start-dispatcher.ts";
import type { Deps } from "../deps.ts";
import { createEndpoint, type GivenEndpoint } from "../endpoints/change-endpoint.ts";
import { newSecret, sealSecret } from "../endpoints/secrets.ts";
import { consumeRecorded } from "../deliveries/consume-recorded.ts";
import { migrations } from "./migrations.ts";
import { schema, type Tables } from "./tables.ts";

const fixture = serviceFixture<Tables, WebhooksConfig>({
  schema,
  folder: import.meta.dirname,
  migrations,
  readConfig: readWebhooksConfig,
});
export const newTextId = () => randomToken(32, "alphanumeric");

export const adminId = "the-admin";

/** The room of a process without requests. */
export const claimOptions = {
  running: new Map<string, number>(),
  concurrency: 10,
  failingConcurrency: 2,
  membersHaveWebhooks: false,
  failingMax: 100,
  unprovenMax: 200,
  limit: 1_000,
  leaseSeconds: 60,
};

/** Builds a call of an operation, by default by an admin. */
export const callBy = <O extends Operation>(
  input: { body?: unknown; query?: unknown; params?: unknown; role?: string } = {},
): Call<O> => {
  const { role = "admin", ...sent } = input;
  return {
    caller: { requestId: newTextId(), address: "192.0.2.1", sessionToken: "a-token" },
    session: {
      session: { userId: adminId },
      user: { id: adminId, email: "admin@example.com", emailVerified: true, name: "Ops", role },
    },
    query: {},
    ...sent,
  } as unknown as Call<O>; // the features use no other members
};

export const replyOf = async <Reply>(answer: Promise<Answer<Reply>>): Promise<Reply> => {
  const answered = await answer;
  if ("redirect" in answered) throw new Error("unexpected redirect");
  return answered.reply;
};

/** A request that a receiver got. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Respond = (response: ServerResponse, request: Received) => void;

/** Starts a receiver, which by default answers 204 to everything. */
const startReceiver = async () => {
  const received: Received[] = [];
  const answer: { respond: Respond } = { respond: (response) => response.writeHead(204).end() };
  const server: Server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const got = { path: request.url ?? "", headers: request.headers, body };
        received.push(got);
        answer.respond(response, got);
      },
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return { url, received, answer, close };
};

/** An event of a user, as identity records it. */
export const recordedOf = (
  userId: string,
  { id = newTextId(), type = "user.updated" }: { id?: string; type?: string } = {},
): Event<"events.recorded">["data"]["events"][number] => ({
  id,
  type,
  version: 1,
  occurredAt: new Date().toISOString(),
  subject: { kind: type.startsWith("organization.") ? "organization" : "user", id: userId },
  data: { userId },
});

const newEndpoint = (given: { url: string; events: string[] }) => {
  const id = newTextId();
  const now = new Date();
  return {
    id,
    ...given,
    description: "",
    organizationId: null,
    contactEmail: "",
    contactName: "",
    contactUserId: null,
    secretSealed: sealSecret(createSecretRing([testSecret]), id, newSecret()),
    formerSecretSealed: null,
    formerSecretUntil: null,
    state: "active" as const,
    stateReason: null,
    failingSince: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    createdBy: adminId,
    createdAt: now,
    updatedAt: now,
  };
};

/** Reads rows that tests examine, and inserts many. */
const createRows = (db: Kysely<Tables>) => {
  const deliveriesOf = (endpointId: string) =>
    db
      .selectFrom("delivery")
      .selectAll()
      .where("endpointId", "=", endpointId)
      .orderBy("sequence")
      .execute();
  const endpointOf = (id: string) =>
    db.selectFrom("endpoint").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const auditOf = (id: string) =>
    db
      .selectFrom("audit")
      .select(["action", "actorKind", "before", "after"])
      .where("subjectId", "=", id)
      .orderBy("id")
      .execute();
  /** Inserts endpoints of the installation, as many as a limit would not admit. */
  const endpoints = async (count: number, given: { url: string; events: string[] }) => {
    const rows = Array.from({ length: count }, () => newEndpoint(given));
    await db.insertInto("endpoint").values(rows).execute();
    return rows.map(({ id }) => id);
  };
  return { deliveriesOf, endpointOf, auditOf, endpoints };
};

/** Stands in for identity and organization: it knows every address, and everybody below `member.example` is a member of everything. */
const standIn = {
  call: async (_operation: Operation, { body }: { body: { emails?: string[]; userId?: string } }) =>
    body.emails
      ? { users: body.emails.map((email) => ({ id: email, name: "Ada", email, image: null })) }
      : { verdict: body.userId?.endsWith("@member.example") ? "allowed" : "not a member" },
  close: async () => {},
} as unknown as ServiceClient; // answers only the two operations that the features call

/** Builds the dependencies of one process. */
const createProcess = (config: WebhooksConfig, db: Kysely<Tables>) => ({
  config,
  schema,
  db,
  clock: Date.now,
  ring: createSecretRing([testSecret]),
  logger: createLogger({ service: schema, level: "silent" }),
  newId: newTextId,
  newEventId: newTextId,
  wakeRelay: () => {},
  identity: standIn,
  organization: standIn,
  receivers: createReceivers(config),
  dispatch: createWake(),
  leaving: new AbortController(),
  attemptSeconds: registerHistogram(createMetrics(schema), {
    name: "webhook_attempt_seconds",
    help: "test",
    labels: ["outcome"],
  }),
});

/** Opens a database and the dependencies of the features, without a bus and other services. */
export const openWebhooks = async () => {
  const { db, url, connect } = await fixture.open(20);
  const config = fixture.configOf();
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
  });

  /** Returns the dependencies of one process, with changed options. */
  const depsWith = (
    options: Partial<WebhooksConfig["webhooks"]> = {},
    others: Partial<WebhooksConfig> = {},
  ) => {
    const own = { ...config, ...others, webhooks: { ...config.webhooks, ...options } };
    const created = createProcess(own, db);
    open.push(() => created.receivers.close());
    return created;
  };
  const deps = depsWith();
  const receiver = async () => {
    const started = await startReceiver();
    open.push(started.close);
    return started;
  };
  /** Starts a sending process that stops after the test. */
  const dispatch = (using = depsWith()) => {
    const running = startDispatcher(using);
    open.push(() => running.stop());
    return running;
  };
  const endpoint = (
    given: Partial<GivenEndpoint> & { url: string; organizationId?: string; byMembers?: boolean },
  ) => createEndpoint(deps, callBy(), { events: [], organizationId: null, ...given });
  /** Consumes one message with these events, and returns it. */
  const record = async (
    events: Event<"events.recorded">["data"]["events"],
    previousId: string | null = null,
    using: Pick<Deps, "clock" | "db" | "dispatch" | "leaving" | "logger"> = deps,
  ) => {
    const message: Event<"events.recorded"> = {
      id: newTextId(),
      name: "events.recorded",
      version: 1,
      occurredAt: new Date().toISOString(),
      data: { previousId, events },
    };
    await consumeRecorded(using, message);
    return message;
  };
  return {
    url,
    db,
    connect,
    deps,
    depsWith,
    receiver,
    dispatch,
    endpoint,
    record,
    ...createRows(db),
  };
};
