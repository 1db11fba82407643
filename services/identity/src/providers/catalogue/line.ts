import { z } from "zod";
import { type ClientIdTokenRules, defineProvider } from "../provider.ts";
import { readClaims } from "../token-answer.ts";

const issuer = "https://access.line.me";

/** LINE verifies the token itself, because most tokens are signed with the channel's secret. */
const fetchClaims: ClientIdTokenRules["ask"] = async (
  { endpoints, clientIds, ask },
  { token, nonce },
) => {
  const audience = readClaims(token)?.["aud"];
  const clientId = clientIds.find((id) => id === audience);
  if (clientId === undefined) return undefined;
  const claims = await ask(endpoints.tokenInfo ?? "", {
    method: "POST",
    body: new URLSearchParams({
      id_token: token,
      client_id: clientId,
      ...(nonce === undefined ? {} : { nonce }),
    }),
  });
  return claims?.["iss"] === issuer && claims["aud"] === clientId ? claims : undefined;
};

/** https://developers.line.biz/en/docs/line-login/integrate-line-login/ */
export const line = () =>
  defineProvider({
    name: "LINE",
    issuer,
    algorithms: ["HS256", "ES256"],
    endpoints: {
      authorization: "https://access.line.me/oauth2/v2.1/authorize",
      token: "https://api.line.me/oauth2/v2.1/token",
      userInfo: "https://api.line.me/oauth2/v2.1/userinfo",
      tokenInfo: "https://api.line.me/oauth2/v2.1/verify",
    },
    scopes: ["openid", "profile", "email"],
    pkce: true,
    nonce: true,
    loginHint: true,
    clientIdToken: { ask: fetchClaims },
    readProfile: async ({ claims, endpoints, ask }) => claims ?? ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      sub: z.string(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      picture: z.string().nullish(),
    }),
    toUser: ({ sub: id, name, email, picture: image }) => ({
      id,
      name,
      email,
      image,
      emailVerified: false,
    }),
  });
