import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const profile = {
  user_id: 4_117_291,
  name: "streamer",
  email: "streamer@example.com",
  profile_picture: "https://kick.com/img/default-profile-pictures/default2.jpeg",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://id.kick.com/oauth/authorize",
    token: "https://id.kick.com/oauth/token",
    userInfo: "https://api.kick.com/public/v1/users",
  },
  authorization: { ...codeFlow, ...withChallenge, scope: "user:read configured requested" },
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token: "NJY0OWJKMWQTMZAWZC0ZMMQ4",
      token_type: "Bearer",
      refresh_token: "ZDC5MDE4NJYTNZG5NC01NGE3",
      expires_in: "7200",
      scope: "user:read",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "NJY0OWJKMWQTMZAWZC0ZMMQ4",
    refreshToken: "ZDC5MDE4NJYTNZG5NC01NGE3",
    scopes: ["user:read"],
  },
  expiresIn: { access: 7_200 },
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: { data: [profile], message: "OK" } },
    },
  ],
  user: {
    id: "4117291",
    name: "streamer",
    email: "streamer@example.com",
    image: "https://kick.com/img/default-profile-pictures/default2.jpeg",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "an id as text",
      answers: [{ body: { data: [{ ...profile, user_id: "4117291" }], message: "OK" } }],
      user: { id: "4117291" },
    },
    {
      case: "nothing but an id",
      answers: [{ body: { data: [{ user_id: 4_117_291 }] } }],
      user: { name: undefined, email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "an assertion of the provider that is not about the address",
      answers: [{ body: { data: [{ ...profile, verified: true, email_verified: true }] } }],
      user: { email: "streamer@example.com", emailVerified: false },
    },
    { case: "an empty list", answers: [{ body: { data: [], message: "OK" } }], user: undefined },
    { case: "no list", answers: [{ body: { data: profile, message: "OK" } }], user: undefined },
    {
      case: "a refused access token",
      answers: [{ status: 401, body: { data: null, message: "Unauthorized" } }],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "ZGE4MZYYZDUTYTBMYI0ZOWFL",
        token_type: "Bearer",
        refresh_token: "MWM4MTK5YJCTZDA0ZI01ZJZL",
        expires_in: 7_200,
        scope: "user:read",
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "ZGE4MZYYZDUTYTBMYI0ZOWFL",
      refreshToken: "MWM4MTK5YJCTZDA0ZI01ZJZL",
      scopes: ["user:read"],
    },
  },
  errors: [{ status: 401, body: { error: "invalid_grant" } }],
};
