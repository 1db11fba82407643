import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const profile = {
  id: "KDcuGIm1QgePTO8WbOqwIQ",
  first_name: "Jill",
  last_name: "Chill",
  display_name: "Jill Chill",
  email: "jill@example.com",
  type: 1,
  role_name: "Owner",
  pmi: 8_889_999,
  timezone: "America/Denver",
  verified: 1,
  created_at: "2019-04-05T15:24:32Z",
  pic_url: "https://zoom.us/p/KDcuGIm1QgePTO8WbOqwIQ/a1b2",
  account_id: "gVcjZnWWRLWvv_GtyGuaxg",
  language: "en-US",
  status: "active",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://zoom.us/oauth/authorize",
    token: "https://zoom.us/oauth/token",
    userInfo: "https://api.zoom.us/v2/users/me",
    revoke: "https://zoom.us/oauth/revoke",
  },
  authorization: { ...codeFlow, ...withChallenge, scope: "configured requested" },
  variants: [
    {
      case: "no code challenge",
      options: { pkce: false },
      authorization: { code_challenge: undefined, code_challenge_method: undefined },
    },
    {
      case: "no scopes but those of the request",
      options: { scope: [] },
      authorization: { scope: "requested" },
    },
  ],
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token: "eyJzdiI6IjAwMDAwMSIsImFsZyI6IkhTNTEyIn0.zoom.access",
      token_type: "bearer",
      refresh_token: "eyJzdiI6IjAwMDAwMSIsImFsZyI6IkhTNTEyIn0.zoom.refresh",
      expires_in: 3_599,
      scope: "user:read:user",
      api_url: "https://api.zoom.us",
    },
  },
  tokens: {
    tokenType: "bearer",
    accessToken: "eyJzdiI6IjAwMDAwMSIsImFsZyI6IkhTNTEyIn0.zoom.access",
    refreshToken: "eyJzdiI6IjAwMDAwMSIsImFsZyI6IkhTNTEyIn0.zoom.refresh",
    scopes: ["user:read:user"],
  },
  expiresIn: { access: 3_599 },
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: profile },
    },
  ],
  user: {
    id: "KDcuGIm1QgePTO8WbOqwIQ",
    name: "Jill Chill",
    email: "jill@example.com",
    image: "https://zoom.us/p/KDcuGIm1QgePTO8WbOqwIQ/a1b2",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "an address that is not verified",
      answers: [{ body: { ...profile, verified: 0 } }],
      user: { email: "jill@example.com", emailVerified: false },
    },
    {
      case: "nothing said of the address",
      answers: [{ body: { ...profile, verified: undefined } }],
      user: { email: "jill@example.com", emailVerified: false },
    },
    {
      case: "neither name, address nor picture",
      answers: [{ body: { id: profile.id, verified: 1 } }],
      user: { name: undefined, email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "a refused access token",
      answers: [{ status: 401, body: { code: 124, message: "Invalid access token." } }],
      user: undefined,
    },
    { case: "no id", answers: [{ body: { email: "jill@example.com" } }], user: undefined },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "eyJzdiI6IjAwMDAwMSIsImFsZyI6IkhTNTEyIn0.zoom.renewed",
        token_type: "bearer",
        refresh_token: "eyJzdiI6IjAwMDAwMSIsImFsZyI6IkhTNTEyIn0.zoom.refresh-renewed",
        expires_in: 3_599,
        scope: "user:read:user",
      },
    },
    tokens: {
      tokenType: "bearer",
      accessToken: "eyJzdiI6IjAwMDAwMSIsImFsZyI6IkhTNTEyIn0.zoom.renewed",
      refreshToken: "eyJzdiI6IjAwMDAwMSIsImFsZyI6IkhTNTEyIn0.zoom.refresh-renewed",
      scopes: ["user:read:user"],
    },
  },
  errors: [
    { status: 400, body: { reason: "Invalid authorization code", error: "invalid_grant" } },
    {
      status: 400,
      body: { reason: "Invalid client_id or client_secret", error: "invalid_client" },
    },
  ],
};
