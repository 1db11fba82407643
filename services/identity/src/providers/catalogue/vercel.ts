import { defineProvider } from "../provider.ts";
import { standardProfile, standardUser } from "../standard-profile.ts";

/** https://vercel.com/docs/sign-in-with-vercel */
export const vercel = () =>
  defineProvider({
    name: "Vercel",
    issuer: "https://vercel.com",
    endpoints: {
      authorization: "https://vercel.com/oauth/authorize",
      token: "https://api.vercel.com/login/oauth/token",
      userInfo: "https://api.vercel.com/login/oauth/userinfo",
    },
    scopes: [],
    pkce: true,
    // Documented as a claim of its id tokens: https://vercel.com/docs/sign-in-with-vercel/tokens
    nonce: true,
    refreshes: false,
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: standardProfile,
    toUser: standardUser,
  });
