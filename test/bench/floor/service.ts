import { generateKeyPairSync, hash, sign } from "node:crypto";
import Fastify, { type FastifyRequest } from "fastify";
import { cachedSession } from "../harness/cached-session.ts";
import { seededId } from "../harness/seeded-id.ts";
import type { LookUp } from "./look-up.ts";
import { tokenHeader } from "./gateway.ts";

/** The same amount of claims about a user as in our tokens. */
const claims = {
  ...cachedSession(1, new Date()).user,
  iat: 1_893_456_000,
  iss: "http://localhost",
  aud: "http://localhost",
  exp: 1_893_456_900,
  sub: seededId("user", 1),
};

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

const createSigner = () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const header = { alg: "EdDSA", kid: "kid".padEnd(32, "x") };
  const keys = [{ ...publicKey.export({ format: "jwk" }), ...header }];
  const start = encode(header);
  return {
    jwks: JSON.stringify({ keys }),
    sign: () => {
      const signed = `${start}.${encode(claims)}`;
      return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString("base64url")}`;
    },
  };
};

/** Starts a bare service: one look-up, answered as JSON. It also offers a signature and a prepared text. */
export const startFloorService = async (lookUp: LookUp) => {
  const signer = createSigner();
  const app = Fastify();
  const find = ({ headers }: FastifyRequest) =>
    lookUp.find(hash("sha256", String(headers[tokenHeader]), "buffer"));
  app.get("/get-session", async (request, reply) => {
    const session = await find(request);
    if (!session) return reply.code(404).send();
    return reply.type("application/json").send(session);
  });
  app.get("/token", async (request, reply) => {
    if (!(await find(request))) return reply.code(404).send();
    return reply.type("application/json").send({ token: signer.sign() });
  });
  app.get("/jwks", async (_request, reply) => reply.type("application/json").send(signer.jwks));
  return { url: await app.listen({ host: "127.0.0.1", port: 0 }), stop: () => app.close() };
};
