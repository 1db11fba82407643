import { afterAll } from "vitest";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type Operation, type OperationReply, operations, WireError } from "@latchkey/contracts";
import type { z } from "zod";
import { type Person } from "@latchkey/testkit";
import { type Answer, type Call, createServiceClient } from "@latchkey/service-kit/http";
import { createTestDeps, openApiKeyDatabase, serviceCaller } from "../db/test-apikey.fixture.ts";
import { adminCreateApiKey } from "../admin/keys.ts";
import { standInForOrganization } from "../organizations/stand-in-organization.fixture.ts";
import {
  createApiKey,
  createApiKeyFor,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  rerollApiKey,
  updateApiKey,
  updateApiKeyFor,
} from "./operations.ts";

type Operations = typeof operations.apikey;
type Given = Parameters<typeof createTestDeps>[1];
type BodyOf<Name extends keyof Operations> = Call<Operations[Name]>["body"];

/** A body before the schema sets defaults. */
type Sent<Name extends "rerollApiKey"> = z.input<Operations[Name]["body"]>;

/** Returns `done`, or the code of the error. Rethrows other errors. */
export const outcomeOf = async (trial: Promise<unknown>): Promise<string> => {
  try {
    await trial;
    return "done";
  } catch (error) {
    if (error instanceof WireError) return error.code;
    throw error;
  }
};

/** Counts the outcomes. */
export const tally = async (trials: readonly Promise<unknown>[]) => {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.all(trials.map(outcomeOf)))
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

/** Builds a call as if parsed by the schemas. */
const callBy = <O extends Operation>(
  who: Partial<Pick<Person, "caller" | "session">>,
  input: { body?: unknown; query?: unknown },
): Call<O> => ({ ...who, ...input }) as unknown as Call<O>;

const replyOf = async <Reply>(answer: Promise<Answer<Reply>>): Promise<Reply> => {
  const answered = await answer;
  if ("redirect" in answered) throw new Error("unexpected redirect");
  return answered.reply;
};

/** Replaces identity. Knows the given users and records the requested ids. */
const standInForIdentity = async () => {
  const knownUsers = new Map<string, { isBanned: boolean }>();
  const server = createServer((request, response) => {
    json(request).then(
      (body) => {
        const { userId } = body as { userId: string };
        const knownUser = knownUsers.get(userId);
        const answer = knownUser ? { user: { id: userId }, ...knownUser } : null;
        response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
      },
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { knownUsers, server, to: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

/** Opens a database for sixteen concurrent callers, with dependencies that call the replaced services. */
const openServices = async () => {
  const { db } = await openApiKeyDatabase(20);
  const { knownUsers, server, to } = await standInForIdentity();
  const organizationStandIn = await standInForOrganization();
  const opened: { close(): Promise<unknown> }[] = [];
  const depsWith = (given: Given = {}) => {
    const away = createTestDeps(db, given);
    const { ring, clock } = away;
    const identity = createServiceClient({ to: [to], from: "apikey", ring, clock });
    const organization = createServiceClient({
      to: [organizationStandIn.to],
      from: "apikey",
      ring,
      clock,
    });
    opened.push(away, identity, organization);
    return { ...away, identity, organization };
  };
  const deps = depsWith();
  const unreachable = createTestDeps(db);
  opened.push(unreachable);
  afterAll(async () => {
    for (const each of opened) await each.close();
    organizationStandIn.close();
    server.close();
  });
  return {
    db,
    deps,
    depsWith,
    /** Dependencies whose calls to other services are refused. */
    unreachable,
    /** The organizations, with their members by the ids of the users. */
    organizations: organizationStandIn.organizations,
    /** The users that identity knows, by id. */
    knownUsers,
  };
};

/** Opens a database for sixteen concurrent callers, with the actions of users and services on keys. */
export const openKeys = async () => {
  const { db, deps, ...opened } = await openServices();
  const ofService = { caller: serviceCaller() };
  return {
    db,
    deps,
    ...opened,
    create: (person: Person, body: BodyOf<"createApiKey"> = {}, using = deps) =>
      replyOf(createApiKey(using, callBy(person, { body }))),
    createFor: (body: BodyOf<"createApiKeyFor">, using = deps) =>
      replyOf(createApiKeyFor(using, callBy(ofService, { body }))),
    createByAdmin: (admin: Person, body: BodyOf<"adminCreateApiKey">, using = deps) =>
      replyOf(adminCreateApiKey(using, callBy(admin, { body }))),
    update: (person: Person, body: BodyOf<"updateApiKey">, using = deps) =>
      replyOf(updateApiKey(using, callBy(person, { body }))),
    updateFor: (body: BodyOf<"updateApiKeyFor">, using = deps) =>
      replyOf(updateApiKeyFor(using, callBy(ofService, { body }))),
    reroll: (person: Person, body: Sent<"rerollApiKey">, using = deps) =>
      replyOf(
        rerollApiKey(
          using,
          callBy(person, { body: operations.apikey.rerollApiKey.body.parse(body) }),
        ),
      ),
    erase: (person: Person, keyId: string, using = deps) =>
      replyOf(deleteApiKey(using, callBy(person, { body: { keyId } }))),
    get: (person: Person, id: string, using = deps) =>
      replyOf(getApiKey(using, callBy(person, { query: { id } }))),
    page: async (
      person: Person,
      given: Call<Operations["listApiKeys"]>["query"],
      using = deps,
    ): Promise<OperationReply<Operations["listApiKeys"]>> => {
      const query = operations.apikey.listApiKeys.query.parse(given);
      return replyOf(listApiKeys(using, callBy(person, { query })));
    },
    list: async (person: Person, given: Call<Operations["listApiKeys"]>["query"] = {}) => {
      const query = operations.apikey.listApiKeys.query.parse(given);
      const reply = await replyOf(listApiKeys(deps, callBy(person, { query })));
      if (!Array.isArray(reply)) throw new Error("the list is a page");
      return reply;
    },
    rowOf: (id: string) =>
      db.selectFrom("apiKey").selectAll().where("id", "=", id).executeTakeFirst(),
    auditOf: (id: string) =>
      db
        .selectFrom("audit")
        .select(["actorKind", "actorId", "action", "before", "after"])
        .where("subjectId", "=", id)
        .orderBy("id")
        .execute(),
  };
};
