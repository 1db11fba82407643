import type { KnownProviderOptions } from "@latchkey/contracts";
import { defineProvider } from "../provider.ts";
import { standardProfile, standardUser } from "../standard-profile.ts";

/** https://paybin.io */
export const paybin = ({ issuer }: KnownProviderOptions<"paybin">) => {
  const base = issuer.replace(/\/+$/, "");
  return defineProvider({
    name: "Paybin",
    issuer,
    endpoints: {
      authorization: `${base}/oauth2/authorize`,
      token: `${base}/oauth2/token`,
    },
    scopes: ["openid", "email", "profile"],
    pkce: true,
    loginHint: true,
    prompt: true,
    readProfile: async ({ claims }) => claims,
    profile: standardProfile,
    toUser: standardUser,
  });
};
