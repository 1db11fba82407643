import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const claims = {
  sub: "U1234567890abcdef1234567890abcdef",
  amr: ["linesso"],
  name: "Taro Line",
  picture: "https://profile.line-scdn.example/0h8pWWElvz",
  email: "taro.line@example.com",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://access.line.me/oauth2/v2.1/authorize",
    token: "https://api.line.me/oauth2/v2.1/token",
    userInfo: "https://api.line.me/oauth2/v2.1/userinfo",
    tokenInfo: "https://api.line.me/oauth2/v2.1/verify",
  },
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "openid profile email configured requested",
    nonce: "{nonce}",
    login_hint: "ann@example.com",
  },
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token: "bNl4YEFPI/hjFWhTqexp4MuEw5YPs7qhr6dJDXKwNPuLka",
      expires_in: 2_592_000,
      id_token: "{idToken}",
      refresh_token: "Aa1FdeggRhTnPNNpxr8p",
      scope: "email openid profile",
      token_type: "Bearer",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "bNl4YEFPI/hjFWhTqexp4MuEw5YPs7qhr6dJDXKwNPuLka",
    refreshToken: "Aa1FdeggRhTnPNNpxr8p",
    idToken: "{idToken}",
    scopes: ["email", "openid", "profile"],
  },
  expiresIn: { access: 2_592_000 },
  claims,
  issuer: "https://access.line.me",
  user: {
    id: "U1234567890abcdef1234567890abcdef",
    name: "Taro Line",
    email: "taro.line@example.com",
    image: "https://profile.line-scdn.example/0h8pWWElvz",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "openid is not asked for, and userinfo says it all",
      options: { disableDefaultScope: true },
      answer: { id_token: undefined },
      reads: [
        {
          endpoint: "userInfo",
          sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
          answer: { body: { sub: claims.sub, name: "Taro Line", picture: claims.picture } },
        },
      ],
      user: { id: claims.sub, name: "Taro Line", image: claims.picture, email: undefined },
    },
    {
      case: "a claim about verification that LINE does not document",
      claims: { ...claims, email_verified: true },
      user: { emailVerified: false },
    },
    {
      case: "no address, picture and name",
      claims: { sub: claims.sub, amr: ["pwd"] },
      user: { name: undefined, email: undefined, image: undefined, emailVerified: false },
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        token_type: "Bearer",
        scope: "email openid profile",
        access_token: "bNl4YEFPI/hjFWhTqexp4MuEw5YPs7qhr6dJDXKwNPuLka-2",
        expires_in: 2_592_000,
        refresh_token: "8iFFRdyxNVNLWYeteMMJ",
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "bNl4YEFPI/hjFWhTqexp4MuEw5YPs7qhr6dJDXKwNPuLka-2",
      refreshToken: "8iFFRdyxNVNLWYeteMMJ",
      scopes: ["email", "openid", "profile"],
    },
  },
  errors: [
    {
      status: 400,
      body: { error: "invalid_grant", error_description: "invalid authorization code" },
    },
  ],
};
