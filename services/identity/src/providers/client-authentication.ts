import { importPKCS8 } from "jose";
import { type ClientAuth, modifyAssertion, PrivateKeyJwt } from "oauth4webapi";
import type { ProviderClient } from "./provider-client.ts";

/** Encodes a text as in forms (RFC 6749 section 2.3.1, appendix B). */
const formEncode = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);

/** Adds client authentication to a request to the token endpoint: a signed assertion, the header or the form. */
export const clientAuthentication = async ({
  definition,
  provider,
}: ProviderClient): Promise<ClientAuth> => {
  const { privateKey, clientSecret } = provider.options;
  if (privateKey) {
    const { pem, alg, kid } = privateKey;
    const key = await importPKCS8(pem, alg === "EdDSA" ? "Ed25519" : alg);
    return PrivateKeyJwt(kid === undefined ? key : { key, kid }, {
      [modifyAssertion]: (_header, payload) => {
        // The audience is the issuer, unless only the tokens name it.
        if (typeof definition.issuer !== "string") payload["aud"] = definition.endpoints.token;
      },
    });
  }
  const names = definition.clientNames ?? { id: "client_id", secret: "client_secret" };
  const isBasic = definition.clientAuthentication === "basic" && clientSecret !== undefined;
  return (...[, { client_id: id }, body, headers]: Parameters<ClientAuth>) => {
    if (isBasic) {
      const credentials = `${formEncode(id)}:${formEncode(clientSecret)}`;
      headers.set("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`);
      return;
    }
    body.set(names.id, id);
    if (clientSecret !== undefined) body.set(names.secret, clientSecret);
  };
};
