import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";
import type { Answer, ProviderCall } from "../provider-call.ts";

type Options = KnownProviderOptions<"facebook">;

const tokenInfo = z.looseObject({
  data: z.looseObject({ is_valid: z.literal(true), app_id: z.string(), user_id: z.string() }),
});

/** Returns the user and the app of an access token that a client sent in place of an id token. */
const fetchTokenInfo = async (
  { clientSecret }: Options,
  { endpoints, clientIds, ask }: ProviderCall,
  token: string,
): Promise<Answer | undefined> => {
  if (clientSecret === undefined) return undefined;
  const url = new URL(endpoints.tokenInfo ?? "");
  url.searchParams.set("input_token", token);
  url.searchParams.set("access_token", `${clientIds[0]}|${clientSecret}`);
  const answer = tokenInfo.safeParse(await ask(url.href, { headers: { authorization: "" } }));
  return answer.data && clientIds.includes(answer.data.data.app_id) ? answer.data.data : undefined;
};

/**
 * Returns the claims of the id token, or the profile of the access token if there is none. The profile must be of the
 * user for whom the access token was verified.
 */
const readProfile = async (
  { fields }: Options,
  { endpoints, tokens, claims, ask }: ProviderCall,
): Promise<Answer | undefined> => {
  if (claims?.["sub"] !== undefined) return claims;
  const token = claims ? tokens.idToken : (tokens.accessToken ?? tokens.idToken);
  const url = new URL(endpoints.userInfo ?? "");
  url.searchParams.set("fields", ["id", "name", "email", "picture", ...fields].join(","));
  const profile = await ask(url.href, { headers: { authorization: `Bearer ${token}` } });
  return claims && claims["user_id"] !== profile?.["id"] ? undefined : profile;
};

const picture = z.looseObject({ data: z.looseObject({ url: z.string().nullish() }).nullish() });

/** https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow */
export const facebook = (options: Options) =>
  defineProvider({
    name: "Facebook",
    issuer: "https://www.facebook.com",
    endpoints: {
      authorization: "https://www.facebook.com/v24.0/dialog/oauth",
      token: "https://graph.facebook.com/v24.0/oauth/access_token",
      userInfo: "https://graph.facebook.com/me",
      jwks: "https://limited.facebook.com/.well-known/oauth/openid/jwks/",
      tokenInfo: "https://graph.facebook.com/debug_token",
    },
    scopes: ["email", "public_profile"],
    pkce: false, // and no nonce: a code yields no id token, only native apps get one
    loginHint: true,
    authorizationParameters: { config_id: options.configId },
    clientIdToken: {
      acceptsAccessTokens: options.clientSecret !== undefined,
      ask: (call, { token }) => fetchTokenInfo(options, call, token),
    },
    readProfile: (call) => readProfile(options, call),
    profile: z.looseObject({
      id: z.string().nullish(),
      sub: z.string().nullish(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      email_verified: z.boolean().nullish(),
      picture: z.union([z.string(), picture]).nullish(),
    }),
    toUser: ({ id, sub, name, email, picture: image, email_verified: verified }) => ({
      id: sub ?? id ?? "",
      name,
      email,
      image: typeof image === "string" ? image : image?.data?.url,
      emailVerified: typeof sub === "string" ? false : verified === true, // id tokens do not assert that the address is verified
    }),
  });
