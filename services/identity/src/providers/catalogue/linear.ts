import { z } from "zod";
import { defineProvider } from "../provider.ts";
import { asAnswer, type ProviderCall } from "../provider-call.ts";

const query = "query { viewer { id name email avatarUrl active createdAt updatedAt } }";

const readProfile = async ({ endpoints, ask }: ProviderCall) => {
  const answer = await ask(endpoints.userInfo ?? "", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  return asAnswer(answer?.["data"])?.["viewer"];
};

/** https://linear.app/developers/oauth-2-0-authentication */
export const linear = () =>
  defineProvider({
    name: "Linear",
    endpoints: {
      authorization: "https://linear.app/oauth/authorize",
      token: "https://api.linear.app/oauth/token",
      userInfo: "https://api.linear.app/graphql",
    },
    scopes: ["read"],
    pkce: false,
    loginHint: true,
    readProfile,
    profile: z.looseObject({
      id: z.string(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      avatarUrl: z.string().nullish(),
    }),
    toUser: ({ id, name, email, avatarUrl: image }) => ({
      id,
      name,
      email,
      image,
      emailVerified: false,
    }),
  });
