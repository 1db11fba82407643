import { createHmac, createSecretKey } from "node:crypto";
import Fastify from "fastify";
import { cachedSession } from "../harness/cached-session.ts";
import { seededCount } from "../harness/seed.ts";
import { benchSecret } from "../harness/stack-settings.ts";

const valueOf = /=([^.]+)\.([^;]+)/;

/** Returns the answers to all seeded sessions, by token. */
const prepareAnswers = (now: Date): ReadonlyMap<string, string> =>
  new Map(
    Array.from({ length: seededCount }, (_, index) => {
      const { session, user } = cachedSession(index + 1, now);
      return [session.token, JSON.stringify({ session, user })];
    }),
  );

/**
 * Starts a bare server that calls no service: one HMAC, and the prepared answer of the session. With `isSame`, every session gets the
 * same answer, which stays in the processor's cache.
 */
export const startCachedFloor = async ({ isSame }: { isSame: boolean }) => {
  const key = createSecretKey(benchSecret, "utf8");
  const answers = prepareAnswers(new Date());
  const [same] = answers.values();
  const app = Fastify();
  app.get("/api/auth/get-session", async (request, reply) => {
    const [, token = "", signature = ""] = valueOf.exec(request.headers.cookie ?? "") ?? [];
    const expected = createHmac("sha256", key).update(token).digest("base64");
    if (encodeURIComponent(expected) !== signature) return reply.code(401).send();
    return reply
      .header("content-type", "application/json")
      .send(isSame ? same : answers.get(token));
  });
  return { url: await app.listen({ host: "127.0.0.1", port: 0 }), stop: () => app.close() };
};
