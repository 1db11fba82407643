import { z } from "zod";
import { defineProvider } from "../provider.ts";
import { asAnswer, type ProviderCall } from "../provider-call.ts";

/** The token belongs to a bot. The user is the bot's owner, unless a workspace owns it. */
const readProfile = async ({ endpoints, ask }: ProviderCall) => {
  const answer = await ask(endpoints.userInfo ?? "", {
    headers: { "notion-version": "2022-06-28" },
  });
  return asAnswer(asAnswer(answer?.["bot"])?.["owner"])?.["user"];
};

/** https://developers.notion.com/docs/authorization */
export const notion = () =>
  defineProvider({
    name: "Notion",
    endpoints: {
      authorization: "https://api.notion.com/v1/oauth/authorize",
      token: "https://api.notion.com/v1/oauth/token",
      userInfo: "https://api.notion.com/v1/users/me",
    },
    clientAuthentication: "basic",
    scopes: [], // capabilities are chosen in the connection's settings
    pkce: false,
    loginHint: true,
    authorizationParameters: { owner: "user" }, // not the workspace
    readProfile,
    profile: z.looseObject({
      id: z.string(),
      name: z.string().nullish(),
      avatar_url: z.string().nullish(),
      person: z.looseObject({ email: z.string().nullish() }).nullish(),
    }),
    toUser: ({ id, name, person, avatar_url: image }) => ({
      id,
      name,
      email: person?.email,
      image,
      emailVerified: false,
    }),
  });
