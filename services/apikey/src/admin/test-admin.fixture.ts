import { afterAll } from "vitest";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Operation, UserSummary } from "@latchkey/contracts";
import { newPerson } from "@latchkey/testkit";
import { type Answer, type Call, createServiceClient } from "@latchkey/service-kit/http";
import { createTestDeps, openApiKeyDatabase } from "../db/test-apikey.fixture.ts";

/** Builds a call as if parsed by the schemas. */
export const callBy = <O extends Operation>(
  { caller, session }: ReturnType<typeof newPerson>,
  input: { body?: unknown; query?: unknown; params?: unknown },
): Call<O> => ({ caller, session, ...input }) as unknown as Call<O>;

export const replyOf = async <Reply>(answer: Promise<Answer<Reply>>): Promise<Reply> => {
  const answered = await answer;
  if ("redirect" in answered) throw new Error("unexpected redirect");
  return answered.reply;
};

/** Replaces identity. Knows the given users and records the requested ids. */
const standInForIdentity = async () => {
  const knownUsers = new Map<string, UserSummary>();
  const requestedIds: string[][] = [];
  const server = createServer((request, response) => {
    json(request).then(
      (body) => {
        const { ids } = body as { ids: string[] };
        requestedIds.push(ids);
        const users = ids.flatMap((id) => knownUsers.get(id) ?? []);
        response.setHeader("content-type", "application/json").end(JSON.stringify({ users }));
      },
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    knownUsers,
    requestedIds,
    server,
    to: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
};

/** Opens a database for sixteen concurrent callers, with an admin who reads it. */
export const openAdmin = async (given: Parameters<typeof createTestDeps>[1] = {}) => {
  const { db } = await openApiKeyDatabase(20);
  const { knownUsers, requestedIds, server, to } = await standInForIdentity();
  const away = createTestDeps(db, given);
  const { ring, clock } = away;
  const identity = createServiceClient({ to: [to], from: "apikey", ring, clock });
  afterAll(async () => {
    await identity.close();
    await away.close();
    server.close();
  });
  return {
    db,
    deps: { ...away, identity },
    /** Dependencies whose calls to identity are refused. */
    away,
    admin: newPerson({ role: "admin" }),
    knownUsers,
    /** The ids requested from identity, per call. */
    askedUsers: requestedIds,
    auditOf: (id: string) =>
      db
        .selectFrom("audit")
        .select(["actorKind", "actorId", "action", "before", "after"])
        .where("subjectId", "=", id)
        .orderBy("id")
        .execute(),
  };
};
