import { z } from "zod";
import { placeholderEmail } from "../../users/email.ts";
import { defineProvider } from "../provider.ts";

/** https://create.roblox.com/docs/cloud/reference/oauth2 */
export const roblox = () =>
  defineProvider({
    name: "Roblox",
    issuer: "https://apis.roblox.com/oauth/",
    algorithms: ["ES256"],
    endpoints: {
      authorization: "https://apis.roblox.com/oauth/v1/authorize",
      token: "https://apis.roblox.com/oauth/v1/token",
      userInfo: "https://apis.roblox.com/oauth/v1/userinfo",
      revoke: "https://apis.roblox.com/oauth/v1/token/revoke",
    },
    scopes: ["openid", "profile"],
    pkce: true,
    // The page above says that it binds the token to the client. OpenID Connect Core section 2 requires providers to echo
    // it.
    nonce: true,
    prompt: "select_account+consent",
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      sub: z.string(),
      nickname: z.string().nullish(),
      preferred_username: z.string().nullish(),
      picture: z.string().nullish(),
    }),
    toUser: (profile) => ({
      id: profile.sub,
      name: profile.nickname || profile.preferred_username,
      email: placeholderEmail("roblox", profile.sub),
      image: profile.picture,
      emailVerified: false,
    }),
  });
