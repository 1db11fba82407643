import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { placeholderEmail } from "../placeholder-email.ts";
import { defineProvider, type TokenRequest } from "../provider.ts";
import type { ProviderCall } from "../provider-call.ts";

/** By GET, and with no more than is asked for: what is in a URL is written down by many. */
const adaptRequest = (request: TokenRequest): TokenRequest => {
  const body = new URLSearchParams(request.body);
  body.delete("redirect_uri");
  if (body.get("grant_type") === "refresh_token") body.delete("secret");
  return { ...request, method: "GET", body };
};

const readProfile = async ({ endpoints, tokens, answer, accountId, ask }: ProviderCall) => {
  const { openid = accountId } = answer;
  const url = new URL(endpoints.userInfo ?? "");
  url.searchParams.set("access_token", tokens.accessToken ?? "");
  url.searchParams.set("openid", typeof openid === "string" ? openid : "");
  url.searchParams.set("lang", "zh_CN");
  return ask(url.href, { headers: { authorization: "" } });
};

/** https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html */
export const wechat = ({ lang }: KnownProviderOptions<"wechat">) =>
  defineProvider({
    name: "WeChat",
    endpoints: {
      authorization: "https://open.weixin.qq.com/connect/qrconnect",
      token: "https://api.weixin.qq.com/sns/oauth2/access_token",
      refresh: "https://api.weixin.qq.com/sns/oauth2/refresh_token",
      userInfo: "https://api.weixin.qq.com/sns/userinfo",
    },
    clientNames: { id: "appid", secret: "secret" },
    scopes: ["snsapi_login"],
    scopeSeparator: ",",
    pkce: false,
    authorizationParameters: { lang },
    authorizationFragment: "wechat_redirect",
    adaptRequest,
    // Errors come as 200.
    tidyAnswer: ({ errcode, ...answer }) => (errcode ? { error: String(Number(errcode)) } : answer),
    readProfile,
    profile: z.looseObject({
      openid: z.string(),
      unionid: z.string().nullish(),
      nickname: z.string().nullish(),
      email: z.string().nullish(),
      headimgurl: z.string().nullish(),
    }),
    toUser: ({ openid, unionid, nickname, email, headimgurl }) => {
      const id = unionid || openid;
      return {
        id,
        name: nickname,
        email: email || placeholderEmail("wechat", id),
        image: headimgurl,
        emailVerified: false,
      };
    },
  });
