import { createHmac, createSecretKey } from "node:crypto";
import Fastify from "fastify";
import { benchSecret } from "../harness/stack-settings.ts";

const valueOf = /=([^.]+)\.([^;]+)/;

/** Mimics a session with its user. */
const answer = {
  session: {
    id: "session1",
    token: "bench1".padEnd(32, "x"),
    userId: "user1",
    expiresAt: "2030-01-08T00:00:00.000Z",
    createdAt: "2030-01-01T00:00:00.000Z",
    updatedAt: "2030-01-01T00:00:00.000Z",
    ipAddress: "127.0.0.1",
    userAgent: "bench",
    impersonatedBy: null,
    activeOrganizationId: null,
  },
  user: {
    id: "user1",
    name: "User 1",
    email: "user1@example.com",
    emailVerified: true,
    image: null,
    createdAt: "2030-01-01T00:00:00.000Z",
    updatedAt: "2030-01-01T00:00:00.000Z",
    username: null,
    displayUsername: null,
    role: "user",
    banned: false,
    banReason: null,
    banExpires: null,
  },
};

/** Starts a bare server that calls no service: one HMAC and a prepared answer. */
export const startCachedFloor = async () => {
  const key = createSecretKey(benchSecret, "utf8");
  const json = JSON.stringify(answer);
  const app = Fastify();
  app.get("/api/auth/get-session", async (request, reply) => {
    const [, token = "", signature = ""] = valueOf.exec(request.headers.cookie ?? "") ?? [];
    const expected = createHmac("sha256", key).update(token).digest("base64");
    if (encodeURIComponent(expected) !== signature) return reply.code(401).send();
    return reply.header("content-type", "application/json").send(json);
  });
  return { url: await app.listen({ host: "127.0.0.1", port: 0 }), stop: () => app.close() };
};
