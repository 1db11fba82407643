import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://developers.kakao.com/docs/latest/en/kakaologin/rest-api */
export const kakao = () =>
  defineProvider({
    name: "Kakao",
    issuer: "https://kauth.kakao.com",
    endpoints: {
      authorization: "https://kauth.kakao.com/oauth/authorize",
      token: "https://kauth.kakao.com/oauth/token",
      userInfo: "https://kapi.kakao.com/v2/user/me",
    },
    scopes: ["account_email", "profile_image", "profile_nickname"],
    pkce: false,
    nonce: true,
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      id: z.union([z.int(), z.string()]),
      kakao_account: z
        .looseObject({
          name: z.string().nullish(),
          email: z.string().nullish(),
          is_email_valid: z.boolean().nullish(),
          is_email_verified: z.boolean().nullish(),
          profile: z
            .looseObject({
              nickname: z.string().nullish(),
              profile_image_url: z.string().nullish(),
              thumbnail_image_url: z.string().nullish(),
            })
            .nullish(),
        })
        .nullish(),
    }),
    toUser: ({ id, kakao_account: account }) => ({
      id: String(id),
      name: account?.profile?.nickname || account?.name,
      email: account?.email,
      image: account?.profile?.profile_image_url || account?.profile?.thumbnail_image_url,
      emailVerified: account?.is_email_valid === true && account.is_email_verified === true,
    }),
  });
