import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { placeholderEmail } from "../../users/email.ts";
import { defineProvider, type TokenRequest } from "../provider.ts";
import type { ProviderCall } from "../provider-call.ts";

/** Sends a GET without superfluous parameters, because URLs are often logged. */
const adaptRequest = (request: TokenRequest): TokenRequest => {
  const body = new URLSearchParams(request.body);
  body.delete("redirect_uri");
  if (body.get("grant_type") === "refresh_token") body.delete("secret");
  return { ...request, method: "GET", body };
};

const fetchBy = (
  { ask }: ProviderCall,
  address: string | undefined,
  parameters: Record<string, string | undefined>,
) => {
  const url = new URL(address ?? "");
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value ?? "");
  return ask(url.href, { headers: { authorization: "" } });
};

/**
 * Returns the app's own id of the user, which a profile request needs. A token response contains it. A linked account may
 * be stored under another id. For that one a refresh returns the app's own id, and changes nothing while the access token
 * is valid.
 */
const findOpenId = async (call: ProviderCall): Promise<string | undefined> => {
  const { endpoints, clientIds, tokens, answer, accountId } = call;
  const renewed =
    answer["openid"] === undefined && tokens.refreshToken !== undefined
      ? await fetchBy(call, endpoints.refresh, {
          appid: clientIds[0],
          grant_type: "refresh_token",
          refresh_token: tokens.refreshToken,
        })
      : undefined;
  const openid = answer["openid"] ?? renewed?.["openid"];
  return typeof openid === "string" ? openid : accountId;
};

const readProfile = async (call: ProviderCall) =>
  fetchBy(call, call.endpoints.userInfo, {
    access_token: call.tokens.accessToken,
    openid: await findOpenId(call),
    lang: "zh_CN",
  });

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
    // Errors have status 200.
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
