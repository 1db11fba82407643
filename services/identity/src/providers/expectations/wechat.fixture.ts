import type { Expectation } from "../expectation.fixture.ts";

const profile = {
  openid: "oLVPpjqs9BhvzwPj5A-vTYAX3GLc",
  nickname: "安",
  sex: 1,
  province: "",
  city: "",
  country: "CN",
  headimgurl: "https://thirdwx.qlogo.cn/mmopen/ann/0",
  privilege: [],
  unionid: "o6_bmasdasdsad6_2sgvt7hmzopfl",
};
const sent = {
  method: "GET",
  parameters: { access_token: "{access}", openid: profile.openid, lang: "zh_CN" },
  headers: { authorization: undefined },
} as const;

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://open.weixin.qq.com/connect/qrconnect",
    token: "https://api.weixin.qq.com/sns/oauth2/access_token",
    refresh: "https://api.weixin.qq.com/sns/oauth2/refresh_token",
    userInfo: "https://api.weixin.qq.com/sns/userinfo",
  },
  authorization: {
    response_type: "code",
    appid: "{client}",
    state: "{state}",
    redirect_uri: "{redirect}",
    scope: "snsapi_login,configured,requested",
    lang: "cn",
  },
  fragment: "wechat_redirect",
  variants: [{ case: "a language", options: { lang: "en" }, authorization: { lang: "en" } }],
  exchange: {
    method: "GET",
    parameters: {
      grant_type: "authorization_code",
      code: "{code}",
      appid: "{client}",
      secret: "{secret}",
    },
    headers: { "content-type": undefined },
  },
  answer: {
    type: "text/plain",
    body: {
      access_token: "ACCESS_TOKEN",
      expires_in: 7200,
      refresh_token: "REFRESH_TOKEN",
      openid: profile.openid,
      scope: "snsapi_login",
      unionid: profile.unionid,
    },
  },
  tokens: {
    tokenType: "bearer",
    accessToken: "ACCESS_TOKEN",
    refreshToken: "REFRESH_TOKEN",
    scopes: ["snsapi_login"],
  },
  expiresIn: { access: 7200 },
  reads: [{ endpoint: "userInfo", sent, answer: { type: "text/plain", body: profile } }],
  user: {
    id: profile.unionid,
    name: "安",
    email: `${profile.unionid}@wechat.invalid`,
    image: "https://thirdwx.qlogo.cn/mmopen/ann/0",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "a user without a union id",
      answers: [{ body: { ...profile, unionid: undefined } }],
      user: { id: profile.openid, emailVerified: false },
    },
    {
      case: "a user without name and picture",
      answers: [{ body: { ...profile, nickname: "", headimgurl: "" } }],
      user: { name: undefined, image: undefined },
    },
    {
      case: "a refusal with status 200",
      answers: [{ body: { errcode: 40003, errmsg: "invalid openid" } }],
      user: undefined,
    },
  ],
  refresh: {
    sent: {
      method: "GET",
      parameters: {
        grant_type: "refresh_token",
        refresh_token: "{refresh}",
        appid: "{client}",
      },
    },
    answer: {
      body: {
        access_token: "NEXT",
        expires_in: 7200,
        refresh_token: "REFRESH_TOKEN",
        openid: profile.openid,
        scope: "snsapi_login",
      },
    },
    tokens: {
      tokenType: "bearer",
      accessToken: "NEXT",
      refreshToken: "REFRESH_TOKEN",
      scopes: ["snsapi_login"],
    },
  },
  errors: [{ body: { errcode: 40029, errmsg: "invalid code" } }],
};
