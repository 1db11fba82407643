import { type Expectation, codeFlow, exchangeOf, refreshOf } from "../expectation.fixture.ts";

const viewer = {
  id: "5f1a3e2c-9d5d-4c35-8f7e-2b7f5b3c1a00",
  name: "Ann Example",
  email: "ann@example.com",
  avatarUrl: "https://public.linear.example/avatars/ann",
  active: true,
  createdAt: "2023-01-02T03:04:05.678Z",
  updatedAt: "2024-01-02T03:04:05.678Z",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://linear.app/oauth/authorize",
    token: "https://api.linear.app/oauth/token",
    userInfo: "https://api.linear.app/graphql",
  },
  authorization: { ...codeFlow, scope: "read configured requested", login_hint: "ann@example.com" },
  exchange: exchangeOf(),
  answer: {
    body: {
      access_token: "lin_oauth_access",
      token_type: "Bearer",
      expires_in: 86_399,
      scope: ["read", "write"],
      refresh_token: "lin_refresh",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "lin_oauth_access",
    refreshToken: "lin_refresh",
    scopes: ["read", "write"],
  },
  expiresIn: { access: 86_399 },
  reads: [
    {
      endpoint: "userInfo",
      sent: {
        method: "POST",
        parameters: {
          query: "query { viewer { id name email avatarUrl active createdAt updatedAt } }",
        },
        headers: { authorization: "Bearer {access}", "content-type": "application/json" },
      },
      answer: { body: { data: { viewer } } },
    },
  ],
  user: {
    id: "5f1a3e2c-9d5d-4c35-8f7e-2b7f5b3c1a00",
    name: "Ann Example",
    email: "ann@example.com",
    image: "https://public.linear.example/avatars/ann",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "no address and no picture",
      answers: [{ body: { data: { viewer: { ...viewer, email: undefined, avatarUrl: null } } } }],
      user: { email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "the query fails",
      answers: [{ body: { data: null, errors: [{ message: "Authentication required" }] } }],
      user: undefined,
    },
    {
      case: "there is no viewer",
      answers: [{ body: { data: { viewer: null } } }],
      user: undefined,
    },
    {
      case: "the token is refused",
      answers: [{ status: 401, body: { errors: [{ message: "Authentication required" }] } }],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "lin_oauth_access-2",
        token_type: "Bearer",
        expires_in: 86_399,
        scope: "read write",
        refresh_token: "lin_refresh-2",
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "lin_oauth_access-2",
      refreshToken: "lin_refresh-2",
      scopes: ["read", "write"],
    },
  },
  errors: [
    {
      status: 400,
      body: { error: "invalid_grant", error_description: "Invalid authorization code" },
    },
  ],
};
