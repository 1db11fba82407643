import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { placeholderEmail } from "../../users/email.ts";
import { defineProvider } from "../provider.ts";

const agent = { "user-agent": "latchkey" }; // Reddit rejects common user agents

/** https://github.com/reddit-archive/reddit/wiki/OAuth2 */
export const reddit = ({ duration }: KnownProviderOptions<"reddit">) =>
  defineProvider({
    name: "Reddit",
    endpoints: {
      authorization: "https://www.reddit.com/api/v1/authorize",
      token: "https://www.reddit.com/api/v1/access_token",
      userInfo: "https://oauth.reddit.com/api/v1/me",
      revoke: "https://www.reddit.com/api/v1/revoke_token",
    },
    clientAuthentication: "basic",
    scopes: ["identity"],
    pkce: false,
    authorizationParameters: { duration },
    adaptRequest: (request) => ({
      ...request,
      headers: { ...request.headers, ...agent, accept: "text/plain" },
    }),
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? "", { headers: agent }),
    profile: z.looseObject({
      id: z.string(),
      name: z.string().nullish(),
      icon_img: z.string().nullish(),
    }),
    toUser: ({ id, name, icon_img: image }) => ({
      id,
      name,
      // `has_verified_email` is about an address that Reddit does not return.
      email: placeholderEmail("reddit", id),
      image: image?.split("?")[0], // the query is a signature for one size
      emailVerified: false,
    }),
  });
