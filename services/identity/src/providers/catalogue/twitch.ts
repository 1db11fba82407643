import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** Requests these claims for the id token (OpenID Connect Core section 5.5). */
const claimsOf = (names: readonly string[]) => {
  const wanted = ["email", "email_verified", ...names].map((name) => [name, null]);
  return JSON.stringify({ id_token: Object.fromEntries(wanted) });
};

/** https://dev.twitch.tv/docs/authentication/getting-tokens-oidc */
export const twitch = ({ claims }: KnownProviderOptions<"twitch">) =>
  defineProvider({
    name: "Twitch",
    issuer: "https://id.twitch.tv/oauth2",
    endpoints: {
      authorization: "https://id.twitch.tv/oauth2/authorize",
      token: "https://id.twitch.tv/oauth2/token",
      jwks: "https://id.twitch.tv/oauth2/keys",
      revoke: "https://id.twitch.tv/oauth2/revoke",
    },
    scopes: ["user:read:email", "openid"],
    pkce: false,
    nonce: true,
    authorizationParameters: { claims: claimsOf(claims) },
    readProfile: async (call) => call.claims,
    profile: z.looseObject({
      sub: z.string(),
      preferred_username: z.string().nullish(),
      email: z.string().nullish(),
      email_verified: z.boolean().nullish(),
      picture: z.string().nullish(),
    }),
    toUser: (profile) => ({
      id: profile.sub,
      name: profile.preferred_username,
      email: profile.email,
      image: profile.picture,
      emailVerified: profile.email_verified === true,
    }),
  });
