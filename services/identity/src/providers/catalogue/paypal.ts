import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";
import type { ProviderCall } from "../provider-call.ts";

/** Returns the profile if it is of the id token's subject. */
const readProfile = async ({ endpoints, claims, ask }: ProviderCall) => {
  const url = new URL(endpoints.userInfo ?? "");
  url.searchParams.set("schema", "paypalv1.1");
  const profile = await ask(url.href);
  const isSame =
    !claims || profile?.["sub"] === claims["sub"] || profile?.["user_id"] === claims["sub"];
  return isSame ? profile : undefined;
};

/** https://developer.paypal.com/docs/log-in-with-paypal/integrate/ */
export const paypal = ({ environment }: KnownProviderOptions<"paypal">) => {
  const domain = environment === "live" ? "paypal.com" : "sandbox.paypal.com";
  const api = `https://api-m.${domain}`;
  // PayPal's issuer is either its website or its API, which has two hosts.
  const issuers = new Set<unknown>([`https://www.${domain}`, `https://api.${domain}`, api]);
  return defineProvider({
    name: "PayPal",
    issuer: ({ iss }) => (issuers.has(iss) ? String(iss) : undefined),
    algorithms: ["RS256", "HS256"],
    endpoints: {
      authorization: `https://www.${domain}/signin/authorize`,
      token: `${api}/v1/oauth2/token`,
      userInfo: `${api}/v1/identity/oauth2/userinfo`,
    },
    clientAuthentication: "basic",
    scopes: [], // chosen in PayPal's dashboard
    pkce: true, // and no nonce: PayPal does not document it in id tokens
    adaptRequest: (request) => ({
      ...request,
      headers: { ...request.headers, "accept-language": "en_US" },
    }),
    readProfile,
    profile: z.looseObject({
      user_id: z.string(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      email_verified: z.boolean().nullish(),
      picture: z.string().nullish(),
    }),
    toUser: (profile) => ({
      id: profile.user_id,
      name: profile.name,
      email: profile.email,
      image: profile.picture,
      emailVerified: profile.email_verified === true,
    }),
  });
};
