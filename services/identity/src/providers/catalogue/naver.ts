import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://developers.naver.com/docs/login/api/api.md */
export const naver = () =>
  defineProvider({
    name: "Naver",
    endpoints: {
      authorization: "https://nid.naver.com/oauth2.0/authorize",
      token: "https://nid.naver.com/oauth2.0/token",
      userInfo: "https://openapi.naver.com/v1/nid/me",
    },
    scopes: ["profile", "email"],
    pkce: false,
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      resultcode: z.literal("00"),
      response: z.looseObject({
        id: z.string(),
        name: z.string().nullish(),
        nickname: z.string().nullish(),
        email: z.string().nullish(),
        profile_image: z.string().nullish(),
      }),
    }),
    toUser: ({ response: { id, name, nickname, email, profile_image: image } }) => ({
      id,
      name: name || nickname,
      email,
      image,
      emailVerified: false,
    }),
  });
