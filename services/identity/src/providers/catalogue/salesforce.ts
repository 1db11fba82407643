import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_openid.htm */
export const salesforce = ({ environment, loginUrl }: KnownProviderOptions<"salesforce">) => {
  const shared = environment === "sandbox" ? "test.salesforce.com" : "login.salesforce.com";
  const issuer = `https://${loginUrl ?? shared}`;
  return defineProvider({
    name: "Salesforce",
    issuer,
    endpoints: {
      authorization: `${issuer}/services/oauth2/authorize`,
      token: `${issuer}/services/oauth2/token`,
      userInfo: `${issuer}/services/oauth2/userinfo`,
      revoke: `${issuer}/services/oauth2/revoke`,
    },
    scopes: ["openid", "email", "profile"],
    pkce: true,
    // The guide to the web server flow of its REST API describes it as "a value to be returned" in the id token.
    nonce: true,
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      user_id: z.string(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      email_verified: z.boolean().nullish(),
      photos: z
        .looseObject({ picture: z.string().nullish(), thumbnail: z.string().nullish() })
        .nullish(),
    }),
    toUser: (profile) => ({
      id: profile.user_id,
      name: profile.name,
      email: profile.email,
      image: profile.photos?.picture || profile.photos?.thumbnail,
      emailVerified: profile.email_verified === true,
    }),
  });
};
