import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const profile = {
  sub: "user_abc123",
  email: "ann@example.com",
  name: "Ann Example",
  picture: "https://avatars.example.com/ann.png",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://backboard.railway.com/oauth/auth",
    token: "https://backboard.railway.com/oauth/token",
    userInfo: "https://backboard.railway.com/oauth/me",
  },
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "openid email profile configured requested",
  },
  exchange: exchangeOf({ client: "basic", verifier: true }),
  answer: {
    body: {
      access_token: "railway-access",
      expires_in: 3600,
      id_token: "eyJhbGciOiJSUzI1NiJ9.passed.by",
      refresh_token: "railway-refresh",
      scope: "openid email profile",
      token_type: "Bearer",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "railway-access",
    refreshToken: "railway-refresh",
    scopes: ["openid", "email", "profile"],
  },
  expiresIn: { access: 3600 },
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: profile },
    },
  ],
  user: {
    id: "user_abc123",
    name: "Ann Example",
    email: "ann@example.com",
    image: "https://avatars.example.com/ann.png",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "no address, name and picture",
      answers: [{ body: { sub: profile.sub, name: null, picture: null } }],
      user: { name: undefined, email: undefined, image: undefined, emailVerified: false },
    },
    { case: "no id", answers: [{ body: { name: "Ann" } }], user: undefined },
    {
      case: "the token is refused",
      answers: [{ status: 401, body: { error: "invalid_token" } }],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf({ client: "basic" }),
    answer: {
      body: {
        access_token: "railway-access-2",
        expires_in: 3600,
        refresh_token: "railway-refresh-2",
        scope: "openid email profile",
        token_type: "Bearer",
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "railway-access-2",
      refreshToken: "railway-refresh-2",
      scopes: ["openid", "email", "profile"],
    },
  },
  errors: [
    {
      status: 400,
      body: { error: "invalid_grant", error_description: "grant request is invalid" },
    },
  ],
};
